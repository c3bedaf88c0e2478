"""A small cube as a file of every mesh format that coracle reads; for tools/fuzz."""
import base64
import itertools
import json
import struct

lo, hi, cubes = 0.3, 0.6, 2
n = cubes + 1
points = [tuple(lo + (hi - lo) * c / cubes for c in (i, j, k)) for k in range(n) for j in range(n) for i in range(n)]


def tetrahedra():
    """Six per cube, around its diagonal."""
    found = []
    for cube in itertools.product(range(cubes), repeat=3):
        def corner(c):
            return sum((cube[a] + (c >> a & 1)) * n**a for a in range(3))
        for a, b, c in itertools.permutations(range(3)):
            even = (b - a) % 3 == 1
            one, two = 1 << a, 1 << a | 1 << b
            found.append([corner(0), corner(one if even else two), corner(two if even else one), corner(7)])
    return found


def surface(tets):
    count = {}
    for a, b, c, d in tets:
        for face in ((b, c, d), (a, d, c), (a, b, d), (a, c, b)):
            count.setdefault(tuple(sorted(face)), []).append(face)
    return [faces[0] for faces in count.values() if len(faces) == 1]


tets = tetrahedra()
tris = surface(tets)
tet_type = 4  # Gmsh


def obj():
    lines = [f"v {x:.9g} {y:.9g} {z:.9g}" for x, y, z in points] + [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in tris]
    return "\n".join(lines).encode() + b"\n"


def ply(binary):
    head = (f"ply\nformat {'binary_little_endian' if binary else 'ascii'} 1.0\nelement vertex {len(points)}\n"
            "property float x\nproperty float y\nproperty float z\n"
            f"element face {len(tris)}\nproperty list uchar int vertex_indices\nend_header\n").encode()
    if binary:
        return head + b"".join(struct.pack("<3f", *p) for p in points) + b"".join(
            struct.pack("<B3i", 3, *t) for t in tris)
    return head + "".join(f"{x:.9g} {y:.9g} {z:.9g}\n" for x, y, z in points).encode() + "".join(
        f"3 {a} {b} {c}\n" for a, b, c in tris).encode()


def stl(binary):
    if binary:
        body = b"".join(struct.pack("<12fH", 0, 0, 0, *(x for v in t for x in points[v]), 0) for t in tris)
        return bytes(80) + struct.pack("<I", len(tris)) + body
    text = "solid cube\n"
    for t in tris:
        text += "facet normal 0 0 0\nouter loop\n" + "".join(
            "vertex {:.9g} {:.9g} {:.9g}\n".format(*points[v]) for v in t) + "endloop\nendfacet\n"
    return (text + "endsolid cube\n").encode()


def gltf_buffer():
    return b"".join(struct.pack("<3f", *p) for p in points) + b"".join(struct.pack("<3I", *t) for t in tris)


def gltf(uri=None):
    vertices, indices = 12 * len(points), 12 * len(tris)
    buffer = {"byteLength": vertices + indices}
    if uri:
        buffer["uri"] = uri
    return json.dumps({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}], "buffers": [buffer],
        "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": vertices},
                        {"buffer": 0, "byteOffset": vertices, "byteLength": indices}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": len(points),
                       "min": [lo] * 3, "max": [hi] * 3},
                      {"bufferView": 1, "componentType": 5125, "type": "SCALAR", "count": 3 * len(tris)}]}).encode()


def glb():
    text, data = gltf(), gltf_buffer()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(data), 0x004E4942) + data
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def msh2(binary):
    out = f"$MeshFormat\n2.2 {int(binary)} 8\n".encode() + (struct.pack("<i", 1) + b"\n" if binary else b"")
    out += f"$EndMeshFormat\n$Nodes\n{len(points)}\n".encode()
    for i, p in enumerate(points):
        out += struct.pack("<i3d", i + 1, *p) if binary else "{} {} {} {}\n".format(i + 1, *p).encode()
    out += (b"\n" if binary else b"") + f"$EndNodes\n$Elements\n{len(tets)}\n".encode()
    if binary:
        out += struct.pack("<3i", tet_type, len(tets), 2)
    for i, t in enumerate(tets):
        corners = [v + 1 for v in t]
        out += (struct.pack("<7i", i + 1, 1, 1, *corners) if binary else
                "{} 4 2 1 1 {} {} {} {}\n".format(i + 1, *corners).encode())
    return out + (b"\n" if binary else b"") + b"$EndElements\n"


