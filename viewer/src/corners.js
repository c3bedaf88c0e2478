// Separate triangles, each corner with its own normal: the mean over the triangles around its point that face nearly
// the same way. Edges of a box stay sharp, a ball stays round.

const sameWay = Math.cos((40 * Math.PI) / 180);

// Three numbers per triangle; the length is twice its area.
function faceNormals(position, index) {
  const normals = new Float32Array(index.length);
  for (let t = 0; t < index.length; t += 3) {
    const a = 3 * index[t], b = 3 * index[t + 1], c = 3 * index[t + 2];
    const ux = position[b] - position[a], uy = position[b + 1] - position[a + 1], uz = position[b + 2] - position[a + 2];
    const vx = position[c] - position[a], vy = position[c + 1] - position[a + 1], vz = position[c + 2] - position[a + 2];
    normals[t] = uy * vz - uz * vy;
    normals[t + 1] = uz * vx - ux * vz;
    normals[t + 2] = ux * vy - uy * vx;
  }
  return normals;
}

// One or three values per point → the same per corner.
export function atCorners(values, width, index) {
  const out = new Float32Array(width * index.length);
  for (let i = 0; i < index.length; ++i) for (let k = 0; k < width; ++k) out[width * i + k] = values[width * index[i] + k];
  return out;
}

export function cornerNormals(position, index) {
  const faces = faceNormals(position, index);
  const lengths = Float32Array.from({ length: index.length / 3 }, (_, f) => Math.hypot(faces[3 * f], faces[3 * f + 1], faces[3 * f + 2]));
  // The corners at each point, one after another.
  const start = new Uint32Array(position.length / 3 + 1);
  for (const point of index) ++start[point + 1];
  for (let p = 1; p < start.length; ++p) start[p] += start[p - 1];
  const at = new Uint32Array(index.length);
  const next = start.slice();
  index.forEach((point, corner) => (at[next[point]++] = corner));

  const out = new Float32Array(3 * index.length);
  for (let corner = 0; corner < index.length; ++corner) {
    const own = Math.floor(corner / 3);
    let x = 0, y = 0, z = 0;
    for (let i = start[index[corner]]; i < start[index[corner] + 1]; ++i) {
      const other = Math.floor(at[i] / 3);
      const along = faces[3 * own] * faces[3 * other] + faces[3 * own + 1] * faces[3 * other + 1] + faces[3 * own + 2] * faces[3 * other + 2];
      if (other !== own && along < sameWay * lengths[own] * lengths[other]) continue;
      x += faces[3 * other];
      y += faces[3 * other + 1];
      z += faces[3 * other + 2];
    }
    const length = Math.hypot(x, y, z) || 1;
    out.set([x / length, y / length, z / length], 3 * corner);
  }
  return out;
}
