#!/usr/bin/env python3
"""Writes the surfaces that no shape of a scene file describes: a spoon and a bowl, a tube with four
holes, a skirt and who wears it.

    tools/sheets.py            # writes them into scenes/, as they are there
    tools/sheets.py --paper    # finer ones: as many vertices as in the paper

Lengths in m, y up. Triangles of a closed surface look outward.
"""
import math
import pathlib
import sys

root = pathlib.Path(__file__).resolve().parent.parent / "scenes"


def write(path, points, triangles):
    """An OBJ file without the points that no triangle has."""
    used = sorted({v for t in triangles for v in t})
    number = {v: i + 1 for i, v in enumerate(used)}
    lines = ["# written by tools/sheets.py"]
    lines += ["v " + " ".join(f"{c:.4g}" for c in points[v]) for v in used]
    lines += ["f " + " ".join(str(number[v]) for v in t) for t in triangles]
    path.write_text("\n".join(lines) + "\n")


def bands(around, along, closed=True):
    """Triangles between rings of points: ring i has the points i * around, ... Diagonals alternate, so that the sheet
    has no preferred direction."""
    triangles = []
    for i in range(along):
        for j in range(around if closed else around - 1):
            k = (j + 1) % around
            a, b, c, d = i * around + j, i * around + k, (i + 1) * around + k, (i + 1) * around + j
            triangles += [(a, b, c), (a, c, d)] if (i + j) % 2 else [(a, b, d), (b, c, d)]
    return triangles


def smooth(x):
    """From 0 to 1, flat at both ends."""
    x = min(1.0, max(0.0, x))
    return x * x * (3 - 2 * x)


def spoon(path, around=20, along=44):
    """Tip at the origin, handle along +y, hollow side towards +z. Closed."""
    length, bowl, half_width, thickness, depth = 0.19, 0.068, 0.023, 0.006, 0.011

    def outline(s):  # half the width at the height s
        oval = half_width * math.sqrt(max(0.0, 1 - (2 * s / bowl - 1) ** 2)) if s < bowl else 0.0
        handle = 0.0048 + 0.0025 * smooth((s - 0.09) / 0.1)
        neck = smooth((s - 0.75 * bowl) / (0.25 * bowl))
        return max(oval, handle * neck) * math.sqrt(min(1.0, (length - s) / 0.006 + 1e-3))

    def dish(s, u, w):  # how deep the bowl is
        return depth * max(0.0, 1 - (2 * s / bowl - 1) ** 2) * (1 - (u / w) ** 2) if s < bowl else 0.0

    points = []
    for i in range(along + 1):
        t = i / along
        s = length * (0.55 * t + 0.45 * t * t)  # finer in the bowl
        s = min(max(s, 0.0006), length - 0.0004)
        w = max(outline(s), 0.0012)
        half = 0.5 * thickness * min(1.0, w / 0.004)
        for j in range(around):
            a = 2 * math.pi * j / around
            u = w * math.cos(a)
            points.append((u, s, half * math.sin(a) - dish(s, u, w)))
    triangles = [(a, c, b) for a, b, c in bands(around, along)]
    for ring, flip in ((0, False), (along, True)):  # ends: a fan about the middle
        middle = [sum(points[ring * around + j][c] for j in range(around)) / around for c in range(3)]
        points.append(tuple(middle))
        for j in range(around):
            a, b = ring * around + j, ring * around + (j + 1) % around
            triangles.append((len(points) - 1, b, a) if flip else (len(points) - 1, a, b))
    write(path, points, triangles)


def revolve(path, profile, around):
    """A closed surface about the y axis; the profile's pairs of radius and height begin and end near the axis."""
    points = [(r * math.cos(2 * math.pi * j / around), y, r * math.sin(2 * math.pi * j / around))
              for r, y in profile for j in range(around)]
    triangles = [(a, c, b) for a, b, c in bands(around, len(profile) - 1)]
    for ring, flip in ((0, False), (len(profile) - 1, True)):  # ends: a fan about the axis
        points.append((0.0, profile[ring][1], 0.0))
        rim = [ring * around + j for j in range(around)]
        triangles += [t[::-1] if flip else t for t in zipped(rim, [len(points) - 1])]
    write(path, points, triangles)


