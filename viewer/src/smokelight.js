// Smoke prepared for the graphics card: its density and the sunlight that reaches it, one byte each.
//
// The sun's light goes down the volume plane by plane: the optical depth above a cell is that of the point where the
// light crosses the next plane, interpolated between four cells, plus the smoke on the way from there.
import { towardSun } from "./light.js";

const faintest = 1e-3; // optical depth of the whole domain: less is invisible

// Optical depth between a cell's centre and the sun, of every cell. sigma: 1/m.
function depthsToSun({ cells: [nx, ny, nz], dx }, sigma) {
  const [sx, sy, sz] = towardSun;
  const [ox, oz] = [sx / sy, sz / sy]; // shift of a ray from plane to plane, in cells
  const half = (0.5 * dx) / sy;
  const depths = new Float32Array(sigma.length);
  const wx = ox - Math.floor(ox);
  const wz = oz - Math.floor(oz);
  for (let j = ny - 1; j >= 0; --j)
    for (let k = 0; k < nz; ++k)
      for (let i = 0; i < nx; ++i) {
        const at = i + nx * (j + ny * k);
        let above = 0;
        let passed = sigma[at];
        if (j + 1 < ny)
          for (let c = 0; c < 4; ++c) {
            const x = i + Math.floor(ox) + (c & 1);
            const z = k + Math.floor(oz) + (c >> 1);
            if (x < 0 || x >= nx || z < 0 || z >= nz) continue;
            const from = x + nx * (j + 1 + ny * z);
            const weight = (c & 1 ? wx : 1 - wx) * (c >> 1 ? wz : 1 - wz);
            above += weight * depths[from];
            passed += weight * sigma[from];
          }
        depths[at] = above + half * passed;
      }
  return depths;
}

// volume: from readNrrd; depth: m over which smoke of 1 transmits 1/e of the light.
// → { texels: √(σ / most), e^(−τ/4) of each cell in 0 … 255, most, low, high: the box that holds all visible smoke,
//     cells, dx, corner, points: how many cells have smoke, triangles, bytes }
export function lightSmoke(volume, depth) {
  const { cells, dx, low: corner, values } = volume;
  const least = faintest / (dx * Math.max(...cells));
  const sigma = new Float32Array(values.length);
  const first = [Infinity, Infinity, Infinity];
  const last = [-1, -1, -1];
  let most = 0;
  let points = 0;
  for (let at = 0; at < values.length; ++at) {
    const s = values[at] / depth;
    if (!(s > least)) continue;
    sigma[at] = s;
    most = Math.max(most, s);
    ++points;
    const c = [at % cells[0], Math.floor(at / cells[0]) % cells[1], Math.floor(at / (cells[0] * cells[1]))];
    for (let a = 0; a < 3; ++a) {
      first[a] = Math.min(first[a], c[a]);
      last[a] = Math.max(last[a], c[a]);
    }
  }
  const depths = depthsToSun(volume, sigma);
  const texels = new Uint8Array(2 * values.length);
  for (let at = 0; at < values.length; ++at) {
    texels[2 * at] = Math.round(255 * Math.sqrt(sigma[at] / (most || 1)));
    texels[2 * at + 1] = Math.round(255 * Math.exp(-depths[at] / 4));
  }
  // Interpolated values reach half a cell beyond the last cell with smoke.
  const low = first.map((c, a) => corner[a] + dx * Math.max(0, c - 0.5));
  const high = last.map((c, a) => corner[a] + dx * Math.min(cells[a], c + 1.5));
  return { texels, most, low, high, cells, dx, corner, points, triangles: 0, bytes: texels.length };
}
