// Viridis: equal steps of the value look equal, also without colour vision and in grey.
const stops = ["440154", "482475", "414487", "355f8d", "2a788e", "21918c", "22a884", "44bf70", "7ad151", "bddf26", "fde725"];

const rgb = stops.map((hex) => [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255));
const toLinear = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);

const steps = 256;
const table = new Float32Array(3 * steps); // linear light, as three.js takes vertex colours
for (let i = 0; i < steps; ++i) {
  const at = (i / (steps - 1)) * (rgb.length - 1);
  const low = Math.min(Math.floor(at), rgb.length - 2);
  for (let c = 0; c < 3; ++c) table[3 * i + c] = toLinear(rgb[low][c] + (at - low) * (rgb[low + 1][c] - rgb[low][c]));
}

export const gradient = `linear-gradient(to top, ${stops.map((hex) => `#${hex}`).join(", ")})`;

// Colours of values within [low, high], three floats each; values outside take the colour of the nearer end.
export function colours(values, low, high) {
  const out = new Float32Array(3 * values.length);
  const scale = high > low ? (steps - 1) / (high - low) : 0;
  for (let i = 0; i < values.length; ++i) {
    const step = Math.min(Math.max(Math.round((values[i] - low) * scale), 0), steps - 1) || 0;
    out[3 * i] = table[3 * step];
    out[3 * i + 1] = table[3 * step + 1];
    out[3 * i + 2] = table[3 * step + 2];
  }
  return out;
}