def bowl(path):
    """Of porcelain: a sphere of radius 0.14 inside, centre at y = 0.16, a rim and a foot."""
    inner, outer, centre = 0.14, 0.150, 0.16
    quarter = [math.pi / 2 * i / 14 for i in range(15)]
    profile = [(0.004, centre - inner)]
    profile += [(inner * math.sin(a), centre - inner * math.cos(a)) for a in quarter[1:]]
    profile += [(inner + 0.001, centre + 0.006), (inner + 0.005, centre + 0.008), (outer, centre + 0.005)]  # the rim
    profile += [(outer * math.sin(a), centre - outer * math.cos(a)) for a in quarter[:5:-1]]
    profile += [(0.063, 0.012), (0.062, 0.001), (0.05, 0.001)]  # the foot
    revolve(path, profile, around=48)


def limb(path, knots, around=16):
    """A round limb along y through knots of radius and height, from the top down, with half spheres as ends."""
    (r0, y0), (r1, y1) = knots[0], knots[-1]
    angles = [math.pi / 2 * i / 5 for i in range(1, 5)]
    profile = [(r0 * math.sin(a), y0 + r0 * math.cos(a)) for a in angles]
    for (ra, ya), (rb, yb) in zip(knots, knots[1:]):
        profile += [(ra + (rb - ra) * smooth(t / 4), ya + (yb - ya) * t / 4) for t in range(4)]
    profile += [(r1 * math.cos(a), y1 - r1 * math.sin(a)) for a in [0.0] + angles]
    revolve(path, profile[::-1], around)


def tube(path, edge, holes=True):
    """About the x axis, with both ends closed, and four round holes: two towards +z, two towards -z."""
    radius, length, hole = 0.1555, 0.86, 0.035
    # Turns from +y about x, and x.
    places = [(side, x) for side in (0.25, 0.75) for x in (-0.18, 0.18)] if holes else []
    around = 4 * round(2 * math.pi * radius / edge / 4)
    along = 2 * round(length / edge / 2)
    turn = 2 * math.pi * radius
    wide, high = turn / around, length / along

    def snapped(s, x):
        """A square of cells about every hole becomes a disc; three times as far away nothing moves."""
        for side, middle in places:
            ds, dx = (s - side * turn + turn / 2) % turn - turn / 2, x - middle
            m, r = max(abs(ds), abs(dx)), math.hypot(ds, dx)
            if r == 0 or m > 3 * hole:
                continue
            round_ = 1 - smooth((m - hole) / (2 * hole))
            f = 1 + round_ * (m / r - 1)
            return side * turn + f * ds, middle + f * dx
        return s, x

    def lines(step, count, start, centres):
        """Grid lines, moved so that two of them touch every hole."""
        at = [start + step * i for i in range(count)]
        for c in centres:
            for edge_of in (c - hole, c + hole):
                at[min(range(count), key=lambda i: abs(at[i] - edge_of))] = edge_of
        return at

    s_lines = lines(wide, around, 0.0, sorted({side * turn for side, _ in places}))
    x_lines = lines(high, along + 1, -length / 2, sorted({x for _, x in places}))
    points, flat = [], []
    for x in x_lines:
        for s in s_lines:
            flat.append((s, x))
            s1, x1 = snapped(s, x)
            angle = s1 / radius
            points.append((x1, radius * math.cos(angle), radius * math.sin(angle)))

    def in_hole(t):
        for side, middle in places:
            inside = [abs((flat[v][0] - side * turn + turn / 2) % turn - turn / 2) < hole + 1e-9
                      and abs(flat[v][1] - middle) < hole + 1e-9 for v in t]
            if all(inside):
                return True
        return False

    triangles = [(a, c, b) for a, b, c in bands(around, along) if not in_hole((a, b, c))]
    for ring, flip in ((0, False), (along, True)):  # the ends: rings of fewer and fewer points, then a fan
        outer = [ring * around + j for j in range(around)]
        x = x_lines[ring]
        count = max(2, round(radius / edge))
        for k in range(1, count + 1):
            inner = []
            n = max(6, round(around * (1 - k / count))) if k < count else 1
            for j in range(n):
                angle, r = 2 * math.pi * j / n, radius * (1 - k / count)
                inner.append(len(points))
                points.append((x, r * math.cos(angle), r * math.sin(angle)))
            triangles += [t[::-1] if flip else t for t in zipped(outer, inner)]
            outer = inner
    write(path, points, triangles)


