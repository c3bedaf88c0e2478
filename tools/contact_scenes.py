"""Random scenes of barrier contact for tools/soak: bodies of all kinds on a lattice, above solids, sheets or nets.

All lengths go with one size L, from 1 cm to 10 m. A body fits into a ball of diameter L, and places on the lattice are
1.15 L apart, so that everything starts at least 0.1 L apart. Times go with L over the fastest speed: a frame is the
time in which that covers a tenth to a half of L.
"""
import json
import math

pitch = 1.15   # L between places on the lattice
layers = 2     # places along y


def logarithmic(rng, low, high):
    return math.exp(rng.uniform(math.log(low), math.log(high)))


def direction(rng):
    while True:
        v = [rng.uniform(-1, 1) for _ in range(3)]
        length = math.hypot(*v)
        if 0.1 < length < 1:
            return [c / length for c in v]


def scaled(v, s):
    return [s * c for c in v]


def plus(a, b):
    return [x + y for x, y in zip(a, b)]


def volume(rng, center, size):
    """A shape with a volume, within a ball of diameter `size`."""
    r = size / 2
    kind = rng.choice(["sphere", "box", "box", "cylinder", "torus"])
    turn = [rng.uniform(0, 90) for _ in range(3)]
    if kind == "sphere":
        return {"shape": kind, "center": center, "radius": r * rng.uniform(0.5, 1)}
    if kind == "box":
        sides = [rng.uniform(0.3, 1) for _ in range(3)]
        return {"shape": kind, "center": center, "size": scaled(sides, 2 * r / math.hypot(*sides)), "rotate": turn}
    if kind == "cylinder":
        return {"shape": kind, "center": center, "radius": 0.6 * r, "height": r * rng.uniform(0.5, 1.5), "rotate": turn}
    return {"shape": kind, "center": center, "radius": 0.65 * r, "tube": 0.3 * r, "rotate": turn}


def material(rng):
    return {"young": logarithmic(rng, 1e3, 1e9), "poisson": rng.uniform(0.1, 0.45),
            "density": logarithmic(rng, 100, 3000), "friction": rng.choice([0, 0.1, 0.3, 0.6, 1]),
            "damping_mass": rng.choice([0, 0, 1]), "damping_stiffness": rng.choice([0, 0, 1e-3])}


def solid(rng, center, size):
    body = {"kind": "solid", **volume(rng, center, size), **material(rng),
            "material": rng.choice(["corotational", "fixed_corotated", "stable_neo_hookean", "neo_hookean"])}
    if body["shape"] == "box" and rng.random() < 0.6:
        body |= {"mesh": "grid6", "cells": [rng.randint(1, 3) for _ in range(3)],
                 "element": rng.choice(["linear", "linear", "quadratic"])}
    else:
        body["edge"] = size * (rng.uniform(0.12, 0.15) if body["shape"] == "torus" else rng.uniform(0.18, 0.3))
    return body


def rigid(rng, center, size):
    return {"kind": "rigid", **volume(rng, center, size), "edge": size * rng.uniform(0.15, 0.4),
            "density": logarithmic(rng, 100, 5000), "friction": rng.choice([0, 0.1, 0.3, 0.6, 1])}


def plane(rng):
    """Two directions at right angles."""
    along = direction(rng)
    other = direction(rng)
    across = [along[1] * other[2] - along[2] * other[1], along[2] * other[0] - along[0] * other[2],
              along[0] * other[1] - along[1] * other[0]]
    length = math.hypot(*across)
    return (along, scaled(across, 1 / length)) if length > 0.1 else plane(rng)


def shell(rng, center, size):
    body = {"kind": "shell", **material(rng), "shell_thickness": size * logarithmic(rng, 1e-3, 2e-2),
            "edge": size * rng.uniform(0.12, 0.25)}
    if rng.random() < 0.3:
        return body | {"shape": "sphere", "center": center, "radius": size * rng.uniform(0.3, 0.45)}
    along, across = plane(rng)
    return body | {"shape": "rectangle", "center": center, "along": scaled(along, 0.65 * size),
                   "across": scaled(across, 0.65 * size)}


def rod(rng, center, size):
    body = {"kind": "rod", **material(rng), "rod_radius": size * logarithmic(rng, 4e-3, 3e-2),
            "edge": size * rng.uniform(0.06, 0.2)}
    along, across = plane(rng)
    if rng.random() < 0.25:
        return body | {"shape": "net", "center": center, "along": scaled(along, 0.6 * size),
                       "across": scaled(across, 0.6 * size), "spacing": 0.2 * size}
    if rng.random() < 0.5:  # straight
        return body | {"shape": "line", "points": [plus(center, scaled(along, s * size)) for s in (-0.45, 0.45)]}
    third = [along[1] * across[2] - along[2] * across[1], along[2] * across[0] - along[0] * across[2],
             along[0] * across[1] - along[1] * across[0]]
    points = []  # a coil of two turns
    for i in range(25):
        angle = 4 * math.pi * i / 24
        points.append(plus(center, plus(scaled(along, 0.25 * size * math.cos(angle)), plus(
            scaled(across, 0.25 * size * math.sin(angle)), scaled(third, size * 0.6 * (i / 24 - 0.5))))))
    return body | {"shape": "line", "points": points, "rod_radius": min(body["rod_radius"], 0.02 * size)}


