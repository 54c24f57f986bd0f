"""The survey of motion files before a build: the number of states, and the floor of each body."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from motionfields.base.errors import FormatError
from motionfields.field.database.bodies import Bodies, Change
from motionfields.field.database.building import Bones, BuildSettings, check_bones, common_bones
from motionfields.field.database.columns import ClipColumns
from motionfields.field.database.rigs import OnError, Rigs
from motionfields.motion.clip import Clip, LoadReport
from motionfields.motion.contact_labels import ContactLabels
from motionfields.motion.formats.loading import clip_from_bytes, iter_files
from motionfields.motion.formats.options import LoadOptions


@dataclass(frozen=True, eq=False)
class Recipe:
    """All settings that determine how motion files become a database."""

    settings: BuildSettings = field(default_factory=BuildSettings)
    options: LoadOptions = field(default_factory=LoadOptions)
    target: Clip | None = None  # clip of the body to retarget all others to; None if all share a skeleton
    names: Mapping[str, str] = field(default_factory=dict)  # joint names of the clips and of the target, see `retarget`
    columns: ClipColumns = field(default_factory=ClipColumns)  # keyed by file path


class StreamedClip(NamedTuple):
    """The load report of one motion file after a build, and the changes made to it."""

    report: LoadReport
    change: Change | None  # changes from retargeting to another body


class SurveyedFile(NamedTuple):
    """Facts about one motion file, known before the build."""

    path: str
    sha256: str
    state_count: int  # including its mirror image
    body: int  # its number in `Bodies`


class Survey:
    """One pass over all motion files, which finds the common skeleton and floor."""

    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe
        self.bodies = None if recipe.target is None else Bodies(recipe.target, recipe.names)
        self._bones: Bones | None = None
        self._rigs = Rigs()

    @property
    def bones(self) -> Bones:
        """The skeleton of the database, available after `run`."""
        assert self._bones is not None
        return self._bones

    def run(
        self,
        sources: Iterable[str | Path],
        on_progress: Callable[[str], None],
        on_error: OnError | None = None,
    ) -> list[SurveyedFile]:
        """Return the facts about the files of `sources`, in order.

        A file that cannot be used raises `FormatError`; with `on_error`, that function receives the error and the file
        is skipped, as are files with another skeleton than most (`Rigs`). If no file is left, the first error is
        raised.
        """
        self._rigs = Rigs()
        found: list[SurveyedFile] = []
        refused: list[FormatError] = []
        for source in sources:
            for path, read in iter_files(source):
                try:
                    data = read()
                    clip = clip_from_bytes(data, path, **self.recipe.options)
                    found.append(self._surveyed(clip, path, hashlib.sha256(data).hexdigest()))
                except FormatError as error:
                    if on_error is None:
                        raise
                    on_error(error)
                    refused.append(error)
                on_progress(f"reading clips: {len(found)}")
        if refused and not found:
            raise refused[0]
        if self.bodies is None:
            found = self._on_one_skeleton(found, on_error)
        self._check_given([file.path for file in found])
        return found

    def _check_given(self, paths: list[str]) -> None:
        """Raise ValueError for labels or columns of files that are not among `paths`."""
        self.recipe.columns.check_clips(paths, ordered=False)
        if isinstance(self.recipe.settings.contacts, ContactLabels):
            self.recipe.settings.contacts.check_used(paths)

    def _surveyed(self, clip: Clip, path: str, sha256: str) -> SurveyedFile:
        """Return the facts about one file, and record its skeleton."""
        settings, body = self.recipe.settings, 0
        if self.bodies is None:
            self._rigs.add(clip.skeleton, clip.name, path)
        else:
            body = self.bodies.survey(clip)
            if self._bones is None:
                skeleton = clip.skeleton if body == 0 else self.bodies.target
                self._bones = common_bones(skeleton, clip.name, mirrored=settings.mirrored)
        state_count = round(clip.duration * settings.frame_rate) * (2 if settings.mirrored else 1)
        return SurveyedFile(path, sha256, state_count, body)

    def _on_one_skeleton(self, found: list[SurveyedFile], on_error: OnError | None) -> list[SurveyedFile]:
        """Return the files of `found` that are used, the first of which determines the common skeleton."""
        kept = [True] * len(found) if on_error is None else self._rigs.kept(on_error)
        for member, keep in zip(self._rigs.members, kept, strict=True):
            skeleton = self._rigs.skeletons[member.rig]
            if keep and self._bones is None:
                self._bones = common_bones(skeleton, member.name, mirrored=self.recipe.settings.mirrored)
            if keep:
                check_bones(skeleton, member.name, self.bones)
        return [file for file, keep in zip(found, kept, strict=True) if keep]

    def prepared(self, data: bytes, path: str) -> tuple[Clip, StreamedClip]:
        """Return the clip in the bytes of a file, on the common skeleton, with its report and changes."""
        clip = clip_from_bytes(data, path, **self.recipe.options)
        assert clip.report is not None
        if self.bodies is None:
            return clip, StreamedClip(clip.report, None)
        brought = self.bodies.brought(clip)
        return brought.clip, StreamedClip(clip.report, brought.change)

    def lift(self, body: int) -> float:
        """Return the metres by which the floor of a body is raised."""
        return 0.0 if self.bodies is None else self.bodies.lift(body)
