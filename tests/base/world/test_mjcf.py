"""MuJoCo models as rooms: footprints are those of MuJoCo's own distances, and files that are none are refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from motionfields.base.errors import FormatError
from motionfields.base.world import Box, Disc, Wall, read_mjcf, read_world

mujoco = pytest.importorskip("mujoco")

MODEL = """<mujoco><default><geom contype="1"/></default><worldbody>
  <geom type="plane" size="6 5 0.1" pos="1 0 0"/>
  <body pos="0.5 0 0"><geom type="box" size="0.5 0.3 0.6" pos="1 2 0.6" euler="0 0 30"/></body>
  <geom type="cylinder" size="0.4 0.5" pos="-2 1 0.5"/>
  <geom type="capsule" size="0.2" fromto="-1 -2 0.5 2 -3 0.5"/>
  <geom type="sphere" size="0.3" pos="3 -1 0.5"/>
  <geom type="ellipsoid" size="0.5 0.2 0.4" pos="-3 -2 0.4"/>
  <geom type="box" size="1 1 0.02" pos="0 0 0.02"/>
  <geom type="box" size="1 1 0.1" pos="0 0 2.6"/>
  <geom type="box" size="1 1 1" pos="4 4 1" contype="0" conaffinity="0"/>
  <body pos="0 3 3"><freejoint/><geom type="sphere" size="0.5"/></body>
</worldbody></mujoco>"""


def test_geoms_become_obstacles_where_mujoco_has_them(tmp_path: Path) -> None:
    (tmp_path / "scene.xml").write_text(MODEL)
    room = read_mjcf(tmp_path / "scene.xml", radius=0.25)
    assert room.bounds == (-5.0, -5.0, 7.0, 5.0)
    assert room.radius == 0.25
    assert [type(one) for one in room.obstacles] == [Disc, Wall, Disc, Box, Box]  # the rest: floor, ceiling, moving
    box, tube = room.obstacles[4], room.obstacles[0]
    assert isinstance(box, Box)
    assert (box.x, box.z, box.width, box.depth, box.yaw) == pytest.approx((1.5, -2.0, 1.0, 0.6, np.radians(30.0)))
    assert isinstance(tube, Disc)
    assert (tube.x, tube.z, tube.radius) == pytest.approx((-2.0, -1.0, 0.4))
    # MuJoCo's own rays over the ground meet geoms where the room says that they are.
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "scene.xml"))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    for angle in np.linspace(0.0, 2.0 * np.pi, 60, endpoint=False):
        way = np.array([np.cos(angle), np.sin(angle), 0.0])
        met = np.full(1, -1, np.int32)
        far = mujoco.mj_ray(model, data, np.array([0.0, 0.2, 0.5]), way, None, 1, -1, met)
        if far > 0.0 and model.geom_contype[met[0]] and model.geom_type[met[0]] != mujoco.mjtGeom.mjGEOM_ELLIPSOID:
            place = np.array([far * way[0], -0.2 - far * way[1]])
            assert float(room.clearance(place)) == pytest.approx(0.0, abs=1e-6)


def test_a_model_is_a_world_and_has_ground_without_a_plane(tmp_path: Path) -> None:
    (tmp_path / "disc.xml").write_text(
        '<mujoco><worldbody><geom type="sphere" size="0.5" pos="2 0 0.5"/></worldbody></mujoco>'
    )
    assert read_world(tmp_path / "disc.xml").room.bounds == (-1.5, -3.5, 5.5, 3.5)
    (tmp_path / "none.xml").write_text("<mujoco/>")
    assert read_world(tmp_path / "none.xml").room.obstacles == ()


@pytest.mark.parametrize(
    "content",
    [
        "",
        "<html/>",
        "<mujoco>",
        '<mujoco><worldbody><geom type="box"/></worldbody></mujoco>',
        '<mujoco><worldbody><geom type="sphere" size="nan"/></worldbody></mujoco>',
        '<mujoco><worldbody><geom type="box" size="300 1 1"/></worldbody></mujoco>',
        '<mujoco><worldbody><geom type="sphere" size="1" pos="1e9 0 0"/></worldbody></mujoco>',
        '<mujoco><include file="missing.xml"/></mujoco>',
    ],
)
def test_files_that_are_no_such_model_are_refused(
    tmp_path: Path, content: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wrong.xml").write_text(content)
    with pytest.raises(FormatError, match=r"wrong\.xml"):
        read_world(tmp_path / "wrong.xml")
    with pytest.raises(FormatError):
        read_mjcf(tmp_path / "missing.xml")
    assert [path.name for path in tmp_path.iterdir()] == ["wrong.xml"]  # and MuJoCo wrote no log