def stretched_out(rng, center, size, wide):
    """A sheet or a net across the domain, held at some sides."""
    make = rng.choice(["shell", "rod"])
    sides = {"center": center, "along": [wide, 0, 0], "across": [0, 0, -wide]}
    if make == "shell":
        body = {"kind": "shell", "shape": "rectangle", **sides, "shell_thickness": size * logarithmic(rng, 1e-3, 1e-2),
                "edge": size * rng.uniform(0.2, 0.3)}
    else:
        body = {"kind": "rod", "shape": "net", **sides, "spacing": size * rng.uniform(0.25, 0.35),
                "rod_radius": size * logarithmic(rng, 5e-3, 2e-2), "edge": size * rng.uniform(0.1, 0.35)}
    held = rng.choice([["x_min", "x_max"], ["x_min", "x_max", "z_min", "z_max"], ["z_min"]])
    return body | material(rng) | {"hold": [{"type": "pin", "side": side} for side in held]}


def motion(rng, size, time, end):
    """Of a solid or a held part: by at most half the size, or a turn."""
    way = scaled(direction(rng), size * rng.uniform(0.1, 0.5))
    kind = rng.choice(["velocity", "oscillation", "keyframes"])
    if kind == "velocity":
        return {"type": kind, "velocity": scaled(way, 1 / (end * time)), "end": end * time}
    if kind == "oscillation":
        return {"type": kind, "amplitude": scaled(way, 0.5), "frequency": 1 / (rng.uniform(3, 8) * time)}
    return {"type": kind, "times": [0, 0.4 * end * time, end * time], "offsets": [[0, 0, 0], way, [0, 0, 0]]}


def front(rng, center, size, wide, time, frames):
    """What bodies meet: a static or scripted solid."""
    bar = 0.3 * size
    shape = rng.choice([
        {"shape": "box", "size": [wide, bar, wide]},
        {"shape": "box", "size": [bar, bar, wide], "rotate": [0, 0, rng.uniform(0, 90)]},
        {"shape": "sphere", "radius": 0.45 * size},
        {"shape": "cylinder", "radius": 0.2 * size, "height": wide, "axis": [1, 0, rng.uniform(-1, 1)]},
    ])
    made = {"name": "front", "center": center, **shape}
    if rng.random() < 0.5:
        made["motion"] = [motion(rng, size, time, frames)]
    elif shape["shape"] == "cylinder" and rng.random() < 0.5:
        made["motion"] = [{"type": "rotation", "axis": shape["axis"], "pivot": center,
                           "rate": rng.uniform(-0.5, 0.5) / time}]
    return made


def hung(rng, body, center, size):
    """A rope from the top of a body, held at its other end, and the attachment."""
    radius = size * rng.uniform(0.005, 0.02)
    # A ball's mesh has the ball's volume, and so its vertices lie up to 5 % outside.
    top = plus(center, [0, 1.06 * body["radius"] + body.get("shell_thickness", 0) + 1.5 * radius, 0])
    rope = {"name": "rope", "kind": "rod", "shape": "line", **material(rng), "rod_radius": radius,
            "edge": size * rng.uniform(0.05, 0.15), "points": [top, plus(top, [0, 0.4 * size, 0])]}
    rope["young"] = max(rope["young"], 1e5)
    if rng.random() < 0.8:
        rope["hold"] = [{"type": "pin", "side": "y_max"}]
    return rope, {"body": "rope", "to": body["name"], "points": [top]}


def beside(rng, held, center, size):
    """A box that starts just above a held sheet or net."""
    sides = [0.6 * size, 0.25 * size, 0.6 * size]
    thick = held.get("shell_thickness", 2 * held.get("rod_radius", 0)) / 2
    gap = size * logarithmic(rng, 1e-4, 3e-2)
    made = rng.choice([{"kind": "rigid", "edge": 0.3 * size},
                       {"kind": "solid", "mesh": "grid6", "cells": [2, 1, 2], "young": logarithmic(rng, 1e4, 1e9)}])
    return {"name": "beside", "shape": "box", "center": plus(center, [0, thick + gap + sides[1] / 2, 0]), "size": sides,
            "density": logarithmic(rng, 100, 3000), **made}


