"""Labels of motion files: what is read and written, and what is refused."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionfields.base.errors import AnnotationError
from motionfields.motion.annotations import (
    EVERYTHING,
    Annotations,
    Span,
    format_audacity,
    format_babel,
    format_csv,
    format_elan,
    mirrored_label,
    parse_audacity,
    parse_babel,
    parse_csv,
    parse_elan,
    read_annotations,
    take_name,
    write_annotations,
    write_label_track,
)

HEADER = b"file,start_s,end_s,label,basis\n"
LABELS = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=20).filter(
    lambda text: text[0] not in "!*" and text.isprintable()
)


@st.composite
def spans(draw: st.DrawFn) -> Span:
    start = draw(st.integers(0, 10_000)) / 1000.0
    end = start + draw(st.integers(1, 10_000)) / 1000.0
    return Span("walk.bvh", start, end, draw(LABELS), draw(st.sampled_from(["", "seen"])), draw(st.booleans()))


@given(st.lists(spans(), min_size=1, max_size=5))
def test_labels_come_back_from_csv(several: list[Span]) -> None:
    assert parse_csv(format_csv(Annotations(tuple(several)))) == Annotations(tuple(several))


@given(spans())
def test_labels_come_back_from_label_tracks(span: Span) -> None:
    """Formats of one take keep times to the microsecond or millisecond, the label, and whether it is present."""
    track = parse_audacity(format_audacity(Annotations((span,)), "walk"), "walk.bvh").spans[0]
    table = parse_elan(format_elan(Annotations((span,)), "walk"), "walk.bvh").spans[0]
    for back in (track, table):
        assert (back.label, back.present, back.file) == (span.label, span.present, span.file)
        assert back.start == pytest.approx(span.start, abs=1e-9)
        assert back.end == pytest.approx(span.end, abs=1e-9)
    assert table.basis == (span.basis or "labels")


@given(spans())
def test_present_labels_come_back_from_babel(span: Span) -> None:
    if span.present:
        back = parse_babel(format_babel(Annotations((span,)))).spans[0]
        assert (back.file, back.start, back.end, back.label) == (span.file, span.start, span.end, span.label)


def test_the_labels_of_the_data_are_read(shared_data: Path) -> None:
    labels = read_annotations(shared_data / "annotated" / "labels.csv")
    assert len(labels.labels) == 34
    assert len(labels.takes) == 41
    assert labels.seconds("sneak") == pytest.approx(18.8)


@pytest.mark.parametrize(
    ("label", "mirrored"),
    [
        ("turn_left", "turn_right"),
        ("Right-hand wave", "Left-hand wave"),
        ("LEFT", "RIGHT"),
        ("upright", "upright"),
        ("left then right", "right then left"),
        ("walk", "walk"),
    ],
)
def test_mirror_images_swap_left_and_right(label: str, mirrored: str) -> None:
    assert mirrored_label(label) == mirrored
    assert mirrored_label(mirrored) == label


def test_takes_are_named_without_folder_and_suffix() -> None:
    assert take_name("CMU/CMU/143/143_04_poses.npz") == "143_04"
    assert take_name("a\\b\\walk.bvh") == "walk"
    assert take_name("walk") == "walk"
    assert take_name(".bvh") == ".bvh"


def test_audacity_tracks_are_read_with_frequencies_and_byte_order_mark() -> None:
    data = b"\xef\xbb\xbf0.500000\t1.250000\twalk\r\n\\\t100.0\t200.0\r\n2.0\t3.0\t!run\r\n"
    assert parse_audacity(data, "take").spans == (
        Span("take", 0.5, 1.25, "walk"),
        Span("take", 2.0, 3.0, "run", present=False),
    )


ELAN_PLAIN = "actions\t\t00:00:01.500\t1.5\t00:00:02.000\t2.0\t00:00:00.500\t0.5\twalk\n"
ELAN_MILLISECONDS = "actions\tB\t1500\t2000\t500\twalk\n"
ELAN_SHORT = "actions\t1.500\t2.000\twalk\n"
ELAN_TIERS = (
    '"#file:///takes/walk.mp4 -- offset: 0"\n'
    "Begin Time - hh:mm:ss.ms\tEnd Time - hh:mm:ss.ms\tDuration - hh:mm:ss.ms\tactions\tnotes\n"
    "00:00:01.500\t00:00:02.000\t00:00:00.500\twalk\t\n"
)


@pytest.mark.parametrize("text", [ELAN_PLAIN, ELAN_MILLISECONDS, ELAN_SHORT, ELAN_TIERS])
def test_all_layouts_of_elan_are_read(text: str) -> None:
    assert parse_elan(text.encode(), "take").spans == (Span("take", 1.5, 2.0, "walk", "actions"),)


def test_babel_labels_of_spans_come_before_labels_of_the_take() -> None:
    """Several categories make several labels; a label without times holds for the whole take."""
    data = b"""{"12": {"babel_sid": 12, "feat_p": "CMU/CMU/143/143_04_poses.npz", "dur": 4.5, "url": "x",
      "seq_ann": {"labels": [{"raw_label": "all", "act_cat": ["move"]}]},
      "frame_ann": {"labels": [{"seg_id": "s", "act_cat": ["walk", "turn"], "start_t": 0, "end_t": 2.5},
                               {"seg_id": "u", "act_cat": null, "start_t": 2.5, "end_t": 3}]}},
     "13": {"feat_p": "a_poses.npz", "dur": 2, "seq_anns": [{"labels": [{"act_cat": ["jump"]}]}], "frame_anns": []}}"""
    found = parse_babel(data).spans
    assert [(span.take, span.start, span.end, span.label) for span in found] == [
        ("143_04", 0.0, 2.5, "walk"),
        ("143_04", 0.0, 2.5, "turn"),
        ("a", 0.0, 2.0, "jump"),
    ]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "x:1: expected the header"),
        (HEADER, "x: expected 1 to 1000000 labels, got 0"),
        (b"a,b\n", 'x:1: expected the header file,start_s,end_s,label,basis, got "a,b"'),
        (HEADER + b"w,0,1,walk\n", "x:2: expected 5 values"),
        (HEADER + b"w,0,1e3,walk,\n", "x:2: end_s: expected seconds"),
        (HEADER + b"w,-1,2,walk,\n", "x:2: start_s: expected seconds"),
        (HEADER + b"w,2,1,walk,\n", "x:2: span: expected 0 <= start < end"),
        (HEADER + b"w,0,999999999,walk,\n", "x:2: span: expected"),
        (HEADER + b"w,0,1,,\n", "x:2: label: expected"),
        (HEADER + b"w,0,1,!*,\n", "x:2: label: a span of"),
        (HEADER + b'w,0,1,"a\nb",\n', "x:3: label: expected"),
        (HEADER + b",0,1,walk,\n", "x:2: file: expected"),
        (HEADER + b'w,0,1,"walk,\n', "x:2: expected CSV"),
        (b"\xff\xfe", "x: expected text in UTF-8"),
        (b"x" * (17 << 20), "x: expected at most 16 MB"),
    ],
)
def test_wrong_tables_are_refused_with_their_line(data: bytes, reason: str) -> None:
    with pytest.raises(AnnotationError, match=reason):
        parse_csv(data, path="x")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "expected 1 to"),
        (b"1.0\t1.0\tpoint\n", "x:1: expected a label of a region"),
        (b"1.0\tend\n", "x:1: expected start, end and label"),
        (b"\\\t1\t2\n", "x:1: expected a label above"),
        (b"nan\t1.0\twalk\n", "x:1: start: expected seconds"),
    ],
)
def test_wrong_label_tracks_are_refused(data: bytes, reason: str) -> None:
    with pytest.raises(AnnotationError, match=reason):
        parse_audacity(data, "take", path="x")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "expected 1 to"),
        ("walk\n", "x:1: expected tier"),
        ("a\tb\tc\t1.5\t2.0\twalk\n", "x:1: expected tier"),
        ("a\t\t00:00:01:05\t00:00:02:00\twalk\n", "x:1: expected a time"),
        ("Begin Time - msec\tactions\n", "x:1: expected columns of begin and end"),
        ("Begin Time - msec\tEnd Time - msec\n", "x:1: expected a column for each tier"),
        (ELAN_SHORT + "actions\t1.5\t2.0\twalk\tmore\n", "x:2: expected 4 values"),
        (ELAN_SHORT + "actions\t3.5\t2.0\twalk\n", "x:2: span: expected"),
    ],
)
def test_wrong_exports_of_elan_are_refused(text: str, reason: str) -> None:
    with pytest.raises(AnnotationError, match=reason):
        parse_elan(text.encode(), "take", path="x")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"[]", "expected an object with an entry"),
        (b'{"1": {"dur": 1}}', "entry 1: expected an object with the path"),
        (b'{"1": {"feat_p": "a", "dur": "long"}}', "entry 1, dur: expected a finite number"),
        (b'{"1": {"feat_p": "a", "dur": 1, "frame_ann": 3}}', "entry 1, frame_ann: expected an object"),
        (b'{"1": {"feat_p": "a", "dur": 1, "frame_ann": {"labels": [{"act_cat": [3]}]}}}', "act_cat: expected text"),
        (b'{"1": {"feat_p": "a", "dur": 1}}', "expected 1 to"),
        (b"{" * 100_000, "expected"),
    ],
)
def test_wrong_babel_files_are_refused(data: bytes, reason: str) -> None:
    with pytest.raises(AnnotationError, match=reason):
        parse_babel(data, path="x")


@given(st.binary(max_size=200))
def test_any_bytes_give_labels_or_a_typed_error(data: bytes) -> None:
    with suppress(AnnotationError):
        parse_csv(HEADER + data)
    with suppress(AnnotationError):
        parse_audacity(data, "take")
    with suppress(AnnotationError):
        parse_elan(data, "take")
    with suppress(AnnotationError):
        parse_babel(data)


def test_files_are_read_and_written_by_suffix(tmp_path: Path) -> None:
    labels = Annotations((Span("walk.bvh", 0.0, 1.5, "walk", "seen"), Span("walk.bvh", 1.5, 2.0, "turn_left", "seen")))
    for name in ("labels.csv", "babel.json"):
        write_annotations(labels, tmp_path / name)
        assert [(s.label, s.end) for s in read_annotations(tmp_path / name).spans] == [
            ("walk", 1.5),
            ("turn_left", 2.0),
        ]
    tracks = tmp_path / "tracks"
    tracks.mkdir()
    write_label_track(labels, "walk", tracks / "walk.txt")
    write_label_track(labels, "walk", tracks / "walk.tsv")
    both = read_annotations(tracks, complete=False)
    assert [span.label for span in both.spans] == ["walk", "turn_left"] * 2
    assert both.takes == ("walk",)
    assert not both.complete
    for wrong in ("labels.txt", "labels"):
        with pytest.raises(AnnotationError, match="expected a name"):
            write_annotations(labels, tmp_path / wrong)
    with pytest.raises(AnnotationError, match="there is no such file"):
        read_annotations(tmp_path / "missing.csv")
    (tmp_path / "empty").mkdir()
    with pytest.raises(AnnotationError, match="got none"):
        read_annotations(tmp_path / "empty")


def test_annotations_list_their_labels_and_grow() -> None:
    labels = Annotations((Span("a", 0.0, 1.0, "walk"), Span("b", 0.0, 1.0, EVERYTHING)))
    more = labels.adding([Span("a", 0.5, 1.0, "walk", present=False)])
    assert labels.labels == ("walk",)
    assert more.takes == ("a", "b")
    assert more.seconds("walk") == 1.0
    assert more.spans[-1].text == "!walk"


@pytest.mark.parametrize(
    "wrong",
    [
        ("", 0.0, 1.0, "walk"),
        ("a", 1.0, 1.0, "walk"),
        ("a", float("nan"), 1.0, "walk"),
        ("a", 0.0, 1.0, " walk"),
        ("a", 0.0, 1.0, "x" * 65),
    ],
)
def test_spans_are_checked(wrong: tuple[str, float, float, str]) -> None:
    with pytest.raises(ValueError):
        Span(*wrong)