def zipped(outer, inner):
    """Triangles between two closed rings that begin at the same angle and may differ in number."""
    if len(inner) == 1:
        return [(outer[j], outer[(j + 1) % len(outer)], inner[0]) for j in range(len(outer))]
    triangles, i, j = [], 0, 0
    while i < len(outer) or j < len(inner):
        a, b = outer[i % len(outer)], inner[j % len(inner)]
        if j == len(inner) or (i < len(outer) and (i + 1) * len(inner) <= (j + 1) * len(outer)):
            i += 1
            triangles.append((a, outer[i % len(outer)], b))
        else:
            j += 1
            triangles.append((a, inner[j % len(inner)], b))
    return triangles


def skirt(path, edge, top, bottom, height, folds, depth):
    """A flared skirt about the y axis, its waist at y = 0, with folds that deepen towards the hem. Open."""
    around = folds * max(4, round(2 * math.pi * bottom / edge / folds))
    along = round(math.hypot(height, bottom - top) / edge)
    points = []
    for i in range(along + 1):
        t = i / along
        for j in range(around):
            angle = 2 * math.pi * j / around
            r = top + (bottom - top) * math.sqrt(t) + depth * smooth(t) * math.sin(folds * angle)
            points.append((r * math.cos(angle), -height * t, r * math.sin(angle)))
    write(path, points, bands(around, along))


inner = {"top": 0.135, "bottom": 0.33, "height": 0.6, "folds": 9, "depth": 0.03}
outer = {"top": 0.155, "bottom": 0.44, "height": 0.56, "folds": 11, "depth": 0.04}
leg = [(0.075, 0.0), (0.075, -0.15), (0.055, -0.46), (0.06, -0.6), (0.04, -0.85), (0.05, -0.9)]
torso = [(0.05, 0.62), (0.055, 0.5), (0.15, 0.4), (0.14, 0.28), (0.115, 0.06), (0.14, -0.06)]
arm = [(0.05, 0.0), (0.04, -0.28), (0.038, -0.32), (0.03, -0.52), (0.035, -0.6)]

if __name__ == "__main__":
    if sys.argv[1:] == ["--paper"]:
        tube(root / "twisted_shell" / "fine.obj", 0.0088)
        skirt(root / "skirt" / "inner_fine.obj", 0.0078, **inner)
        skirt(root / "skirt" / "outer_fine.obj", 0.0086, **outer)
    else:
        spoon(root / "spoon" / "spoon.obj")
        bowl(root / "spoon" / "bowl.obj")
        tube(root / "twisted_shell" / "tube.obj", 0.028)
        tube(root / "twisted_shell" / "closed.obj", 0.028, holes=False)
        skirt(root / "skirt" / "inner.obj", 0.05, **inner)
        skirt(root / "skirt" / "outer.obj", 0.055, **outer)
        limb(root / "skirt" / "leg.obj", leg)
        limb(root / "skirt" / "torso.obj", torso, around=24)
        limb(root / "skirt" / "arm.obj", arm)
