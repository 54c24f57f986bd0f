"""Each rule of the BVH reader, on files written inline."""

from __future__ import annotations

import contextlib
import math
import time
import tracemalloc
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from motionfields.base.errors import BvhError
from motionfields.motion.formats.bvh import BvhMotion, read_bvh

WALKER = """HIERARCHY
ROOT Hips
{
  OFFSET 1 2 3
  CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
  JOINT Spine
  {
    OFFSET 0 10 0
    CHANNELS 3 Zrotation Yrotation Xrotation
    End Site
    {
      OFFSET 0 15 0
    }
  }
  JOINT Leg
  {
    OFFSET 8 -5 0
    CHANNELS 3 Zrotation Yrotation Xrotation
  }
}
MOTION
Frames: 2
Frame Time: 0.0333333
0 90 0 0 0 0 1 2 3 -4 5 -6
0.5 90.5 1 10 20 30 1.5 2.5 3.5 -4.5 5.5 -6.5
"""


def read(text: str | bytes) -> BvhMotion:
    return read_bvh(text.encode() if isinstance(text, str) else text, path="walk.bvh")


def refuse(text: str | bytes) -> BvhError:
    with pytest.raises(BvhError) as caught:
        read(text)
    assert caught.value.path == "walk.bvh"
    assert "\n" not in str(caught.value)
    return caught.value


def one_joint(channels: str, *rows: str, offset: str = "1 2 3") -> str:
    count = len(channels.split())
    head = f"HIERARCHY ROOT A {{ OFFSET {offset} CHANNELS {count} {channels} }} MOTION Frames: {len(rows)}\n"
    return head + "Frame Time: 0.01\n" + "\n".join(rows)


def two_joints(channels: str, *rows: str, offset: str = "0 5 0") -> str:
    count = len(channels.split())
    child = f"JOINT B {{ OFFSET {offset} CHANNELS {count} {channels} End Site {{ OFFSET 0 2 0 }} }}"
    head = f"HIERARCHY ROOT A {{ OFFSET 0 0 0 CHANNELS 0 {child} }} MOTION Frames: {len(rows)}\n"
    return head + "Frame Time: 0.01\n" + "\n".join(rows)


