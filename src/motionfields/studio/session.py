"""The simulation behind the studio's page: characters, their commands, and a history of the last half minute.

It uses no threads and no sockets: the caller hands in messages with `apply` and gets one frame from each `tick`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, singledispatchmethod
from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np

from motionfields.base.arrays import FloatArray
from motionfields.base.compiled import numba_is_installed
from motionfields.base.errors import MissingExtraError, MotionFieldsError
from motionfields.base.geometry import quat_normalize
from motionfields.base.world import Room, Start, World
from motionfields.field.database import copied
from motionfields.motion.clip import Clip
from motionfields.runtime import Controller, Crowd
from motionfields.runtime import Frame as CrowdFrame
from motionfields.runtime.follower import DisplayPose
from motionfields.studio import messages as m
from motionfields.studio.cast import Cast
from motionfields.studio.character import character_fields
from motionfields.studio.costume import Costume
from motionfields.studio.history import History, Moment
from motionfields.studio.live import LiveFigures, source_means
from motionfields.studio.reasons import packed_roots, packed_rotations, reasons
from motionfields.studio.recording import Recorder, Recording
from motionfields.studio.steering import Steering, Wish, check_commands, top_speed, yaw_over_ground
from motionfields.studio.world_mode import APART, WorldMode, can_navigate

if TYPE_CHECKING:
    from motionfields.authoring.worlds import Futures

LONGEST_PLAN = 30  # frames within which every character decides again
MOST_BALLS = 20  # in the air
FURTHEST_THROW = 50.0  # metres
FASTEST_THROW = 40.0  # m/s

Watcher = Callable[[CrowdFrame, int, float], None]
"""Function of a new frame, the selected character, and the time of the frame in seconds."""


class Session:
    """Characters that do one of several tasks on the same data.

    All `controllers` must be trained on one database; the session starts with the first.
    """

    def __init__(self, controllers: Sequence[Controller], *, title: str = "motionfields", seed: int = 0) -> None:
        self.title = title
        self.seed = seed
        self.field = controllers[0].field
        self.agilities: dict[str, float] = {}  # by task name, of controllers that were trained here
        self.controllers: dict[str, Controller] = {}  # by task name, with a number appended to duplicates
        for controller in controllers:
            self.add(controller)
        self.task = next(iter(self.controllers))  # name of the current task, a key of `controllers`
        database = self.field.database
        self.frame_time = database.frame_time
        self.history = History(round(m.HISTORY_SECONDS / self.frame_time))
        self.selected = 0
        self.paused = False
        self.speed = 1.0
        self.number = -1  # number of the newest frame
        self.watchers: list[Watcher] = []  # called with every new frame
        self.costume: Costume | None = None  # drawn by pages in place of the plain body
        self.findings: tuple[m.Finding, ...] = ()  # about the data, for pages to show
        self.ready = True  # False while the code for pushes and reasons is being compiled
        self.worlds = WorldMode()
        self._figures = LiveFigures(self.field)
        self._pushes: dict[int, tuple[m.PushState, int]] = {}  # by character: its push, and the last frame of it
        self._recorder = Recorder(database.skeleton, self.frame_time)
        self.compared: tuple[str, ...] = ()  # task names of the characters' controllers while methods are compared
        self._cast = Cast([Crowd(self.controller, 1, seed=seed)])
        self._steering = Steering(self.controller.task, self._cast.ground)
        self.tick()

    @property
    def controller(self) -> Controller:
        """Controller of the current task."""
        return self.controllers[self.task]

    @property
    def count(self) -> int:
        """Number of characters."""
        return self._cast.count

    @property
    def _crowd(self) -> Crowd:
        """Crowd of the selected character: the only one, unless methods are compared."""
        return self._cast.find(self.selected)[0]

    def add(self, controller: Controller, *, agility: float | None = None) -> str:
        """Add a controller, return its name; raise `MotionFieldsError` if it was trained on other data.

        The name is that of the task, with the `agility` that the controller was trained with here, if given.
        """
        check_commands(controller.task)
        if not np.array_equal(controller.field.database.features, self.field.database.features):
            raise MotionFieldsError(
                f"the controller for {_task_name(controller)} was trained on another field than the first; "
                "train all controllers on one field to play them together"
            )
        name = unique = _full_name(controller) + ("" if agility is None else f" (agility {agility:g})")
        number = 1
        while unique in self.controllers:
            number += 1
            unique = f"{name} {number}"
        self.controllers[unique] = controller
        if agility is not None:
            self.agilities[unique] = agility
        return unique

    def warm_pushes(self) -> None:
        """Import the physics engine, if installed, and compile the push code, so that the first push is not late."""
        if _has_engine():
            nobody = Crowd(self.controller, 1, seed=self.seed)
            nobody.push(0, 0, (1.0, 0.0, 0.0))
            nobody.step(self._steering.commands(self._crowd.ground)[:1])
            _ = self._crowd.pushes

    @cached_property
    def _character(self) -> dict[str, object]:
        """Fields of `hello` that describe the character; they never change."""
        database = self.field.database
        source = source_means(self.field)
        return {
            **character_fields(database),
            "clips": [
                m.ClipInfo(name, int(start))
                for name, start in zip(database.clip_names, database.clip_starts[:-1], strict=True)
            ],
            **{f"source_{name}": value for name, value in source._asdict().items()},
        }

    @property
    def can_push(self) -> bool:
        """Whether characters can be pushed now."""
        return self.ready and _has_engine()

    def hello(self) -> m.Hello:
        """Return the first message for a page: the character and its tasks."""
        tasks = [
            m.TaskInfo(
                name,
                list(controller.task.command_names),
                top_speed(controller.task),
                self.agilities.get(name, 0.5),
                worlds=can_navigate(controller) and numba_is_installed(),
            )
            for name, controller in self.controllers.items()
        ]
        return m.Hello(
            version=m.VERSION,
            title=self.title,
            frame_time=self.frame_time,
            tasks=tasks,
            can_push=self.can_push,
            findings=list(self.findings),
            costume=None if self.costume is None else self.costume.message,
            **self._character,  # type: ignore[arg-type]
        )

    def status(self) -> m.Status:
        """Return the state of the simulation controls."""
        return m.Status(
            task=self.task,
            count=self.count,
            selected=self.selected,
            paused=self.paused,
            speed=self.speed,
            pace=self._steering.pace,
            oldest=self.history.oldest,
            newest=self.history.newest,
            taken=len(self._recorder),
            taking=self._recorder.on,
            compared=list(self.compared),
        )

    def tick(self) -> bytes:
        """Advance by one frame and return it as an encoded message; after an error there is no such frame."""
        try:
            return self._advanced()
        except Exception:
            self.number = self.history.newest if len(self.history) else -1
            raise

    def restart(self) -> bool:
        """Replace all characters by new ones at their places, and return whether that succeeded."""
        try:
            self._cast = self._cast.started_again(seed=self.seed)
        except Exception:
            return False
        self._pushes = {}
        self._recorder.on = False
        self._figures.restart()
        self._steering.begin(self.controller.task, self._cast.ground)
        return True

    def _advanced(self) -> bytes:
        commands = self._commands()
        steered = self.worlds.steered()
        frame, decided = self._cast.step(commands)
        self.number += 1
        message = m.encode(self._frame(frame, commands))
        shown = DisplayPose(frame.root_position, frame.rotations.astype(np.float32))
        earlier = self.history.at(self.number - 1).shown if len(self.history) else shown
        self.history.add(Moment(self.number, message, shown, earlier, decided, steered))
        self._recorder.add(frame.root_position[self.selected], frame.rotations[self.selected])
        for watcher in self.watchers:
            watcher(frame, self.selected, self.number * self.frame_time)
        return message

    def _commands(self) -> FloatArray:
        """Return the commands of the next frame: of the pilot in a world, otherwise of the user."""
        if self.worlds.navigation is None:
            return self._steering.commands(self._cast.ground)
        return self.worlds.commands(self.selected, self._crowd)

    def enter(self, futures: Futures, world: World | None = None) -> None:
        """Let characters find their way through `world`, by default the last one, by the `futures` of the controller.

        If the world has starts, there is one character at each, with the goals of the world.
        """
        self._end_comparison()
        self.worlds.learn(self.task, futures, self.controller)
        if world is not None:
            self.worlds.world = world
            if world.starts:
                self._place(world.starts)
        self.worlds.start(self.task, self._crowd, seed=self.seed)
        if world is not None:
            self.worlds.set_goals(world.goals)

    def _place(self, starts: Sequence[Start]) -> None:
        """Have one character at each of `starts`."""
        if len(starts) > m.MOST_CHARACTERS:
            raise ValueError(f"world: expected at most {m.MOST_CHARACTERS} starts in the studio, got {len(starts)}")
        self._cast = Cast([self._crowd.resized(len(starts), seed=self.seed)])
        self.selected = min(self.selected, self.count - 1)
        places = np.array([(start.x, start.z) for start in starts])
        self._crowd.place(slice(None), places, np.array([start.facing for start in starts]))
        self._forget_others()

    def _forget_others(self) -> None:
        """Forget what belongs to characters of another crowd."""
        self._pushes = {who: push for who, push in self._pushes.items() if who < self.count}
        self._recorder.on = False
        self._figures.restart()
        self._steering.tell(self._steering.wish, self._cast.ground)

    def why_plan(self, number: int, character: int) -> m.PlanReasons:
        """Return the futures that `character` compared up to the frame `number`; raise ValueError if there are none."""
        from motionfields.studio.plan_reasons import plan_reasons

        for earlier in range(min(number, self.history.newest), max(self.history.oldest - 1, number - LONGEST_PLAN), -1):
            steered = self.history.at(earlier).steered
            if steered is None or character >= steered.pilot.count:
                break
            if steered.decision is not None and steered.decision.walkers.due[character]:
                return plan_reasons(number, character, earlier, steered)
        raise ValueError(f"character {character} followed no plan in frame {number}")

    def world(self) -> World:
        """Return the world of the pages, with the present places and goals of the characters if they are in it."""
        return self.worlds.saved(self._crowd)

    def crowd_clips(self) -> tuple[list[Clip], Room | None]:
        """Return the last half minute of all characters as clips, and the room around them if they are in one.

        It begins after the last change of their number.
        """
        moments = self.history.last_alike()
        root = np.stack([moment.shown.root_position for moment in moments])
        turns = quat_normalize(np.stack([moment.shown.rotations for moment in moments]).astype(np.float64))
        skeleton, seconds = self.field.database.skeleton, self.frame_time
        clips = [Clip(skeleton, root[:, i], turns[:, i], seconds, name=f"p{i + 1:03d}") for i in range(root.shape[1])]
        return clips, None if self.worlds.navigation is None else self.worlds.world.room

    def look(self, number: int) -> bytes:
        """Return the encoded frame `number`, clamped to the oldest and newest ones in the history."""
        return self.history.at(number).message

    def _check_ready(self, what: str) -> None:
        """Raise `MotionFieldsError` while the code of `what` is not compiled; using it would stop the characters."""
        if self.ready:
            return
        if not numba_is_installed():
            raise MissingExtraError("numba", extra="studio")
        raise MotionFieldsError(f"{what} will be ready in a minute: the code is being compiled (first start only)")

    def _check_character(self, character: int) -> None:
        if not character < self.count:
            raise ValueError(f"character: expected 0 to {self.count - 1}, got {character}")

    def why(self, number: int, character: int) -> m.Reasons:
        """Return the reasons of `character` for the frame `number`; raise ValueError if it was not in that frame."""
        self._check_ready("This panel")
        moment = self.history.at(number)
        decided, before = moment.decided_by(character), moment.before
        if len(before.root_position) <= character:
            before = moment.shown  # the character was added in this frame
        one = np.array([character])
        return reasons(moment.number, character, decided, (before.take(one), moment.shown.take(one)))

    def taken(self) -> Recording | None:
        """Return the last take, or None if there is none."""
        return self._recorder.taken()

    @singledispatchmethod
    def apply(self, message: m.FromClient) -> None:
        """Carry out `message`; raise ValueError or `MotionFieldsError` if that is not possible."""
        raise ValueError(f"{type(message).__name__.lower()}: not a message for the simulation")

    @apply.register
    def _(self, message: m.Steer) -> None:
        ground = self._cast.ground
        share = float(np.hypot(message.x, message.z))
        if share < 1e-3:
            if self.worlds.navigation is not None:
                self.worlds.steer(self.selected, None)
            return self._steering.let_go(ground)
        heading = float(yaw_over_ground(np.array([message.x, message.z])))
        if self.worlds.navigation is not None:
            self.worlds.steer(self.selected, (heading, min(share, 1.0) * self._steering.pace))
        return self._steering.tell(Wish("heading", heading=heading, share=min(share, 1.0)), ground)

    @apply.register
    def _(self, message: m.Go) -> None:
        if self.worlds.navigation is not None:
            return self.worlds.send(message, self.selected, self._crowd)
        return self._steering.tell(Wish("point", point=(message.x, message.z)), self._cast.ground)

    @apply.register
    def _(self, message: m.Follow) -> None:
        wish = Wish("line", heading=message.heading, point=(message.x, message.z))
        self._steering.tell(wish, self._cast.ground)

    @apply.register
    def _(self, message: m.Pace) -> None:
        self._steering.pace = min(max(message.speed, 0.0), top_speed(self.controller.task))

    @apply.register
    def _(self, message: m.Push) -> None:
        self._check_ready("Pushing")
        self._check_character(message.character)
        crowd, number = self._cast.find(message.character)
        crowd.push(number, message.joint, message.force, point=message.point, duration=message.duration)
        acting = m.PushState(message.character, message.joint, message.point, message.force)
        self._pushes[message.character] = (acting, self.number + max(1, round(message.duration / self.frame_time)))

    @apply.register
    def _(self, message: m.Throw) -> None:
        self._check_ready("Throwing")
        x, z = self._cast.ground.position[self.selected]
        if len(self._crowd.balls) >= MOST_BALLS:
            raise ValueError(f"throw: expected fewer than {MOST_BALLS} balls in the air; wait for some to land")
        if np.linalg.norm(np.array(message.position) - (x, 1.0, z)) > FURTHEST_THROW:
            raise ValueError(f"position: expected within {FURTHEST_THROW:g} m of the character")
        if np.linalg.norm(message.velocity) > FASTEST_THROW:
            raise ValueError(f"velocity: expected at most {FASTEST_THROW:g} m/s")
        self._cast.throw(message.position, message.velocity)

    @apply.register
    def _(self, message: m.Gather) -> None:
        self._end_comparison()
        if message.count != self.count:
            self._gather(message.count)

    @apply.register
    def _(self, message: m.Select) -> None:
        self._check_character(message.character)
        self.selected = message.character
        self.task = self.compared[self.selected] if self.compared else self.task
        self._recorder.on = False
        self.worlds.hand = None

    @apply.register
    def _(self, message: m.Do) -> None:
        if message.task not in self.controllers:
            raise ValueError(f"task: expected {', '.join(self.controllers)}, got {message.task[:40]!r}")
        self.worlds.leave()
        self._end_comparison()
        self.task = message.task
        self._crowd.hand_over(self.controller)
        self._steering.begin(self.controller.task, self._crowd.ground)

    @apply.register
    def _(self, message: m.Enter) -> None:
        if message.on:
            self._end_comparison()
            return self.worlds.start(self.task, self._crowd, seed=self.seed)
        self.worlds.leave()
        return self._steering.begin(self.controller.task, self._crowd.ground)

    @apply.register
    def _(self, message: m.Build) -> None:
        self.worlds.build(message.room)

    @apply.register
    def _(self, message: m.Order) -> None:
        self.worlds.order(message.what, self.selected, self._crowd)

    @apply.register
    def _(self, message: m.Compare) -> None:
        if not message.on:
            self._end_comparison()
        elif not self.compared:
            self._compare()

    @apply.register
    def _(self, message: m.Clock) -> None:
        self.paused, self.speed = message.paused, message.speed

    @apply.register
    def _(self, message: m.Step) -> None:
        self.paused = True
        self.tick()

    @apply.register
    def _(self, message: m.Take) -> None:
        if message.on:
            self._recorder.start()
        self._recorder.on = message.on

    def _frame(self, frame: CrowdFrame, commands: FloatArray) -> m.Frame:
        in_world = self.worlds.navigation is not None and self.worlds.hand is None
        goal = (self.worlds if in_world else self._steering).goal(self.selected, commands)
        self._pushes = {who: (push, until) for who, (push, until) in self._pushes.items() if until >= self.number}
        for character, hit in self._cast.hits:
            joint = int(self._crowd.pushes.body.joints[hit.segment])
            point, force = hit.point.tolist(), (hit.impulse / self.frame_time).tolist()
            self._pushes[character] = (m.PushState(character, joint, tuple(point), tuple(force)), self.number)
        names = self.controller.task.command_names
        headings = commands[:, names.index("heading")] if "heading" in names else np.full(self.count, np.nan)
        return m.Frame(
            number=self.number,
            time=self.number * self.frame_time,
            task=self.task,
            selected=self.selected,
            roots=packed_roots(frame.root_position),
            rotations=packed_rotations(frame.rotations),
            planted=frame.planted.astype(np.uint8).tobytes(),
            states=frame.states.astype("<i4").tobytes(),
            variants=frame.variants.astype(np.uint8).tobytes(),
            headings=headings.astype("<f4").tobytes(),
            goal=goal,
            balls=[m.BallState(tuple(ball.position.tolist()), ball.radius) for ball in self._crowd.balls],
            pushes=[push for push, _ in self._pushes.values()],
            figures=self._figures.measure(frame, self.selected, goal),
            walks=self.worlds.walks(),
        )

    def _compare(self) -> None:
        """Give each controller with the commands of the current one a character, side by side, in the same pose."""
        commands = self.controller.task.command_names
        names = [name for name, one in self.controllers.items() if one.task.command_names == commands]
        if len(names) < 2:
            raise ValueError("compare: expected another controller with the same commands, as of another method")
        self.worlds.leave()
        pose = self._crowd.state.take(np.array([self.selected]))
        facing = float(self._crowd.ground.facing[self.selected])
        right = np.array([-np.cos(facing), np.sin(facing)])
        crowds = []
        for place, name in enumerate(names):
            start = copied(pose)
            start.pose.root_position[:, ::2] += (place - names.index(self.task)) * APART * right
            crowds.append(Crowd(self.controllers[name], 1, seed=self.seed))
            crowds[-1].start_from(start)
        self.compared, self.selected, self._cast = tuple(names), names.index(self.task), Cast(crowds)
        self._forget_others()

    def _end_comparison(self) -> None:
        """Go on with the selected character alone, if methods are compared."""
        if not self.compared:
            return
        self._cast, self.compared, self.selected = Cast([self._crowd]), (), 0
        wish = self._steering.wish
        self._steering.begin(self.controller.task, self._cast.ground)
        self._steering.wish = wish
        self._forget_others()

    def _gather(self, count: int) -> None:
        """Resize the crowd to `count` characters, keeping the existing ones.

        New characters start around the selected one and face the same way.
        """
        kept, seed = min(count, self.count), self.seed + self.count
        self.selected = min(self.selected, count - 1)
        crowd = self._crowd.resized(count, seed=seed)
        self._cast = Cast([crowd])
        if count > kept:
            where = crowd.followers.position
            free = _free_places if self.worlds.navigation is None else self.worlds.free_places
            places = free(where[self.selected], where[:kept], count - kept)
            crowd.place(slice(kept, count), places, float(crowd.ground.facing[self.selected]))
        if self.worlds.navigation is not None:
            self.worlds.navigation.resize(count)
        self._forget_others()


def _task_name(controller: Controller) -> str:
    return type(controller.task).__name__.lower()


def _full_name(controller: Controller) -> str:
    """Return the name of the task, followed by that of the method unless it is the motion field."""
    method = type(controller).__name__.removesuffix("Controller").lower()
    return _task_name(controller) if method == "field" else f"{_task_name(controller)} ({method})"


def _has_engine() -> bool:
    """Return whether the physics engine is installed; loading it takes a second."""
    try:
        return find_spec("mujoco") is not None
    except ValueError:  # loaded, and without a description of where it came from
        return True


def _free_places(centre: FloatArray, taken: FloatArray, count: int) -> FloatArray:
    """Return grid positions [count, 2] in metres around `centre` [2], nearest first, that keep clear of `taken` [n, 2].

    The grid spacing is `APART`; positions within half of it of a taken one are left out.
    """
    reach = int(np.ceil(np.sqrt(count + len(taken)))) + 1
    side = APART * np.arange(-reach, reach + 1)
    places = centre + np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    gaps = np.linalg.norm(places[:, np.newaxis] - taken, axis=-1).min(axis=1)
    places = places[gaps > 0.5 * APART]
    order = np.argsort(np.linalg.norm(places - centre, axis=-1), kind="stable")
    return np.asarray(places[order[:count]])
