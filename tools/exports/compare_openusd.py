# Compares OpenUSD's data for a renderer with the PLY files of the same frames:
#   compare_openusd.py found.json PLY_FOLDER FRAME...
import json
import struct
import sys

found = json.load(open(sys.argv[1]))
folder, frames = sys.argv[2], sys.argv[3:]


def ply(name, frame):
    data = open(f"{folder}/{name}.{int(frame):04}.ply", "rb").read()
    header, body = data.split(b"end_header\n", 1)
    points, tris = (int(line.split()[2]) for line in header.splitlines() if line.startswith(b"element"))
    row = 4 * sum(line.startswith(b"property float") for line in header.splitlines())
    return {
        "points": [c for p in range(points) for c in struct.unpack_from("<3f", body, p * row)],
        "corners": [c for t in range(tris) for c in struct.unpack_from("<3i", body, points * row + 13 * t + 1)],
    }


assert found["end"] == int(frames[-1]) and found["perSecond"] > 0
for frame in frames:
    for prim, name in (("/run/water", "surface"), ("/run/beam", "body_beam")):
        given, expected = found["times"][frame][prim], ply(name, frame)
        for key in expected:
            assert given[key] == expected[key], (prim, key, "not the same bits")
        print(f"  frame {frame}, {prim}: {len(given['points']) // 3} points, {len(given['corners']) // 3} triangles")
        assert given["material"] == prim.replace("/run/", "/run/materials/")
water = [found["times"][f]["/run/water"]["corners"] for f in frames]
assert all(a != b for a, b in zip(water, water[1:])), "the triangles change from frame to frame"
assert abs(found["times"][frames[0]]["/run/materials/water"]["values"]["ior"] - 1.33) < 1e-6
