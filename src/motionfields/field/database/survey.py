"""What is known of motion files before any of them becomes states: how many there will be, and where each floor is."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from motionfields.field.database.bodies import Bodies, Change
from motionfields.field.database.building import Bones, BuildSettings, check_bones, common_bones
from motionfields.field.database.columns import ClipColumns
from motionfields.motion.clip import Clip, LoadReport
from motionfields.motion.contact_labels import ContactLabels
from motionfields.motion.formats.loading import LoadOptions, clip_from_bytes, iter_files


@dataclass(frozen=True, eq=False)
class Recipe:
    """All that decides what motion files become."""

    settings: BuildSettings = field(default_factory=BuildSettings)
    options: LoadOptions = field(default_factory=LoadOptions)
    target: Clip | None = None  # a clip of the body that all others are brought to; None: they share a skeleton
    names: Mapping[str, str] = field(default_factory=dict)  # joints of the clips and of the target, see `retarget`
    columns: ClipColumns = field(default_factory=ClipColumns)  # by the paths of files


class StreamedClip(NamedTuple):
    """What is known of one motion file after a build."""

    report: LoadReport
    change: Change | None  # what bringing it to another body did


class SurveyedFile(NamedTuple):
    """What is known of one motion file before."""

    path: str
    sha256: str
    state_count: int  # with its mirror image
    body: int  # its number in `Bodies`


class Survey:
    """Looks at every file once, and then knows the skeleton and the floor that all are brought to."""

    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe
        self.bodies = None if recipe.target is None else Bodies(recipe.target, recipe.names)
        self._bones: Bones | None = None

    @property
    def bones(self) -> Bones:
        """The skeleton of the database, known after `run`."""
        assert self._bones is not None
        return self._bones

    def run(self, sources: Iterable[str | Path], on_progress: Callable[[str], None]) -> list[SurveyedFile]:
        """The files of `sources`, in order."""
        found: list[SurveyedFile] = []
        for source in sources:
            for path, read in iter_files(source):
                data = read()
                clip = clip_from_bytes(data, path, **self.recipe.options)
                found.append(self._surveyed(clip, path, hashlib.sha256(data).hexdigest()))
                on_progress(f"looking at clips: {len(found)}")
        self._check_given([file.path for file in found])
        return found

    def _check_given(self, paths: list[str]) -> None:
        """ValueError for labels or columns of files that are not among `paths`."""
        self.recipe.columns.check_clips(paths, ordered=False)
        if isinstance(self.recipe.settings.contacts, ContactLabels):
            self.recipe.settings.contacts.check_used(paths)

    def _surveyed(self, clip: Clip, path: str, sha256: str) -> SurveyedFile:
        settings = self.recipe.settings
        body = 0 if self.bodies is None else self.bodies.survey(clip)
        if self._bones is None:
            skeleton = clip.skeleton if self.bodies is None or body == 0 else self.bodies.target
            self._bones = common_bones(skeleton, clip.name, mirrored=settings.mirrored)
        elif self.bodies is None:
            check_bones(clip, self._bones)
        state_count = round(clip.duration * settings.frame_rate) * (2 if settings.mirrored else 1)
        return SurveyedFile(path, sha256, state_count, body)

    def prepared(self, data: bytes, path: str) -> tuple[Clip, StreamedClip]:
        """The clip in the bytes of a file, on the common skeleton, and what is known of it."""
        clip = clip_from_bytes(data, path, **self.recipe.options)
        assert clip.report is not None
        if self.bodies is None:
            return clip, StreamedClip(clip.report, None)
        brought = self.bodies.brought(clip)
        return brought.clip, StreamedClip(clip.report, brought.change)

    def lift(self, body: int) -> float:
        """By how many metres the floor of a body is raised."""
        return 0.0 if self.bodies is None else self.bodies.lift(body)
