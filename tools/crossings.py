"""Finds parts of a finished run that pass through each other, from its files alone.

Surfaces are read from frames/: PLY for solids, bodies of tets and rigid bodies; VTU for shells, of which the middle
surface counts, and for rods, of which the axis counts. In every frame this looks for
- edges that cross triangles, of other parts and of the same one;
- segments of rods that are nearer than the sum of their radii, less 1 %;
- parts that lie inside a closed one;
- nodes outside the domain, or nearer to its sides than their radius, less 1 %.
What the barrier does not keep apart is left out: what shares a vertex; two prescribed places; what is nearer along a
shell or a rod than it can bend to touch itself, (π/2)(2 r + d̂); the tied end of a body and its partner; rigid bodies
with themselves. See docs/contact.md. Files hold floats, so a crossing counts only if it is deeper than their rounding.
"""
import base64
import collections
import heapq
import itertools
import math
import re
import struct
import tomllib

rounding = 5e-7     # of the largest coordinate: eight units in the last place of a float
thin = 0.99         # rods may be nearer than their radii by this factor, which also covers the rounding
wide = 64           # cells: larger triangles are not put into the grid


def minus(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def triples(values):
    return list(zip(*[iter(values)] * 3))


def read_ply(path):
    head, _, data = path.read_bytes().partition(b"end_header\n")
    counts = [int(n) for n in re.findall(rb"element (?:vertex|face) (\d+)", head)]
    points, faces = counts[0], counts[1] if len(counts) > 1 else 0
    floats = len(re.findall(rb"property float", head))
    row = struct.Struct(f"<3f{4 * (floats - 3)}x")
    x = list(row.iter_unpack(data[:points * row.size]))
    return x, list(struct.Struct("<x3i").iter_unpack(data[points * row.size:][:13 * faces]))


def read_vtu(path):
    """Points and elements."""
    text = path.read_text()

    def array(name, code):
        raw = base64.b64decode(re.search(rf'Name="{name}"[^>]*>\s*([^<\s]*)', text)[1])[8:]
        return struct.unpack(f"<{len(raw) // 4}{code}", raw)

    nodes, ends = array("connectivity", "i"), array("offsets", "i")
    size = ends[0]
    return triples(array("Points", "f")), [nodes[i:i + size] for i in range(0, len(nodes), size)]


class Part:
    """A solid or a body: vertices, triangles, segments, edges of both, and what its barrier leaves out."""

    def __init__(self, name, kind, radius=0.0):
        self.name, self.kind, self.radius = name, kind, radius
        self.x, self.tris, self.segments, self.edges = [], [], [], []
        self.held, self.tied = set(), {}  # vertices; (vertices near a tied one) by the partner's name
        self.near = None                  # per vertex: those that do not collide with it

    def set_elements(self, elements):
        rod = self.kind == "rod"
        self.segments, self.tris = (elements, []) if rod else ([], elements)
        sides = ((t[i - 1], t[i]) for t in self.tris for i in range(3))
        self.edges = sorted({(min(e), max(e)) for e in itertools.chain(self.segments, sides)})

    def lengths(self):
        return [math.dist(self.x[a], self.x[b]) for a, b in self.edges]

    def prescribed(self, nodes):
        return self.kind == "fixed" or self.held.issuperset(nodes)

    def joined(self, first, second):
        """Vertices of this part that belong together."""
        return any(b == a or self.near is not None and b in self.near[a] for a in first for b in second)


def within(part, starts, reach):
    """Vertices so far from the starts along the edges."""
    links = collections.defaultdict(list)
    for (a, b), length in zip(part.edges, part.lengths()):
        links[a].append((b, length))
        links[b].append((a, length))
    found, queue = {}, [(0.0, s) for s in starts]
    while queue:
        far, node = heapq.heappop(queue)
        if node in found or far > reach:
            continue
        found[node] = far
        for other, length in links[node]:
            heapq.heappush(queue, (far + length, other))
    return set(found)


def in_shape(shape, x):
    if shape["shape"] == "box":
        if "min" in shape:
            return all(a <= v <= b for a, v, b in zip(shape["min"], x, shape["max"]))
        return all(abs(v - c) <= s / 2 for v, c, s in zip(x, shape["center"], shape["size"]))
    return shape["shape"] == "sphere" and math.dist(x, shape["center"]) <= shape["radius"]


def held_vertices(body, x):
    """Those that pins hold, by the places of the first frame."""
    lo, hi = [min(v) for v in zip(*x)], [max(v) for v in zip(*x)]
    slack = 1e-4 * math.dist(lo, hi)
    held = set()
    for hold in body.get("hold", []):
        if hold["type"] != "pin":
            continue
        axis, side = "xyz".find(hold["side"][0]), hold["side"][2:]
        for n, p in enumerate(x):
            on_side = axis >= 0 and hold["side"] != "none" and (
                p[axis] <= lo[axis] + slack if side == "min" else p[axis] >= hi[axis] - slack)
            if on_side or any(in_shape(region, p) for region in hold.get("region", [])):
                held.add(n)
    return held


class Run:
    """The parts of a run, one frame at a time."""

    def __init__(self, directory):
        self.frames = directory / "frames"
        self.scene = tomllib.loads((directory / "scene.toml").read_text())
        self.parts = [Part(s["name"], "fixed") for s in self.scene.get("solid", [])]
        self.bodies = self.scene.get("body", [])
        for body in self.bodies:
            radius = {"shell": body["shell_thickness"] / 2, "rod": body["rod_radius"]}.get(body["kind"], 0.0)
            self.parts.append(Part(body["name"], body["kind"], radius))
        self.count = 0
        while self.bodies and self.file(self.parts[-1], self.count).exists():
            self.count += 1
        if self.count:
            self.load(0)
            self.prepare()

    def file(self, part, frame):
        what = ("solid_" if part.kind == "fixed" else "body_") + part.name
        return self.frames / f"{what}.{frame:04}.{'vtu' if part.kind in ('shell', 'rod') else 'ply'}"

    def load(self, frame):
        for part in self.parts:
            path = self.file(part, frame)
            if frame > 0 and part.kind == "fixed" and not path.exists():
                continue  # it does not move
            part.x, elements = read_vtu(path) if path.suffix == ".vtu" else read_ply(path)
            if frame == 0:
                part.set_elements(elements)

    def prepare(self):
        distance = self.scene["contact"]["distance"]
        by_name = {part.name: part for part in self.parts}
        for body in self.bodies:
            part = by_name[body["name"]]
            part.held = held_vertices(body, part.x)
            lengths = part.lengths()
            part.range = math.pi / 2 * (2 * part.radius + (distance or 0.1 * sum(lengths) / len(lengths)))
            if part.radius > 0:
                part.near = [within(part, [n], part.range) for n in range(len(part.x))]
        for tie in self.scene.get("attachment", []):
            part = by_name[tie["body"]]
            ends = [min(range(len(part.x)), key=lambda n: math.dist(part.x[n], p)) for p in tie["points"]]
            part.tied.setdefault(tie["to"], set()).update(within(part, ends, part.range))


def exempt(first, nodes, second, others):
    if first is second:
        return first.kind in ("rigid", "fixed") or first.joined(nodes, others)
    if first.prescribed(nodes) and second.prescribed(others):
        return True
    return any(n in first.tied.get(second.name, ()) for n in nodes) or any(
        n in second.tied.get(first.name, ()) for n in others)


def crossing_depth(a, b, p, q, r):
    """How far the segment ab passes through the triangle: the least distance of the crossing from any of their
    boundaries. At most zero: it does not."""
    normal = cross(minus(q, p), minus(r, p))
    area = math.sqrt(dot(normal, normal))
    if area == 0:
        return 0.0
    above, below = dot(minus(a, p), normal) / area, dot(minus(b, p), normal) / area
    if above * below >= 0:
        return 0.0
    t = above / (above - below)
    at = tuple(u + t * (v - u) for u, v in zip(a, b))
    depth = min(abs(above), abs(below))
    for u, v in ((p, q), (q, r), (r, p)):
        side = minus(v, u)
        depth = min(depth, dot(cross(side, minus(at, u)), normal) / (area * math.sqrt(dot(side, side)) or 1.0))
        if depth <= 0:
            return 0.0
    return depth


def segment_distance(a, b, c, d):
    """Of the segments ab and cd: the least over both interiors and the four ends."""
    u, v, w = minus(b, a), minus(d, c), minus(a, c)
    uu, uv, vv, uw, vw = dot(u, u), dot(u, v), dot(v, v), dot(u, w), dot(v, w)
    clamp = lambda t: max(0.0, min(1.0, t))

    def apart(s, t):
        return math.dist([p + s * q for p, q in zip(a, u)], [p + t * q for p, q in zip(c, v)])

    best = min(apart(0, clamp(vw / vv)), apart(1, clamp((vw + uv) / vv)), apart(clamp(-uw / uu), 0),
               apart(clamp((uv - uw) / uu), 1))
    det = uu * vv - uv * uv
    if det > 1e-12 * uu * vv:
        s, t = (uv * vw - vv * uw) / det, (uu * vw - uv * uw) / det
        if 0 <= s <= 1 and 0 <= t <= 1:
            best = min(best, apart(s, t))
    return best


def box(points, margin=0.0):
    return [min(v) - margin for v in zip(*points)], [max(v) + margin for v in zip(*points)]


def overlap(first, second):
    return all(first[0][i] <= second[1][i] and second[0][i] <= first[1][i] for i in range(3))


def cells_of(bounds, size):
    return [range(math.floor(a / size), math.floor(b / size) + 1) for a, b in zip(*bounds)]


def edges_through_triangles(parts, least):
    """(part, part, depth) of every edge that crosses a triangle. A uniform grid finds what is near."""
    edges = [(part, e, box([part.x[n] for n in e])) for part in parts for e in part.edges]
    tris = [(part, t, box([part.x[n] for n in t])) for part in parts for t in part.tris]
    if not edges or not tris:
        return
    size = sorted(math.dist(*bounds) for _, _, bounds in edges)[len(edges) // 2] or 1.0
    grid, large = collections.defaultdict(list), []
    for i, (_, _, bounds) in enumerate(tris):
        spans = cells_of(bounds, size)
        if math.prod(map(len, spans)) > wide:
            large.append(i)
            continue
        for cell in itertools.product(*spans):
            grid[cell].append(i)
    for part, edge, bounds in edges:
        near = set(large)
        for cell in itertools.product(*cells_of(bounds, size)):
            near.update(grid.get(cell, ()))
        for i in near:
            other, tri, around = tris[i]
            if not overlap(bounds, around) or part is other and not set(edge).isdisjoint(tri):
                continue
            depth = crossing_depth(*(part.x[n] for n in edge), *(other.x[n] for n in tri))
            if depth > least and not exempt(part, edge, other, tri):
                yield part, other, depth


def rods_in_rods(parts):
    """(part, part, missing distance) of segments nearer than their radii. A sweep along x finds what is near."""
    items = []
    for part in parts:
        for s in part.segments:
            bounds = box([part.x[n] for n in s], part.radius)
            items.append((bounds[0][0], bounds, part, s))
    items.sort(key=lambda item: item[0])
    for i, (_, bounds, part, s) in enumerate(items):
        for start, around, other, t in itertools.islice(items, i + 1, None):
            if start > bounds[1][0]:
                break
            if not overlap(bounds, around) or part is other and not set(s).isdisjoint(t):
                continue
            least = part.radius + other.radius
            apart = segment_distance(*(part.x[n] for n in s), *(other.x[n] for n in t))
            if apart < thin * least and not exempt(part, s, other, t):
                yield part, other, least - apart


def inside(point, part):
    """Whether a ray from the point leaves the closed surface an odd number of times."""
    direction = (0.5773, 0.6113, 0.5412)
    odd = False
    for t in part.tris:
        p, q, r = (minus(part.x[n], point) for n in t)
        signs = [dot(cross(u, v), direction) > 0 for u, v in ((p, q), (q, r), (r, p))]
        if signs[0] == signs[1] == signs[2]:
            normal = cross(minus(q, p), minus(r, p))
            odd ^= dot(p, normal) * dot(direction, normal) > 0
    return odd


def swallowed(parts, containers):
    for part in parts:
        if part.kind in ("shell", "rod") or part.name in containers:
            continue
        around = box(part.x)
        for other in parts:
            both_fixed = part.kind == "fixed" and other.kind == "fixed"
            if other is part or both_fixed or not overlap(around, (other.x[0], other.x[0])):
                continue
            # The end of a rope that is tied to the part may be in it.
            if inside(other.x[0], part) and inside(other.x[-1], part):
                yield part, other


def outside(part, domain, least):
    """By how much free vertices are too near to the sides of the domain, or beyond them."""
    worst = 0.0
    for n, x in enumerate(part.x):
        if n not in part.held:
            for lo, v, hi in zip(domain[0], x, domain[1]):
                worst = max(worst, lo + thin * part.radius - v, v - hi + thin * part.radius)
    return worst if worst > least else 0.0


def sides_of(domain):
    """The sides of the box of whole cells that is simulated."""
    spans = [b - a for a, b in zip(domain["min"], domain["max"])]
    dx = max(spans) / domain["resolution"]
    return domain["min"], [a + dx * max(1, math.floor(s / dx + 0.5)) for a, s in zip(domain["min"], spans)]


def penetrations(directory):
    """One line per pair of parts: the first frame in which they pass through each other."""
    run = Run(directory)
    domain = sides_of(run.scene["domain"])
    least = rounding * max(abs(v) for v in domain[0] + domain[1])
    containers = {s["name"] for s in run.scene.get("solid", []) if s["container"]}
    found = {}
    for frame in range(run.count):
        run.load(frame)
        here = {}
        for part, other, depth in edges_through_triangles(run.parts, least):
            key = ("cross", *sorted((part.name, other.name)))
            count, deepest = here.get(key, (0, 0.0))
            here[key] = (count + 1, max(deepest, depth))
        for part, other, missing in rods_in_rods(run.parts):
            key = ("rods", *sorted((part.name, other.name)))
            count, deepest = here.get(key, (0, 0.0))
            here[key] = (count + 1, max(deepest, missing))
        for key, (count, depth) in here.items():
            what = "edges cross triangles, the deepest by" if key[0] == "cross" else "segments are too near, at most by"
            found.setdefault(key, f"{key[1]} and {key[2]}: {count} {what} {depth:.2g} m in frame {frame}")
        for part, other in swallowed(run.parts, containers):
            if ("cross", *sorted((part.name, other.name))) not in here:
                found.setdefault(("in", part.name, other.name), f"{other.name} is inside {part.name} in frame {frame}")
        for part in run.parts:
            if part.kind != "fixed" and (by := outside(part, domain, least)):
                found.setdefault(("out", part.name), f"{part.name} passes a side of the domain by {by:.2g} m in frame "
                                                     f"{frame}")
    return list(found.values())


def deformed(directory, bound):
    """One line per rigid body of which a size, along one of three pairs of vertices, changes by more than a share."""
    run = Run(directory)
    rigid = [part for part in run.parts if part.kind == "rigid"]
    pairs = {part.name: [(min(range(len(part.x)), key=lambda n: part.x[n][a]),
                          max(range(len(part.x)), key=lambda n: part.x[n][a])) for a in range(3)] for part in rigid}
    first = {part.name: [math.dist(part.x[a], part.x[b]) for a, b in pairs[part.name]] for part in rigid}
    found = {}
    for frame in range(1, run.count):
        run.load(frame)
        for part in rigid:
            for (a, b), length in zip(pairs[part.name], first[part.name]):
                change = math.dist(part.x[a], part.x[b]) / length - 1
                if abs(change) > bound:
                    found.setdefault(part.name, f"the rigid {part.name} changes its size by {100 * change:+.1f} % in "
                                                f"frame {frame}")
    return list(found.values())
