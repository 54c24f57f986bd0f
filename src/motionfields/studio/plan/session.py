"""Planning behind the page: motions to goals and along strokes, and replaced stretches. It uses no threads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from motionfields.authoring.plan import Plan, SearchView, StepGraph, iter_alternatives, replan
from motionfields.authoring.sketch import Sketch, Stroke, format_sketch, parse_sketch, sketch
from motionfields.base.arrays import FloatArray, IntArray
from motionfields.base.errors import PlanError
from motionfields.base.world import Room, format_room, parse_room
from motionfields.motion.body import find_body
from motionfields.motion.clip import Clip
from motionfields.motion.skeleton import Skeleton
from motionfields.studio.character import character_fields
from motionfields.studio.messages import VERSION
from motionfields.studio.plan import messages as p
from motionfields.studio.plan.limits import limits_of_plan, limits_of_sketch
from motionfields.studio.reasons import packed_roots, packed_rotations
from motionfields.studio.shelf import Shelf

WIDTH = 200  # states of the beam of sketches: a draft within seconds
ROOM = Room((-5.0, -2.0, 5.0, 8.0))  # to start with
MOST_SHOWN = 12_000  # places of a search in one message
SPACE = 0.4  # metres of clearance beyond the body at the first start and goal

Watch: TypeAlias = Callable[[int, SearchView], None]  # rank of the plan that is sought, and the search


@dataclass(frozen=True)
class Shown:
    """A motion on the page: a plan, or a sketch."""

    clip: Clip
    plan: Plan | None = None


class PlanSession:
    """Motions of one step graph for the goals and strokes of its pages; `room` is the one that pages start with."""

    def __init__(
        self, graph: StepGraph, *, room: Room = ROOM, title: str = "motionfields", sketch_width: int = WIDTH
    ) -> None:
        self.graph = graph
        self.room = room
        self.title = title
        self._width = sketch_width
        self._character = character_fields(graph.field.database)
        self._shelf: Shelf[Shown] = Shelf()

    def warm(self) -> None:
        """Compile the searches with short motions, so that the first request is not late."""
        try:
            list(iter_alternatives(self.graph, (0.0, 1.0), count=1, most_expansions=1))
            sketch(self.graph, [Stroke.on_ground(np.array([(0.0, 0.0), (0.0, 1.0)]))], width=2)
        except PlanError:
            pass  # sparse data may have no such motion, but everything is compiled

    def scene(self) -> p.PlanScene:
        """Return the first message for a page: the character and the room."""
        database = self.graph.field.database
        start, goal = first_places(self.room)
        return p.PlanScene(
            version=VERSION,
            title=self.title,
            frame_time=database.frame_time,
            room=format_room(self.room).decode(),
            start=start,
            goal=goal,
            drawable=drawable_joints(database.skeleton),
            **self._character,  # type: ignore[arg-type]
        )

    def motions(self, asked: p.ToPlanner, watch: Watch) -> Iterator[p.Planned]:
        """Yield the motions that `asked` asks for, the cheapest first; `watch` sees the searches of plans."""
        room = parse_room(asked.room.encode(), path="room")
        if isinstance(asked, p.Draw):
            yield self._sketched(asked, room)
        elif isinstance(asked, p.Redraw):
            yield self._planned(asked, self._redrawn(asked, room, watch), 0)
        else:
            rank = 0

            def see(view: SearchView) -> None:
                watch(rank, view)

            found = iter_alternatives(
                self.graph,
                asked.to,
                count=asked.count,
                facing=asked.facing,
                start=asked.start,
                start_facing=asked.start_facing,
                through=asked.through,
                room=room,
                within=asked.within,
                watch=see,
            )
            for one in found:
                yield self._planned(asked, one, rank)
                rank += 1

    def motion(self, number: int) -> Shown | None:
        """Return the motion `number`; None if it is not kept any more."""
        return self._shelf.get(number)

    def _redrawn(self, asked: p.Redraw, room: Room, watch: Watch) -> Plan:
        old = self.motion(asked.number)
        if old is None or old.plan is None:
            raise ValueError("number: this motion is no plan, or not kept any more; plan it again")
        return replan(
            self.graph,
            old.plan,
            (asked.begin, min(asked.end, old.clip.duration)),
            through=asked.through,
            room=room,
            within=asked.within,
            watch=lambda view: watch(0, view),
        )

    def _planned(self, asked: p.ToPlanner, found: Plan, rank: int) -> p.Planned:
        return p.Planned(
            revision=asked.revision,
            rank=rank,
            number=self._shelf.add(Shown(found.clip, found)),
            **self._frames(found.clip, found.rows),
            cost=found.cost,
            bound=found.bound,
            step_count=len(found.steps),
            clearance=found.clearance,
            fits=[],
            strokes="",
            limits=limits_of_plan(found),
        )

    def _sketched(self, asked: p.Draw, room: Room) -> p.Planned:
        strokes = parse_sketch(asked.strokes.encode(), path="strokes")
        found: Sketch = sketch(self.graph, strokes, room=room, width=self._width)
        return p.Planned(
            revision=asked.revision,
            rank=0,
            number=self._shelf.add(Shown(found.clip)),
            **self._frames(found.clip, found.rows),
            cost=found.cost,
            bound=None,
            step_count=len(found.steps),
            clearance=found.clearance,
            fits=[p.FitInfo(*fit) for fit in found.fits],
            strokes=format_sketch(found.strokes).decode(),
            limits=limits_of_sketch(found, room),
        )

    def _frames(self, clip: Clip, rows: IntArray) -> dict[str, bytes]:
        contacts = self.graph.field.database.contacts[rows]
        return {
            "roots": packed_roots(clip.root_position),
            "rotations": packed_rotations(clip.rotations),
            "planted": contacts.astype(np.uint8).tobytes(),
        }


def first_places(room: Room) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return a start and a goal to begin with: the origin, if it is clear, and a clear place far ahead."""
    x0, z0, x1, z1 = room.bounds
    xs, zs = np.linspace(x0, x1, 41)[1:-1], np.linspace(z0, z1, 41)[1:-1]
    places = np.stack(np.meshgrid(xs, zs), axis=-1).reshape(-1, 2)
    clear = places[room.clearance(places) >= min(room.radius + SPACE, room.clearance(places).max())]
    start = np.zeros(2)
    if room.clearance(start) < room.radius + 0.1:
        start = clear[0]
    away = clear - start
    goal = clear[np.argmax(away[:, 1] - np.abs(away[:, 0]))]  # rather ahead than to the side
    (x, z), (a, b) = np.round(start, 2).tolist(), np.round(goal, 2).tolist()
    return (x, z), (a, b)


def drawable_joints(skeleton: Skeleton) -> list[int]:
    """Return the joints that strokes are usually drawn for: root, head, hands and feet."""
    body = find_body(skeleton)
    arms = [arm.wrist for arm in (body.left_arm, body.right_arm) if arm is not None]
    head = [] if body.head is None else [body.head]
    return [0, *head, *arms, *(leg.ankle for leg in body.legs)]


def seen_places(view: SearchView) -> tuple[bytes, bytes]:
    """Return the open and closed places of a search as float32 bytes [n, 2], some of them if there are many."""
    open_places, closed_places = view.reached()
    return _packed(open_places), _packed(closed_places)


def _packed(places: FloatArray) -> bytes:
    stride = max(1, -(-len(places) // MOST_SHOWN))
    return places[::stride].astype("<f4").tobytes()