def assert_same(one: BvhMotion, other: BvhMotion) -> None:
    assert (one.names, one.rotation_orders, one.frame_time) == (
        other.names,
        other.rotation_orders,
        other.frame_time,
    )
    for name in ("parents", "offsets", "tip_joints", "tip_offsets", "root_position", "rotations"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


def test_a_file_is_read_as_it_stands() -> None:
    motion = read(WALKER)
    assert motion.names == ("Hips", "Spine", "Leg")
    assert motion.rotation_orders == ("ZYX",) * 3
    assert motion.frame_time == 0.0333333
    assert motion.frame_count == 2
    assert motion.notes == ()
    np.testing.assert_array_equal(motion.parents, [-1, 0, 0])
    np.testing.assert_array_equal(motion.offsets, [[1, 2, 3], [0, 10, 0], [8, -5, 0]])
    np.testing.assert_array_equal(motion.tip_joints, [1])
    np.testing.assert_array_equal(motion.tip_offsets, [[0, 15, 0]])
    np.testing.assert_array_equal(motion.root_position, [[0, 90, 0], [0.5, 90.5, 1]])
    expected = Rotation.from_euler("ZYX", [10, 20, 30], degrees=True).as_quat(scalar_first=True)
    np.testing.assert_allclose(motion.rotations[1, 0], expected, atol=1e-15)


@pytest.mark.parametrize(
    "variant",
    [
        WALKER.replace("\n", "\r\n"),
        WALKER.replace("\n", "\r"),
        WALKER.replace("  ", "\t").replace(" ", "\t"),
        "\ufeff" + WALKER,
        "\n \n" + WALKER.replace("MOTION", "\n\nMOTION") + "\n\n\t\n",
        WALKER.rstrip("\n"),
        WALKER.replace("\n  {", " {").replace("\n{", " {"),
        WALKER.replace("\n{", "{"),
        " ".join(WALKER.partition("MOTION")[0].split()) + "\nMOTION" + WALKER.partition("MOTION")[2],
        WALKER.replace("Frames: 2", "Frames :2").replace("Frame Time: ", "Frame Time:"),
        WALKER.replace("rotation", "ROTATION").replace("End Site", "END SITE").replace("HIERARCHY", "Hierarchy"),
        WALKER.replace("0.5 90.5", "\n0.5 90.5"),
    ],
    ids=[
        "crlf",
        "cr",
        "tabs",
        "bom",
        "blank_lines",
        "no_newline",
        "brace_on_line",
        "brace_glued",
        "one_line",
        "colons",
        "case",
        "blank_row",
    ],
)
def test_layout_does_not_matter(variant: str) -> None:
    assert_same(read(variant), read(WALKER))


def test_names_may_have_blanks_and_any_letters() -> None:
    text = (
        WALKER.replace("ROOT Hips", "ROOT Bip01").replace("Spine", "Bip01  L\tThigh").replace("Leg", "mixamorig:Füße脚")
    )
    assert read(text).names == ("Bip01", "Bip01 L Thigh", "mixamorig:Füße脚")


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("ROOT Hips", "ROOT", 2, "empty"),
        ("ROOT Hips", "JOINT Hips", 2, "expected 'ROOT' after HIERARCHY, got 'JOINT'"),
        ("ROOT Hips\n{", "ROOT Hips", 2, "is a '{' missing?"),
        ("Spine", "Hips", 6, "'Hips' again"),
        ("JOINT Leg", "JOINT Leg // the left one", 15, "comment"),
        ("JOINT Leg", "JOINT Leg\x07", 15, "control character"),
        ("JOINT Leg", "JOINT " + "x" * 1001, 15, "expected a name"),
        ("OFFSET 0 10 0", "OFFSET 0 10", 9, "expected a decimal number up to 1e+12, got 'CHANNELS'"),
        ("OFFSET 0 10 0", "OFFSET 0 ten 0", 8, "'ten'"),
        ("OFFSET 0 10 0", "OFFSET 0 1e999 0", 8, "'1e999'"),
        ("OFFSET 0 10 0", "OFFSET 0 nan 0", 8, "'nan'"),
        ("OFFSET 0 10 0", "OFFSET 0 " + "1" * 101 + "e-90 0", 8, "expected a decimal number"),
        ("    OFFSET 0 10 0\n", "", 8, "expected 'OFFSET' in joint 'Spine', got 'CHANNELS'"),
        ("OFFSET 8 -5 0", "OFFSET 8 -5 0 1", 17, "expected 'CHANNELS' in joint 'Leg', got '1'"),
        ("CHANNELS 6", "CHANNELS 7", 5, "0 to 6, got 7"),
        ("CHANNELS 6", "CHANNELS -1", 5, "'-1'"),
        (
            "CHANNELS 6",
            "CHANNELS 5",
            5,
            "expected JOINT, End Site or '}' inside joint 'Hips', got 'Xrotation'",
        ),
        ("Xposition", "Yposition", 5, "each channel once, got 'Yposition' twice"),
        ("Xposition", "Wposition", 5, "got 'Wposition' as number 1"),
        ("End Site", "End Sight", 10, "expected 'Site' after End in joint 'Spine', got 'Sight'"),
        ("      OFFSET 0 15 0\n", "", 12, "expected 'OFFSET' in the End Site of joint 'Spine'"),
        ("OFFSET 0 15 0", "OFFSET 0 15 0 CHANNELS 0", 12, "expected '}'"),
        ("}\nMOTION", "MOTION", 20, "inside joint 'Hips', got 'MOTION'"),
        ("}\nMOTION", "}}\nMOTION", 20, "expected MOTION after the root's closing brace, got '}'"),
        ("MOTION", "ROOT Other { OFFSET 0 0 0 CHANNELS 0 }\nMOTION", 21, "second ROOT"),
        ("Frames: 2", "Frames: two", 22, "'two'"),
        ("Frames: 2", "Frames: 2.0", 22, "'2.0'"),
        ("Frames: 2", "Frames: -2", 22, "'-2'"),
        ("Frames: 2", "Frames: 3", 26, "expected 3 frames, as declared by Frames:, got 2"),
        ("Frames: 2", "Frames: 1", 25, "expected the end of the file after 1 frame, as"),
        ("Frames: 2", "Frames: 0", 24, "expected the end of the file after 0 frames"),
        ("Frames: 2", "Frames: 2000000000", 22, "room for"),
        ("Frame Time: 0.0333333", "Frame Time: 0", 23, "at least 1e-06 seconds, got 0"),
        ("Frame Time: 0.0333333", "Frame Time: -0.03", 23, "got -0.03"),
        ("Frame Time: 0.0333333", "Frame Time: inf", 23, "'inf'"),
        (
            "Frame Time: 0.0333333",
            "Frame Time: 0.03 s",
            23,
            "expected the end of the line after Frame Time, got 's'",
        ),
        ("Frame Time: 0.0333333\n", "", 23, "expected 'Frame'"),
        ("-6\n", "-6 7\n", 24, "declares 12 channels, frame 1 has more"),
        (" -6\n", "\n", 24, "declares 12 channels, frame 1 has 11 values"),
        (" -6.5\n", "", 25, "declares 12 channels, frame 2 has 11 values"),
        ("90.5", "90,5", 25, "frame 2: expected a decimal number up to 1e+12, got '90,5'"),
        ("90.5", "nan", 25, "'nan'"),
        ("90.5", "1e13", 25, "'1e13'"),
        ("0.5 90.5", "# second\n0.5 90.5", 25, "'#'"),
    ],
)
def test_a_fault_is_refused_with_its_line(old: str, new: str, line: int, says: str) -> None:
    assert old in WALKER
    for end in ("\n", "\r\n", "\r"):
        error = refuse(WALKER.replace(old, new, 1).replace("\n", end))
        assert says in str(error)
        assert error.line == line