def msh4(binary):
    def small(*values):
        return struct.pack(f"<{len(values)}i", *values) if binary else (" ".join(map(str, values)) + " ").encode()

    def large(*values):
        return struct.pack(f"<{len(values)}Q", *values) if binary else (" ".join(map(str, values)) + "\n").encode()

    out = f"$MeshFormat\n4.1 {int(binary)} 8\n".encode() + (struct.pack("<i", 1) + b"\n" if binary else b"")
    count = len(points)
    out += b"$EndMeshFormat\n$Nodes\n" + large(1, count, 1, count) + small(3, 1, 0) + large(count)
    out += large(*range(1, count + 1))
    for p in points:
        out += struct.pack("<3d", *p) if binary else "{} {} {}\n".format(*p).encode()
    count = len(tets)
    out += b"\n$EndNodes\n$Elements\n" + large(1, count, 1, count) + small(3, 1, tet_type) + large(count)
    for i, t in enumerate(tets):
        out += large(i + 1, *(v + 1 for v in t))
    return out + b"\n$EndElements\n"


def medit():
    return (f"MeshVersionFormatted 2\nDimension 3\nVertices {len(points)}\n" +
            "".join("{} {} {} 0\n".format(*p) for p in points) + f"Tetrahedra {len(tets)}\n" +
            "".join("{} {} {} {} 1\n".format(*(v + 1 for v in t)) for t in tets) + "End\n").encode()


def meshb():
    out = struct.pack("<2i", 1, 2)

    def section(keyword, body):
        nonlocal out
        out += struct.pack("<2i", keyword, len(out) + 8 + len(body)) + body
    section(3, struct.pack("<i", 3))
    section(4, struct.pack("<i", len(points)) + b"".join(struct.pack("<3di", *p, 0) for p in points))
    section(8, struct.pack("<i", len(tets)) + b"".join(struct.pack("<5i", *(v + 1 for v in t), 0) for t in tets))
    return out + struct.pack("<2i", 54, 0)


def vtu(kind):
    """kind: ascii, binary (base64) or appended (raw)."""
    appended = b""

    def array(name, word, letter, values):
        nonlocal appended
        head = f'<DataArray type="{word}" Name="{name}" NumberOfComponents="{3 if name == "Points" else 1}" '.encode()
        if kind == "ascii":
            return head + b'format="ascii">' + " ".join(map(str, values)).encode() + b"</DataArray>\n"
        data = struct.pack(f"<{len(values)}{letter}", *values)
        data = struct.pack("<Q", len(data)) + data
        if kind == "binary":
            return head + b'format="binary">' + base64.b64encode(data) + b"</DataArray>\n"
        offset, appended = len(appended), appended + data
        return head + f'format="appended" offset="{offset}"/>\n'.encode()
    out = (b'<?xml version="1.0"?>\n<VTKFile type="UnstructuredGrid" version="1.0" byte_order="LittleEndian" '
           b'header_type="UInt64">\n<UnstructuredGrid>\n'
           + f'<Piece NumberOfPoints="{len(points)}" NumberOfCells="{len(tets)}">\n<Points>\n'.encode())
    out += array("Points", "Float64", "d", [x for p in points for x in p]) + b"</Points>\n<Cells>\n"
    out += array("connectivity", "Int32", "i", [v for t in tets for v in t])
    out += array("offsets", "Int64", "q", [4 * (i + 1) for i in range(len(tets))])
    out += array("types", "UInt8", "B", [10] * len(tets))
    out += b"</Cells>\n</Piece>\n</UnstructuredGrid>\n"
    if appended:
        out += b'<AppendedData encoding="raw">\n_' + appended + b"\n</AppendedData>\n"
    return out + b"</VTKFile>\n"


def node():
    return f"{len(points)} 3 0 0\n".encode() + "".join(
        "{} {} {} {}\n".format(i, *p) for i, p in enumerate(points)).encode()


def ele():
    return f"{len(tets)} 4 0\n".encode() + "".join(
        "{} {} {} {} {}\n".format(i, *t) for i, t in enumerate(tets)).encode()


# What is mutated, and the files that must lie beside it.
files = {
    "a.obj": obj(), "text.ply": ply(False), "binary.ply": ply(True), "text.stl": stl(False), "binary.stl": stl(True),
    "a.gltf": gltf("a.bin"), "a.glb": glb(), "text2.msh": msh2(False), "binary2.msh": msh2(True),
    "text4.msh": msh4(False), "binary4.msh": msh4(True), "a.mesh": medit(), "a.meshb": meshb(),
    "text.vtu": vtu("ascii"), "base64.vtu": vtu("binary"), "raw.vtu": vtu("appended"), "a.node": node(),
    "a.ele": ele(),
}
beside = {"a.gltf": {"a.bin": gltf_buffer()}, "a.node": {"a.ele": ele()}, "a.ele": {"a.node": node()}}
surfaces = {name for name in files if name.rsplit(".")[-1] in ("obj", "ply", "stl", "gltf", "glb")}
