"""Optimal reciprocal collision avoidance (van den Berg et al. 2011) for one body among round-cornered blocks.

Written here because the one maintained binding of the RVO2 library, pyrvo, moves the bodies itself and lets each of a
pair avoid half: a body that moves as captured, and an obstacle that avoids nobody, do not fit. `tests` compare the
velocities with a search over all of them.
"""

from __future__ import annotations

import math

from motionfields.base.arrays import FloatArray
from motionfields.base.compiled import lean_kernel

PX, PZ, DX, DZ = range(4)  # columns of a line: a point on it and its direction; allowed is the side to its left
PARALLEL = 1e-9
QUICK = 0.25  # seconds in which bodies that overlap move apart


@lean_kernel
def avoid_line(
    dx: float,
    dz: float,
    reach: float,
    velocity: tuple[float, float],
    other: tuple[float, float],
    seconds: float,
    share: float,
    line: FloatArray,
) -> None:
    """Fill `line` [4], the bound of allowed velocities, for an obstacle whose centre is (`dx`, `dz`) metres away.

    `reach` is the sum of the radii, `velocity` the own and `other` the obstacle's in m/s, `seconds` the time without a
    collision, and `share` the part of the change that is one's own.
    """
    vx, vz = velocity[0] - other[0], velocity[1] - other[1]
    square = dx * dx + dz * dz
    time = seconds if square > reach * reach else QUICK
    wx, wz = vx - dx / time, vz - dz / time
    along = wx * dx + wz * dz
    if square <= reach * reach or (along < 0.0 and along * along > reach * reach * (wx * wx + wz * wz)):
        size = max(math.sqrt(wx * wx + wz * wz), 1e-12)
        line[DX], line[DZ] = wz / size, -wx / size
        change = reach / time - size
        ux, uz = change * wx / size, change * wz / size
    else:
        leg = math.sqrt(square - reach * reach)
        if dx * wz - dz * wx > 0.0:
            line[DX], line[DZ] = (dx * leg - dz * reach) / square, (dx * reach + dz * leg) / square
        else:
            line[DX], line[DZ] = -(dx * leg + dz * reach) / square, (dx * reach - dz * leg) / square
        along = vx * line[DX] + vz * line[DZ]
        ux, uz = along * line[DX] - vx, along * line[DZ] - vz
    line[PX], line[PZ] = velocity[0] + share * ux, velocity[1] + share * uz


@lean_kernel
def best_velocity(
    lines: FloatArray, count: int, top: float, wanted: tuple[float, float], projected: FloatArray, out: FloatArray
) -> None:
    """Fill `out` [2] with the allowed velocity nearest to `wanted`, or the one that breaks `lines` least if none is."""
    failed = _on_lines(lines, count, top, wanted, False, out)
    if failed < count:
        _least_broken(lines, count, failed, top, projected, out)


@lean_kernel
def _broken(line: FloatArray, vx: float, vz: float) -> float:
    """Return by how many m/s a velocity is on the wrong side of `line`; negative on the right one."""
    return float(line[DX] * (line[PZ] - vz) - line[DZ] * (line[PX] - vx))


@lean_kernel
def _on_line(
    lines: FloatArray, number: int, top: float, wanted: tuple[float, float], is_way: bool, out: FloatArray
) -> bool:
    """Fill `out` with the best velocity on one line that the lines before it allow; False if there is none."""
    line = lines[number]
    along = line[PX] * line[DX] + line[PZ] * line[DZ]
    root = along * along + top * top - (line[PX] ** 2 + line[PZ] ** 2)
    if root < 0.0:
        return False
    low, high = -along - math.sqrt(root), -along + math.sqrt(root)
    for i in range(number):
        cross = line[DX] * lines[i, DZ] - line[DZ] * lines[i, DX]
        over = lines[i, DX] * (line[PZ] - lines[i, PZ]) - lines[i, DZ] * (line[PX] - lines[i, PX])
        if abs(cross) <= PARALLEL:
            if over < 0.0:
                return False
            continue
        if cross >= 0.0:
            high = min(high, over / cross)
        else:
            low = max(low, over / cross)
        if low > high:
            return False
    if is_way:
        place = high if wanted[0] * line[DX] + wanted[1] * line[DZ] > 0.0 else low
    else:
        place = min(max(line[DX] * (wanted[0] - line[PX]) + line[DZ] * (wanted[1] - line[PZ]), low), high)
    out[0], out[1] = line[PX] + place * line[DX], line[PZ] + place * line[DZ]
    return True


@lean_kernel
def _on_lines(
    lines: FloatArray, count: int, top: float, wanted: tuple[float, float], is_way: bool, out: FloatArray
) -> int:
    """Fill `out` with the best velocity; return `count`, or the number of the line at which there is none."""
    size = math.sqrt(wanted[0] ** 2 + wanted[1] ** 2)
    factor = top if is_way else min(1.0, top / max(size, 1e-12))
    out[0], out[1] = factor * wanted[0], factor * wanted[1]
    for i in range(count):
        if _broken(lines[i], out[0], out[1]) > 0.0:
            x, z = out[0], out[1]
            if not _on_line(lines, i, top, wanted, is_way, out):
                out[0], out[1] = x, z
                return i
    return count


@lean_kernel
def _least_broken(
    lines: FloatArray, count: int, first: int, top: float, projected: FloatArray, out: FloatArray
) -> None:
    """Fill `out` with the velocity that breaks the lines from `first` on by the least, of those found so far."""
    worst = 0.0
    for i in range(first, count):
        line = lines[i]
        if _broken(line, out[0], out[1]) <= worst:
            continue
        used = 0
        for j in range(i):
            other = lines[j]
            cross = line[DX] * other[DZ] - line[DZ] * other[DX]
            if abs(cross) <= PARALLEL:
                if line[DX] * other[DX] + line[DZ] * other[DZ] > 0.0:
                    continue
                projected[used, PX], projected[used, PZ] = 0.5 * (line[PX] + other[PX]), 0.5 * (line[PZ] + other[PZ])
            else:
                place = (other[DX] * (line[PZ] - other[PZ]) - other[DZ] * (line[PX] - other[PX])) / cross
                projected[used, PX], projected[used, PZ] = line[PX] + place * line[DX], line[PZ] + place * line[DZ]
            ex, ez = other[DX] - line[DX], other[DZ] - line[DZ]
            size = max(math.sqrt(ex * ex + ez * ez), 1e-12)
            projected[used, DX], projected[used, DZ] = ex / size, ez / size
            used += 1
        x, z = out[0], out[1]
        if _on_lines(projected, used, top, (-line[DZ], line[DX]), True, out) < used:
            out[0], out[1] = x, z
        worst = _broken(line, out[0], out[1])
