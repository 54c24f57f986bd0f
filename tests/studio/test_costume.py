"""A character of one's own in the studio: how joints drive it, what pages fetch, and the page in a browser."""

from __future__ import annotations

import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import replace

import msgspec
import numpy as np
import pytest

from motionfields.base.arrays import FloatArray
from motionfields.base.errors import SkeletonError
from motionfields.base.geometry import quat_multiply, quat_rotate
from motionfields.control.controller import FieldController
from motionfields.motion.body import find_body
from motionfields.motion.clip import Clip, rescale
from motionfields.motion.clip.retargeting import transfer
from motionfields.motion.formats import Character, read_character
from motionfields.studio import Access, Session, StudioServer, costume_messages, listen
from motionfields.studio import messages as m
from motionfields.studio.costume import Costume
from tests.motion.formats.characters import character_file, renamed, walk_clip
from tests.studio.conftest import Running


@pytest.fixture(scope="module")
def walk() -> Clip:
    return walk_clip()


@pytest.fixture(scope="module")
def hero(walk: Clip) -> Character:
    """A taller body with the names of VRM, in a file with rolled bones in centimetres."""
    return made(walk, 1.2)


@pytest.fixture(scope="module")
def long_thighs(walk: Clip) -> Character:
    """The same with thighs that are longer than its shanks by 2 cm more."""
    return made(walk, 1.2, longer=0.01)


def made(walk: Clip, size: float, *, longer: float = 0.0) -> Character:
    skeleton = renamed(rescale(walk, size).skeleton, "VRM")
    offsets = skeleton.offsets.copy()
    for leg in find_body(skeleton).legs:
        for joint, change in ((leg.knee, longer), (leg.ankle, -longer)):
            offsets[joint] *= 1.0 + change / np.linalg.norm(offsets[joint])
    data = character_file(replace(skeleton, offsets=offsets), unit=0.01, rolled=True, textured=True)
    return read_character(data, path="hero.glb")


def posed(costume: costume_messages.Costume, positions: FloatArray, rotations: FloatArray) -> FloatArray:
    """The joints [joint, 3] as the page places them before it bends the legs, for one pose of the plain body."""
    count = len(costume.parents)
    places, turns = np.zeros((count, 3)), np.tile([1.0, 0.0, 0.0, 0.0], (count, 1))
    for joint, parent in enumerate(costume.parents):
        x, y, z, w = costume.turns[joint]
        if costume.sources[joint] >= 0:
            turns[joint] = quat_multiply(rotations[costume.sources[joint]], np.array([w, x, y, z]))
        elif parent >= 0:
            turns[joint] = turns[parent]
        if parent >= 0:
            places[joint] = places[parent] + quat_rotate(turns[parent], np.array(costume.offsets[joint]))
    shift = positions[list(costume.source_hips)].mean(axis=0) - places[list(costume.hips)].mean(axis=0)
    return np.asarray(places + shift)


def test_the_page_poses_a_character_as_retargeting_does_without_the_feet(walk: Clip, hero: Character) -> None:
    costume = Costume.of(hero, walk.skeleton).message
    assert costume.size == pytest.approx(1.0 / 1.2)
    world = walk.world()
    carried = transfer(walk, hero.skeleton).carried.world().positions * costume.size
    for frame in (0, 13, 39):
        page = posed(costume, world.positions[frame], world.rotations[frame])
        np.testing.assert_allclose(page, carried[frame], atol=1e-6)
        np.testing.assert_allclose(page, world.positions[frame], atol=1e-4)  # equal proportions: equal places


def test_the_mesh_for_pages_is_that_of_the_character(walk: Clip, hero: Character) -> None:
    mesh = msgspec.msgpack.decode(Costume.of(hero, walk.skeleton).mesh, type=costume_messages.CostumeMesh)
    [surface] = mesh.surfaces
    places = np.frombuffer(surface.positions, "<f4").reshape(-1, 3)
    np.testing.assert_allclose(places, hero.surfaces[0].positions, atol=1e-5)
    np.testing.assert_array_equal(np.frombuffer(surface.joints, "<u2").reshape(-1, 4), hero.surfaces[0].joints)
    np.testing.assert_array_equal(np.frombuffer(surface.triangles, "<u4").reshape(-1, 3), hero.surfaces[0].triangles)
    [material] = mesh.materials
    assert (material.color_image, material.normal_image, material.unlit) == (0, -1, False)
    assert material.roughness == pytest.approx(0.7)
    assert mesh.images[0].data == hero.looks.images[0].data