@pytest.mark.parametrize(
    "data", [b"", b" \r\n", b"\x00" * 100, b"\xff\xfe" + WALKER.encode("utf-16-le"), bytes(range(256))]
)
def test_what_is_no_text_is_refused(data: bytes) -> None:
    assert refuse(data).line is not None


def test_names_that_are_not_utf8_are_refused() -> None:
    assert "UTF-8" in str(refuse(WALKER.replace("Leg", "F\u00fc\u00dfe").encode("latin-1")))


def test_every_beginning_of_a_file_is_refused() -> None:
    data = WALKER.rstrip().encode()
    end_of_number = len(data) - len("-6.5")
    for length in range(end_of_number + 1):
        refuse(data[:length])


def test_a_file_may_have_no_frames() -> None:
    motion = read(WALKER.partition("Frames")[0] + "Frames: 0\nFrame Time: 0.01\n")
    assert motion.root_position.shape == (0, 3)
    assert motion.rotations.shape == (0, 3, 4)
    assert motion.frame_count == 0


def test_a_root_without_position_channels_stays_at_its_offset() -> None:
    motion = read(one_joint("Zrotation", "90", "0"))
    np.testing.assert_array_equal(motion.root_position, [[1, 2, 3], [1, 2, 3]])
    half = math.sqrt(0.5)
    expected = np.array([[half, 0.0, 0.0, half], [1.0, 0.0, 0.0, 0.0]])
    np.testing.assert_allclose(motion.rotations[:, 0], expected, atol=1e-15)


def test_single_position_channels_replace_single_axes_and_may_stand_anywhere() -> None:
    motion = read(one_joint("Yrotation Zposition Xrotation Xposition", "10 7 20 8"))
    np.testing.assert_array_equal(motion.root_position, [[8, 2, 7]])
    assert motion.rotation_orders == ("YX",)
    expected = Rotation.from_euler("YX", [10, 20], degrees=True).as_quat(scalar_first=True)
    np.testing.assert_allclose(motion.rotations[0, 0], expected, atol=1e-15)


def test_a_joint_without_channels_does_not_turn() -> None:
    motion = read(two_joints("Xrotation", "180"))
    assert motion.rotation_orders == ("", "X")
    np.testing.assert_allclose(motion.rotations[0], [[1, 0, 0, 0], [0, 1, 0, 0]], atol=1e-15)


def test_without_any_channels_there_are_no_frames() -> None:
    hierarchy = "HIERARCHY ROOT A { OFFSET 0 0 0 CHANNELS 0 } MOTION Frames: "
    assert read(hierarchy + "0\nFrame Time: 1\n").frame_count == 0
    assert "in a file without channels" in str(refuse(hierarchy + "3\nFrame Time: 1\n\n\n\n"))


