"""Interpretation of the tables, in sentences generated from the figures."""

from __future__ import annotations

from collections.abc import Iterator

from motionfields.measure.evaluation.figures import GATES
from motionfields.measure.evaluation.tables.cells import Content
from motionfields.measure.evaluation.tables.comparing import Change, Estimate, extremes, mean_ratio
from motionfields.measure.evaluation.tables.measuring import TableSettings
from motionfields.measure.evaluation.tables.registry import Registry
from motionfields.measure.evaluation.tables.wording import listed, with_error

CLEAR = 2.0  # standard errors above which a difference counts as clear


def reading(rows: dict[str, Content], registry: Registry, settings: TableSettings) -> list[str]:
    """Return sentences that interpret the `rows` of one task on one data set."""
    reference = registry.reference
    rivals = [row for row in registry.main[:-1] if row in rows and reference in rows]
    sentences = [_ratio_sentence(rows, reference, rival, _against(rows, rival, registry, settings)) for rival in rivals]
    if reference in rows:
        sentences += _derived_sentences(rows, registry, settings)
    sentences += _gate_sentences(rows)
    for rival in rivals:
        sentences += _change_sentences(rows, reference, rival)
    return sentences


def _against(rows: dict[str, Content], other: str, registry: Registry, settings: TableSettings) -> Estimate:
    return mean_ratio(rows[registry.reference], rows[other], resamples=settings.resamples, seed=settings.first_seed)


def _ratio_sentence(rows: dict[str, Content], reference: str, rival: str, ratio: Estimate) -> str:
    idle = [row for row in (reference, rival) if rows[row]["figures"]["mean"][0] is None]
    if idle:
        return f"{listed(idle)} completed no change in time, so {reference} and {rival} cannot be compared."
    means = [with_error(*rows[row]["figures"]["mean"], unit=" s") for row in (reference, rival)]
    said = (
        f"The {reference} responds in {means[0]} on average, {rival} in {means[1]}: "
        f"{with_error(*ratio)} times as long, {_verdict(ratio)}."
    )
    faulty = [row for row in (reference, rival) if rows[row]["missed"]]
    return said + (f" But {listed(faulty)} missed a gate (see below)." if faulty else "")


def _verdict(ratio: Estimate) -> str:
    if not abs(ratio.value - 1.0) > CLEAR * ratio.error:
        return f"which is no clear difference (under {CLEAR:g} standard errors)"
    return "so it is faster" if ratio.value < 1.0 else "so it is slower"


def _derived_sentences(rows: dict[str, Content], registry: Registry, settings: TableSettings) -> Iterator[str]:
    """Yield a sentence that compares each row outside the main rows with the reference."""
    told = []
    for row in registry.rows:
        if row.name in rows and row.name not in registry.main:
            ratio = _against(rows, row.name, registry, settings)
            if ratio.value:
                slower = Estimate(1.0 / ratio.value, ratio.error / ratio.value**2)
                told.append(f"{row.name} {with_error(*slower)}")
    if told:
        yield f"Mean response relative to the {registry.reference}: {'; '.join(told)}."


def _gate_sentences(rows: dict[str, Content]) -> list[str]:
    missed = [
        f"{row} misses: {'; '.join(_missed_text(content, gate) for gate in content['missed'])}."
        for row, content in rows.items()
        if content["missed"]
    ]
    kept = [row for row, content in rows.items() if not content["missed"]]
    return [*missed, f"All gates are met by {listed(kept, mark=';')}." if kept else "No row meets all gates."]


def _missed_text(content: Content, gate: str) -> str:
    """Return the text of a missed `gate`, noting if the figure is within 2 standard errors of it."""
    name = gate.split()[0]
    value, error = content["figures"][name]
    near = None not in (value, error) and min(abs(value - bound) for bound in GATES[name]) < CLEAR * error
    return gate.replace("_", " ") + (f" (within {CLEAR:g} standard errors of the gate)" if near else "")


def _change_sentences(rows: dict[str, Content], reference: str, rival: str) -> Iterator[str]:
    won, lost = extremes(rows[reference], rows[rival])
    if won:
        yield f"Largest leads of the {reference} over {rival}: {'; '.join(_change_text(change) for change in won)}."
    if lost:
        yield f"Largest leads of {rival} over the {reference}: {'; '.join(_change_text(change) for change in lost)}."


def _change_text(change: Change) -> str:
    times = [
        f"{time:.2f} s" if time < float("inf") else "not completed" for time in (change.seconds, change.rival_seconds)
    ]
    return (
        f"a change by {change.angle_deg:.0f} degrees (seed {change.seed}, character {change.character}), "
        f"{times[0]} against {times[1]}"
    )
