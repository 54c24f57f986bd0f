"""Contact labels from a CSV file: what is read, what is refused, and what becomes of them in a database."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest

import motionfields as mf
from motionfields.base.errors import FormatError
from motionfields.motion.clip import Clip
from motionfields.motion.contact_labels import ContactInterval, ContactLabels, parse_contacts, read_contacts
from motionfields.motion.samples import generate_samples

HEADER = "file,foot,start_s,end_s\n"


@pytest.fixture(scope="module")
def clip() -> Clip:
    return generate_samples(only=["walk_forward"])[0].clip


def test_contacts_are_read_by_file_and_sorted(tmp_path: Path) -> None:
    text = "\ufeff" + HEADER + 'walk.bvh,right,0.5,1\nwalk.bvh,left,1.5,2.25\n\n"a, b.bvh",left,0,0.5\n'
    (tmp_path / "labels.csv").write_text(text, encoding="utf-8")
    labels = read_contacts(tmp_path / "labels.csv")
    assert labels.intervals == {
        "walk.bvh": (ContactInterval(0, 1.5, 2.25), ContactInterval(1, 0.5, 1.0)),
        "a, b.bvh": (ContactInterval(0, 0.0, 0.5),),
    }


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "x.csv:1: expected the header file,foot,start_s,end_s, got nothing"),
        ("walk,left,0,1\n", 'x.csv:1: expected the header file,foot,start_s,end_s, got "walk,left,0,1"'),
        (HEADER, "x.csv:1: expected at least one contact"),
        (HEADER + "w,left,0\n", "x.csv:2: expected 4 values"),
        (HEADER + "w,left,0,1\nw,both,0,1\n", 'x.csv:3: foot: expected left or right, got "both"'),
        (HEADER + " ,left,0,1\n", "x.csv:2: file: expected the name"),
        (HEADER + "w,left,-1,1\n", 'x.csv:2: start_s: expected seconds, 0 or more, got "-1"'),
        (HEADER + "w,left,0,nan\n", "x.csv:2: end_s: expected seconds"),
        (HEADER + "w,left,0,1e999\n", "x.csv:2: end_s: expected seconds"),
        (HEADER + "w,left,0,1_0\n", "x.csv:2: end_s: expected seconds"),
        (HEADER + "w,left,2,1\n", "x.csv:2: end_s: expected more than start_s, 2, got 1"),
        (HEADER + "w,left,0,2\nw,right,0,2\nw,left,1,3\n", "x.csv:4: overlaps the contact .* in line 2"),
        (HEADER + 'w,left,0,"1\n', "x.csv:2: expected CSV"),
        (HEADER + f"{'w' * 200_000},left,0,1\n", "x.csv:2: expected CSV"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text: str, reason: str) -> None:
    with pytest.raises(FormatError, match=reason):
        parse_contacts(text.encode(), path="x.csv")


def test_other_bytes_and_large_files_are_refused() -> None:
    for data, reason in ((b"\xff\xfe", "UTF-8"), (b"x" * (17 << 20), "at most 16 MB")):
        with pytest.raises(FormatError, match=reason):
            parse_contacts(data, path="x.csv")


def test_many_contacts_of_one_file_take_no_longer_than_their_number() -> None:
    rows = "".join(f"w,left,{i},{i}.5\n" for i in range(100_000))
    start = time.process_time()
    assert len(parse_contacts((HEADER + rows).encode()).intervals["w"]) == 100_000
    assert time.process_time() - start < 20.0


def test_the_longest_name_that_fits_a_path_counts() -> None:
    labels = ContactLabels({"walk.bvh": (), "b/walk.bvh": ()})
    assert labels.name_of("takes/a/walk.bvh") == "walk.bvh"
    assert labels.name_of("takes\\b\\walk.bvh") == "b/walk.bvh"
    assert labels.name_of("takes/sidewalk.bvh") is None
    with pytest.raises(ValueError, match=r"no clip was read from a file b/walk\.bvh"):
        labels.check_used(["walk.bvh"])


def test_a_contact_lasts_from_its_start_up_to_its_end(clip: Clip) -> None:
    labels = ContactLabels({"w": (ContactInterval(1, 0.5, 1.0),)})
    frames = labels.labels("w", mf.resample(clip, 30.0))
    assert np.flatnonzero(frames[:, 1]).tolist() == list(range(15, 30))
    assert not frames[:, 0].any()
    with pytest.raises(ValueError, match="begins at 1000 s, the motion ends at"):
        ContactLabels({"w": (ContactInterval(1, 1000.0, 1001.0),)}).labels("w", clip)


def test_a_database_takes_labels_for_the_clips_named_and_swaps_feet_in_mirror_images(clip: Clip) -> None:
    other = generate_samples(only=["walk_slow"])[0].clip
    labels = ContactLabels({clip.name: (ContactInterval(1, 0.5, 1.0),)})
    usual, made = mf.MotionDatabase.build([clip, other]), mf.MotionDatabase.build([clip, other], contacts=labels)
    first, second, third = made.clip_starts[:3]
    assert np.flatnonzero(made.contacts[first:second, 1]).tolist() == list(range(15, 30))
    np.testing.assert_array_equal(made.contacts[second:third], made.contacts[first:second, ::-1])
    np.testing.assert_array_equal(made.contacts[third:], usual.contacts[third:])
    np.testing.assert_array_equal(made.features, usual.features)


def test_times_count_from_the_first_frame_of_the_file(clip: Clip, tmp_path: Path) -> None:
    mf.save_clip(clip, tmp_path / "walk.bvh")
    labels = ContactLabels({"walk.bvh": (ContactInterval(0, 1.0, 1.5),)})
    loaded = mf.load_clip(tmp_path / "walk.bvh", rest_frames=30)  # half a second
    made = mf.MotionDatabase.build([loaded], contacts=labels, mirror=False)
    assert np.flatnonzero(made.contacts[:, 0]).tolist() == list(range(15, 30))


def test_labels_of_a_clip_that_is_not_there_are_refused(clip: Clip) -> None:
    with pytest.raises(ValueError, match="no clip was read from a file w"):
        mf.MotionDatabase.build([clip], contacts=ContactLabels({"w": (ContactInterval(0, 0.0, 1.0),)}))