def test_an_end_site_of_no_length_is_no_tip_and_a_joint_may_have_several() -> None:
    sites = "End Site { OFFSET 0 0 0 } End Site { OFFSET 1 0 0 } End Site { OFFSET 2 0 0 }"
    motion = read(f"HIERARCHY ROOT A {{ OFFSET 0 0 0 CHANNELS 0 {sites} }} MOTION Frames: 0\nFrame Time: 1\n")
    np.testing.assert_array_equal(motion.tip_joints, [0, 0])
    np.testing.assert_array_equal(motion.tip_offsets, [[1, 0, 0], [2, 0, 0]])


def test_position_channels_of_a_joint_replace_its_offset() -> None:
    motion = read(two_joints("Xposition Yposition Zposition", "1 6 0", "1 6 0"))
    np.testing.assert_array_equal(motion.offsets[1], [1, 6, 0])
    assert motion.notes == ()


def test_bones_that_stretch_keep_their_median_and_a_note_says_by_how_much() -> None:
    motion = read(two_joints("Yposition", "5", "5", "5.5", "4.75", "5"))
    np.testing.assert_array_equal(motion.offsets[1], [0, 5, 0])
    (note,) = motion.notes
    assert "bones of 1 joint change length by up to 0.5 units (joint 'B')" in note


def test_position_channels_of_zero_leave_the_offset_alone_and_a_note_says_so() -> None:
    motion = read(two_joints("Xposition Yposition Zposition", "0 0 0", "0 0.000 0"))
    np.testing.assert_array_equal(motion.offsets[1], [0, 5, 0])
    assert motion.notes == ("position channels of 1 joint are 0 throughout; OFFSET is used",)
    assert read(two_joints("Yposition", "0", offset="3 0 0")).notes == ()


def chain(depth: int, channels: str = "CHANNELS 1 Zrotation") -> str:
    opening = " ".join(f"JOINT J{i} {{ OFFSET 0 1 0 {channels}" for i in range(1, depth))
    return f"HIERARCHY ROOT J0 {{ OFFSET 0 0 0 CHANNELS 1 Zrotation {opening} {'}' * depth} MOTION\n"


def test_depth_is_no_matter_up_to_the_limit() -> None:
    row = " ".join(["0"] * 10_000)
    motion = read(chain(10_000) + f"Frames: 1\nFrame Time: 1\n{row}\n")
    assert len(motion.names) == 10_000
    np.testing.assert_array_equal(motion.parents, np.arange(-1, 9_999))
    for depth in (10_001, 100_000):
        text = chain(depth)
        start = time.perf_counter()
        assert "at most 10000 joints" in str(refuse(text))
        assert time.perf_counter() - start < 2.0


def test_end_sites_are_limited_too() -> None:
    sites = "End Site{OFFSET 1 0 0}" * 10_001
    assert "at most 10000 End Sites" in str(refuse(f"HIERARCHY ROOT A {{ OFFSET 0 0 0 CHANNELS 0 {sites} }}"))


def test_a_declared_frame_count_alone_costs_neither_time_nor_memory() -> None:
    read(WALKER)  # compiles
    text = one_joint("Xrotation Yrotation Zrotation", "0 0 0").replace("Frames: 1", "Frames: 40000000")
    seconds = []
    for _ in range(5):  # any of them may have to wait for the machine
        start = time.perf_counter()
        refuse(text)
        seconds.append(time.perf_counter() - start)
    tracemalloc.start()
    refuse(text)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert min(seconds) < 0.1
    assert peak < 1_000_000


def test_joints_without_channels_cannot_blow_up_a_file() -> None:
    joints = " ".join(f"JOINT J{i} {{ OFFSET 0 1 0 CHANNELS 0 }}" for i in range(1, 1000))
    head = f"HIERARCHY ROOT J0 {{ OFFSET 0 0 0 CHANNELS 1 Zrotation {joints} }} MOTION\n"
    assert "in proportion to the file" in str(refuse(head + "Frames: 20000\nFrame Time: 1\n" + "0\n" * 20_000))
    assert read(head + "Frames: 200\nFrame Time: 1\n" + "0\n" * 200).frame_count == 200


def test_one_long_line_is_refused_within_the_memory_of_the_file() -> None:
    data = one_joint("Xrotation", "0").encode() + b" 0" * 2_000_000
    tracemalloc.start()
    refuse(data)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < len(data)


