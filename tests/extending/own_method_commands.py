"""Train and record with an installed method from the command line; argument: the folder that it is installed in."""

import sys

sys.path.insert(0, sys.argv[1])

from motionfields.cli import main

for line in (
    "sample -o takes --only walk_forward --only turn_left_090_quick",
    "build takes -o walker.field",
    "train walker.field --task direction --method stroll -o walker.ctrl",
    "record walker.ctrl --at 0:heading=90 --seconds 2 -o walk.bvh",
):
    try:
        sys.argv[1:] = line.split()
        main()
    except SystemExit as ended:
        if ended.code:
            raise
