#!/usr/bin/env python3
"""The gallery: every scene with its picture, its command and what must hold of it.

tools/gallery.py > docs/gallery.md            write the page again
tools/gallery.py picture RUN NAME [FRAME]     render docs/images/gallery/NAME.jpg from a run of the scene NAME
"""
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GROUPS = {
    "cutcell": ("Liquid on a grid, exact cut cells", "cutcell.md"),
    "simultaneous": ("Fluids on a grid, whole faces", "simultaneous.md"),
    "proxy": ("Liquid of particles", "proxy.md"),
    "skinned": ("Liquid on the skin of characters", "skinned.md"),
    "dry": ("Bodies and contact, without a fluid", "contact.md"),
}


def number(value):
    return f"{value:g}"


def bound(expectation):
    parts = [f"{word} {number(expectation[key])}" for key, word in (("at_least", "at least"), ("at_most", "at most"))
             if key in expectation]
    return ", ".join(parts)


def method_of(scene):
    wet = "jet" in scene or "gas" in scene or "inflow" in scene or scene.get("liquid", {}).get("region")
    return scene.get("method", "cutcell") if wet else "dry"


def picture_of(name):
    for file in (f"images/gallery/{name}.jpg", f"images/{name}.png"):
        if (ROOT / "docs" / file).exists():
            return file
    sys.exit(f"the scene {name} has no picture: tools/gallery.py picture RUN {name}")


def entry(folder, scene):
    name = folder.name
    presets = ", ".join(f"`{preset}`" for preset in scene.get("preset", {}))
    heading = (folder / "README.md").read_text().splitlines()[0].removeprefix("# ")
    out = [f"### {name}", "", f"{scene['title']}. [Physics and source](../scenes/{name}/README.md),",
           f"[scene file](../scenes/{name}/scene.toml).", ""]
    out += [f"![{heading}]({picture_of(name)})", ""]
    out += ["```sh", f"coracle run {name}" + (" --preset quick" if "quick" in scene.get("preset", {}) else ""), "```", ""]
    if presets:
        out += [f"Presets: `preview` (the scene as written), {presets}.", ""]
    expectations = folder / "expect.toml"
    if expectations.exists():
        out += ["| what must hold | |", "|--|--|"]
        for expect in tomllib.loads(expectations.read_text())["expect"]:
            only = f" ({', '.join(expect['presets'])})" if "presets" in expect else ""
            out.append(f"| {expect['claim'].replace('|', chr(92) + '|')} | {bound(expect)}{only} |")
        out.append("")
    return out


def page():
    scenes = {file.parent: tomllib.loads(file.read_text()) for file in sorted(ROOT.glob("scenes/*/scene.toml"))}
    out = ["# Gallery", "",
           "Every scene that ships, with the command that runs it and what its `expect.toml` demands of it. A run prints a",
           "table of these demands and whether they hold. This page is written by `tools/gallery.py`; a test compares the",
           "two. Most pictures are drawn from the preset `quick`, which is coarse; without a preset a scene is finer.", ""]
    for method, (title, link) in GROUPS.items():
        out += [f"## {title}", "", f"[How it works]({link}).", ""]
        for folder, scene in scenes.items():
            if method_of(scene) == method:
                out += entry(folder, scene)
    return "\n".join(out).rstrip() + "\n"


def make_picture(run, name, *frame):
    """480 pixels wide, at most 60 kB."""
    out = ROOT / f"docs/images/gallery/{name}.jpg"
    out.parent.mkdir(exist_ok=True)
    png = Path(run) / "gallery.png"
    subprocess.run([ROOT / "build/coracle", "render", run, "-o", png, "--size", "480x270", "--samples", "64", "-q",
                    *(["--frame", frame[0]] if frame else [])], check=True)
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", png, "-q:v", "3", out], check=True)
    if out.stat().st_size > 60_000:
        sys.exit(f"{out} is larger than 60 kB")


if __name__ == "__main__":
    if sys.argv[1:2] == ["picture"] and len(sys.argv) in (4, 5):
        make_picture(*sys.argv[2:])
    elif len(sys.argv) == 1:
        print(page(), end="")
    else:
        sys.exit(__doc__)
