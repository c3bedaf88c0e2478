#!/usr/bin/env python3
"""Writes scenes/swimmer/fish.obj: the closed surface of a fish of length 0.4 m, its nose towards +x.

Rings of points around the x axis, an ellipse each, from nose to tail. Behind the peduncle they become the tail fin: tall,
thin, and swept back above and below. Lengths in m, y up; triangles look outward.
"""
import math
import pathlib

length, rings, around = 0.4, 44, 20
nose = 0.2
# Share of the length from the nose; half height and half width of the ring there; how far its ends are swept back.
profile = [
    (0.00, 0.000, 0.000, 0.0),
    (0.02, 0.014, 0.011, 0.0),
    (0.08, 0.030, 0.022, 0.0),
    (0.18, 0.046, 0.032, 0.0),
    (0.34, 0.055, 0.036, 0.0),
    (0.52, 0.048, 0.032, 0.0),
    (0.68, 0.032, 0.024, 0.0),
    (0.80, 0.023, 0.018, 0.0),
    (0.88, 0.040, 0.016, 0.015),
    (0.96, 0.062, 0.015, 0.03),
    (1.00, 0.064, 0.013, 0.035),
]


def at(share, column):
    """Smooth between the points of the profile: a cubic with the slopes of a monotone interpolation."""
    xs, ys = [p[0] for p in profile], [p[column] for p in profile]
    slopes = [(b - a) / (d - c) for a, b, c, d in zip(ys, ys[1:], xs, xs[1:])]
    middle = [0 if a * b <= 0 else 2 * a * b / (a + b) for a, b in zip(slopes, slopes[1:])]
    tangent = [slopes[0]] + middle + [slopes[-1]]
    i = max(k for k in range(len(xs) - 1) if xs[k] <= share)
    h = xs[i + 1] - xs[i]
    t = (share - xs[i]) / h
    return ((1 + 2 * t) * (1 - t)**2 * ys[i] + t**2 * (3 - 2 * t) * ys[i + 1] +
            h * (t * (1 - t)**2 * tangent[i] - t**2 * (1 - t) * tangent[i + 1]))


points, triangles = [(nose, 0.0, 0.0)], []
for r in range(1, rings + 1):
    share = 0.5 * (r / rings)**1.5 + 0.5 * r / rings  # closer rings where the nose is round
    high, wide, swept = (at(share, column) for column in (1, 2, 3))
    for k in range(around):
        a = 2 * math.pi * k / around
        up = math.cos(a)
        points.append((nose - length * share - swept * up * up, high * up, wide * math.sin(a)))
points.append((nose - length, 0.0, 0.0))
for k in range(around):
    after = (k + 1) % around
    triangles.append((0, 1 + k, 1 + after))
    for r in range(rings - 1):
        a, b = 1 + r * around, 1 + (r + 1) * around
        triangles += [(a + k, b + k, b + after), (a + k, b + after, a + after)]
    last = 1 + (rings - 1) * around
    triangles.append((last + k, len(points) - 1, last + after))

volume = 0.0
for i, j, k in triangles:
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = points[i], points[j], points[k]
    volume += (ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)) / 6
if volume < 0:
    triangles = [(i, k, j) for i, j, k in triangles]
out = pathlib.Path(__file__).resolve().parent.parent / "scenes/swimmer/fish.obj"
lines = ["# written by tools/fish.py"] + ["v " + " ".join(f"{c:.4f}" for c in p) for p in points]
lines += ["f " + " ".join(str(v + 1) for v in t) for t in triangles]
out.write_text("\n".join(lines) + "\n")
print(f"{abs(volume):.3e} m³")