def test_bvhio_reads_the_same_motion(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it imports a name that its own dependency deprecates
        import bvhio
    file = tmp_path / "walker.bvh"
    file.write_text(WALKER.replace("  }\n}\nMOTION", "    End Site\n    {\n      OFFSET 0 1 0\n    }\n  }\n}\nMOTION"))
    ours = read_bvh(file.read_bytes())
    theirs = bvhio.readAsBvh(str(file))
    for joint, (node, _, _) in enumerate(theirs.Root.layout()):
        assert node.Name == ours.names[joint]
        for frame in range(2):
            q = node.Keyframes[frame].Rotation
            assert abs(np.dot([q.w, q.x, q.y, q.z], ours.rotations[frame, joint])) == pytest.approx(1.0, abs=1e-6)


CHANNEL_NAMES = [f"{axis}{kind}" for kind in ("position", "rotation") for axis in "XYZ"]


@st.composite
def written_files(draw: st.DrawFn) -> tuple[str, list[tuple[int, list[str]]], list[list[float]]]:
    """A BVH text in a random layout, its joints as (depth, channel names), and its rows."""
    joints: list[tuple[int, list[str]]] = []
    for place in range(draw(st.integers(1, 8))):
        depth = draw(st.integers(1, joints[-1][0] + 1)) if place else 0
        shuffled = draw(st.permutations(CHANNEL_NAMES))
        joints.append((depth, shuffled[: draw(st.integers(0, 6))]))
    width = sum(len(channels) for _, channels in joints)
    row = st.lists(st.floats(-720, 720).map(lambda value: round(value, 4)), min_size=width, max_size=width)
    rows = draw(st.lists(row, max_size=4)) if width else []
    gap, end = draw(st.sampled_from([" ", "\t", "  \t"])), draw(st.sampled_from(["\n", "\r\n", " \n\n"]))
    words, open_depths = ["HIERARCHY"], list[int]()
    for place, (depth, channels) in enumerate(joints):
        while open_depths and open_depths[-1] >= depth:
            words.append("}")
            open_depths.pop()
        open_depths.append(depth)
        words += ["JOINT" if place else "ROOT", f"J{place}", "{", "OFFSET", str(place), "0", "0.5"]
        words += ["CHANNELS", str(len(channels)), *channels]
    words += ["}"] * len(open_depths) + ["MOTION"]
    lines = [
        gap.join(words),
        f"Frames: {len(rows)}",
        "Frame Time: .25",
        *(gap.join(map(repr, row)) for row in rows),
    ]
    return end.join(lines) + end, joints, rows


@settings(deadline=None)
@given(written_files())
def test_any_hierarchy_and_any_channels_are_read(
    written: tuple[str, list[tuple[int, list[str]]], list[list[float]]],
) -> None:
    text, joints, rows = written
    motion = read(text)
    assert motion.names == tuple(f"J{place}" for place in range(len(joints)))
    depths = [0] * len(joints)
    for joint, parent in enumerate(motion.parents.tolist()):
        depths[joint] = depths[parent] + 1 if parent >= 0 else 0
    assert depths == [depth for depth, _ in joints]
    for frame, row in enumerate(rows):
        values = iter(row)
        for joint, (_, channels) in enumerate(joints):
            named = {name: next(values) for name in channels}
            turns = [name for name in channels if name.endswith("rotation")]
            order = "".join(name[0] for name in turns)
            assert motion.rotation_orders[joint] == order
            expected = (
                Rotation.from_euler(order, [named[name] for name in turns], degrees=True)
                if turns
                else Rotation.identity()
            )
            got = Rotation.from_quat(motion.rotations[frame, joint], scalar_first=True)
            assert (got * expected.inv()).magnitude() < 1e-7
            if joint == 0:
                place = [named.get(f"{axis}position", rest) for axis, rest in zip("XYZ", (0, 0, 0.5), strict=True)]
                np.testing.assert_array_equal(motion.root_position[frame], place)


@settings(deadline=None)
@given(st.binary(max_size=300), st.integers(0, len(WALKER)), st.integers(0, 40))
def test_any_bytes_are_read_or_refused(noise: bytes, place: int, length: int) -> None:
    for data in (noise, WALKER.encode()[:place] + noise[:length] + WALKER.encode()[place + length :]):
        with contextlib.suppress(BvhError):
            read(data)
