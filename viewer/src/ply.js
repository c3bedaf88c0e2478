// Binary little-endian PLY as coracle writes it: float properties of the points, by name; triangles, or none.

const ending = "end_header\n";

function readHeader(bytes) {
  const text = new TextDecoder("latin1").decode(bytes.subarray(0, 4096));
  const end = text.indexOf(ending);
  if (!text.startsWith("ply\nformat binary_little_endian 1.0\n") || end < 0) throw new Error("not a binary PLY file");
  let points = 0;
  let triangles = 0;
  let element = "";
  const names = [];
  for (const line of text.slice(0, end).split("\n").slice(2)) {
    const [word, kind, value] = line.split(" ");
    if (word === "element") {
      element = kind;
      if (kind === "vertex") points = Number(value);
      else if (kind === "face") triangles = Number(value);
      else throw new Error(`an element that is not known: ${kind}`);
    } else if (word === "property" && element === "vertex") {
      if (kind !== "float") throw new Error(`${value} is ${kind}, not float`);
      names.push(value);
    } else if (word === "property" && line !== "property list uchar int vertex_indices") {
      throw new Error(`faces that are not known: ${line}`);
    }
  }
  return { points, triangles, names, start: end + ending.length };
}

// One or three properties, packed; null if the file does not have all of them.
function column(values, names, wanted, points) {
  const places = wanted.map((name) => names.indexOf(name));
  if (places.includes(-1)) return null;
  const stride = names.length;
  const width = places.length;
  const out = new Float32Array(points * width);
  for (let k = 0; k < width; ++k)
    for (let i = 0, from = places[k], to = k; i < points; ++i, from += stride, to += width) out[to] = values[from];
  return out;
}

// → { points, triangles, position, normal, velocity, fields: { von_mises, … }, index, bytes }
export function readPly(buffer) {
  const bytes = new Uint8Array(buffer);
  const { points, triangles, names, start } = readHeader(bytes);
  const faces = start + points * names.length * 4;
  if (bytes.length !== faces + triangles * 13) throw new Error("the file is not as long as its header says");

  const values = new Float32Array(buffer.slice(start, faces)); // copied: the header may end anywhere
  const vector = (prefix) => column(values, names, [`${prefix}x`, `${prefix}y`, `${prefix}z`], points);
  const position = vector("");
  if (!position) throw new Error("points without x, y, z");
  const normal = vector("n");
  const velocity = vector("v");
  const fields = {};
  for (const name of names) if (!/^[nv]?[xyz]$/.test(name)) fields[name] = column(values, names, [name], points);

  const index = new Uint32Array(triangles * 3);
  const view = new DataView(buffer, faces);
  for (let t = 0, at = 0, to = 0; t < triangles; ++t, at += 13) {
    if (bytes[faces + at] !== 3) throw new Error("a face that is no triangle");
    for (let k = 1; k < 13; k += 4) {
      const point = view.getInt32(at + k, true);
      if (point < 0 || point >= points) throw new Error("a triangle of a point that is not there");
      index[to++] = point;
    }
  }
  return { points, triangles, position, normal, velocity, fields, index, bytes: 4 * values.length + 4 * index.length };
}