def test_a_character_without_matching_legs_is_refused(walk: Clip, hero: Character) -> None:
    other = replace(walk.skeleton, names=tuple(f"x{n}" for n in range(walk.skeleton.joint_count)))
    with pytest.raises(SkeletonError, match="no joint of the clip matches"):
        Costume.of(hero, other)


@pytest.fixture(scope="module")
def dressed(controllers: list[FieldController], long_thighs: Character) -> Iterator[Running]:
    def prepare(_: object) -> Session:
        session = Session(controllers)
        session.costume = Costume.of(long_thighs, controllers[0].field.database.skeleton)
        return session

    with listen("127.0.0.1", 0) as listening:
        server = StudioServer(prepare, Access.on("127.0.0.1", listening.getsockname()[1]))
        with server.running(listening):
            yield Running(server)


def fetched(url: str) -> bytes:
    with urllib.request.urlopen(url, timeout=60) as answer:
        data: bytes = answer.read()
        return data


def test_pages_fetch_the_costume_and_takes_wear_it(dressed: Running, hero: Character) -> None:
    costume = dressed.ask(lambda session: session.costume)
    assert fetched(f"{dressed.url}costume.msgpack") == costume.mesh
    assert dressed.ask(Session.hello).costume == costume.message
    dressed.ask(lambda session: session.apply(m.Take(on=True)))
    dressed.ask(lambda session: [session.tick() for _ in range(20)])
    dressed.ask(lambda session: session.apply(m.Take(on=False)))
    back = read_character(fetched(f"{dressed.url}take.glb"))
    assert back.skeleton.names == hero.skeleton.names
    assert back.vertex_count == hero.vertex_count


def test_without_a_costume_there_is_nothing_to_fetch(studio: Running) -> None:
    assert studio.ask(Session.hello).costume is None
    with pytest.raises(urllib.error.HTTPError, match="404"):
        fetched(f"{studio.url}costume.msgpack")


def test_the_page_shows_the_character_in_place_of_the_plain_body(dressed: Running) -> None:
    pytest.importorskip("playwright", reason="needs playwright, which the extra dev installs")
    from playwright.sync_api import sync_playwright

    from studio_page import CHROMIUM, FLAGS
    from tests.studio.opened import Opened

    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine: install the package chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        opened = Opened(browser, dressed)
        opened.until(lambda: opened.page.evaluate("() => window.studio.view.actors?.costumes?.group.visible === true"))
        dressed.ask(lambda session: setattr(session, "paused", True))
        opened.until(lambda: opened.page.evaluate("() => !window.studio.view.actors.bodies.group.visible"))
        # The middle of the hips is where that of the plain body is, on the page itself.
        apart = opened.page.evaluate(
            """() => {
              const { world, costumes, hello } = window.studio.view.actors;
              const middle = (joints, at) => joints.map(at).reduce((sum, place) => sum.map((x, k) => x + place[k] / 2),
                [0, 0, 0]);
              const plain = (joint) => Array.from(world.places.slice(3 * joint, 3 * joint + 3));
              const own = (joint) => costumes.dressed[0].bones[joint].matrixWorld.elements.slice(12, 15);
              const [a, b] = [middle(hello.costume.source_hips, plain), middle(hello.costume.hips, own)];
              return Math.hypot(...a.map((x, k) => x - b[k]));
            }"""
        )
        assert apart < 1e-6
        # The feet are where those of the plain body are, although thighs and shanks differ.
        off = opened.page.evaluate(
            """() => {
              const { world, costumes, hello } = window.studio.view.actors;
              const own = (joint) => costumes.dressed[0].bones[joint].matrixWorld.elements.slice(12, 15);
              const plain = (joint) => Array.from(world.places.slice(3 * joint, 3 * joint + 3));
              return hello.costume.legs.map(({ ankle, source_ankle, source_toe, stretch }) => {
                const [heel, toe] = [plain(source_ankle), plain(source_toe)];
                return Math.hypot(...own(ankle).map((x, k) => x - toe[k] - stretch * (heel[k] - toe[k])));
              });
            }"""
        )
        assert max(off) < 2e-3  # a straight leg may be a millimetre too short
        opened.close()
        browser.close()