def press(size):
    """Two plates that close on the lattice."""
    plate = [2.6 * size, 0.2 * size, 2.6 * size]
    return [{"name": f"jaw_{side}", "shape": "box", "center": [0, y * size, 0], "size": plate}
            for side, y in (("low", -1.5), ("high", 1.5))]


def random_scene(rng, hard=False):
    """A scene as a dictionary. `hard`: also starts near held parts, and presses."""
    size = logarithmic(rng, 0.01, 10)
    speed = rng.choice([0, logarithmic(rng, 0.1, 50)])
    fastest = max(speed, math.sqrt(9.81 * size))
    frames = rng.randint(8, 16)
    time = rng.uniform(0.1, 0.5) * size / fastest  # of a frame
    wet = rng.random() < 0.12
    across = 1 if wet else rng.randint(1, 2)
    wide = 2.6 * size
    half = [1.6 * size, 2.4 * size, 1.6 * size]  # whole cells of a fifth of the size
    weightless = speed > 0 and rng.random() < 0.4
    scene = {"gravity": [0, 0 if weightless else -9.81, 0],
             "domain": {"min": scaled(half, -1), "max": half, "resolution": 24},
             "time": {"frames": frames, "fps": 1 / time, "max_dt": time / rng.choice([1, 1, 2, 5]),
                      "min_dt": 1e-5 * time},
             "contact": {"kind": "barrier", "friction": rng.choice([0, 0.3, 1])},
             "elastic": {"integrator": rng.choice(["backward_euler", "backward_euler", "midpoint"])},
             "output": {"paraview": True, "surface": False, "volume": False}, "body": []}
    bodies = scene["body"]
    if wet:
        surface = [half[0], -0.6 * size, half[2]]
        scene["liquid"] = {"region": [{"shape": "box", "min": scaled(half, -1), "max": surface}]}

    # What the bodies meet, below the lattice.
    below = [0, -1.6 * size, 0]
    chance = rng.random()
    if hard and chance < 0.3:
        scene["solid"] = press(size)
        for jaw, way in zip(scene["solid"], (0.5, -0.5)):
            jaw["motion"] = [{"type": "velocity", "velocity": [0, way * size / (frames * time), 0]}]
    elif chance < 0.45:
        scene["solid"] = [front(rng, below, size, wide, time, frames)]
    elif chance < 0.9 and not wet:
        bodies.append({"name": "held", **stretched_out(rng, below, size, wide)})
        if rng.random() < 0.3:
            bodies[0]["hold"][0]["motion"] = [motion(rng, 0.3 * size, time, frames)]
        elif hard:
            bodies.append(beside(rng, bodies[0], below, size))

    # Bodies on the lattice. They fly at the centre, at what is below them, or anywhere.
    target = rng.choice([[0, 0, 0], below, None])
    kinds = [solid, rigid] if wet else [solid, solid, rigid, rigid, shell, rod]
    places = [(i, j, k) for j in range(layers) for i in range(across) for k in range(across)]
    for n, (i, j, k) in enumerate(places):
        if n > 0 and rng.random() < 0.35:
            continue
        center = scaled([i - (across - 1) / 2, j - (layers - 1) / 2, k - (across - 1) / 2], pitch * size)
        center = plus(center, scaled(direction(rng), 0.01 * size))
        body = {"name": f"b{n}", **rng.choice(kinds)(rng, center, 0.96 * size)}
        way = direction(rng)
        if target and math.dist(target, center) > 0:
            way = scaled(plus(target, scaled(center, -1)), 1 / math.dist(target, center))
        body["velocity"] = scaled(way, speed * rng.uniform(0.3, 1))
        if rng.random() < 0.3 and body["kind"] != "rod":
            body["spin"] = scaled(direction(rng), rng.uniform(0, 0.5) * fastest / size)
        if rng.random() < 0.1 and body["kind"] != "rod":
            body["hold"] = [{"type": "pin", "side": rng.choice(["x_min", "y_max", "z_max"])}]
        bodies.append(body)
        pressed = len(scene.get("solid", [])) == 2  # no room for a rope
        if j == layers - 1 and body["shape"] == "sphere" and "attachment" not in scene and not pressed:
            rope, tie = hung(rng, body, center, size)
            bodies.append(rope)
            scene["attachment"] = [tie]
    return scene


def to_toml(table, path=""):
    """Values first, then tables, then lists of tables."""
    plain, below = [], []
    for key, value in table.items():
        name = f"{path}{key}"
        if isinstance(value, dict):
            below.append(f"\n[{name}]\n{to_toml(value, name + '.')}")
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            below += [f"\n[[{name}]]\n{to_toml(entry, name + '.')}" for entry in value]
        else:
            plain.append(f"{key} = {json.dumps(value)}\n")
    return "".join(plain + below)
