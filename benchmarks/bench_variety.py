"""Compare controllers with and without a bound on the share of one captured clip.

    python benchmarks/bench_variety.py [--quick] [--set B] [--largest-share 0.5] [--count 125] [--json FILE]

Trains two direction controllers on a set of data (A, B, C or D, or 50k: 50,000 captured states of one skeleton) and
runs `count` characters, each with four changes of heading, on seeds that were not used to choose any setting. Prints
response, the largest share of a clip and its mirror image, and the measures that miss their gates. Bounds: the share,
and a response at most 3 % slower. `--quick` runs few generated clips without bounds.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

from common import Bounds, clips_of_set, control_field, make_parser, write_json
from crowd_sets import first_clips
from motionfields.control.tasks import Direction
from motionfields.control.training import train
from motionfields.measure.evaluation import direction_trials, measure_source, measure_trials, missed_gates
from motionfields.measure.evaluation.trials import joined

SEEDS = (8101, 8102)
SLOWER = 1.03


def main() -> int:
    parser = make_parser(__doc__, quick="few generated clips, without bounds")
    parser.add_argument("--set", default="B", help="A, B, C, D or 50k")
    parser.add_argument("--largest-share", type=float, default=0.5, help="the bound")
    parser.add_argument("--count", type=int, default=125, help="characters of each run")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    name, count = ("quick", 8) if options.quick else (options.set, options.count)
    field = control_field(first_clips(50_000) if name == "50k" else clips_of_set(name))
    source = measure_source(field)
    rows: list[dict[str, Any]] = []
    for largest in (1.0, options.largest_share):
        began = time.perf_counter()
        controller = train(field, Direction(), largest_share=largest)
        seconds = time.perf_counter() - began
        runs = [direction_trials(controller, count=count, seed=seed) for seed in SEEDS]
        found = measure_trials(field, source, joined(runs))
        missed = missed_gates(found)
        rows.append({"bound": largest, "training_s": seconds, **found._asdict()})
        print(
            f"{name}: {field.database.state_count} states, bound {largest:g}: "
            f"largest share {100 * found.largest_share:.0f} %, response {found.mean:.3f} ± {found.error:.3f} s over "
            f"{found.trial_count} changes, training {seconds:.0f} s, missed: {'; '.join(missed) or 'nothing'}",
            flush=True,
        )
    write_json(options.json, rows)
    bounds = Bounds()
    if not options.quick:
        share = rows[1]["largest_share"]
        bounds.require(share <= options.largest_share, f"largest share {share:.2f}")
        slower = rows[1]["mean"] / rows[0]["mean"]
        bounds.require(slower <= SLOWER, f"response is {slower:.3f} times as long, at most {SLOWER:g}")
    return bounds.exit_code()


if __name__ == "__main__":
    sys.exit(main())
