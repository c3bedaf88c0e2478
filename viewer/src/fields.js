// Fields that meshes can be coloured by, and the range of the colours.

export const fields = {
  speed: { label: "Speed", unit: "m/s" },
  von_mises: { label: "Von Mises stress", unit: "Pa" },
  pressure: { label: "Pressure", unit: "Pa" },
  film: { label: "Film of liquid", unit: "m" },
};

// From 0, dry, to 1: how wet a surface looks under a film of this thickness, m.
export const wetness = (film) => 1 - Math.exp(-Math.max(film, 0) / 6e-5);

// One number per point; null if the mesh does not have the field.
export function valuesOf(mesh, field) {
  if (field !== "speed") return mesh.fields[field] ?? null;
  const v = mesh.velocity;
  if (!v) return null;
  mesh.speed ??= Float32Array.from({ length: mesh.points }, (_, i) => Math.hypot(v[3 * i], v[3 * i + 1], v[3 * i + 2]));
  return mesh.speed;
}

// The range that holds all but the highest and lowest half per cent: so one sharp corner does not dominate the colours.
export function rangeOf(values) {
  if (values.length === 0) return null;
  const step = Math.max(1, Math.floor(values.length / 4000));
  const some = [];
  for (let i = 0; i < values.length; i += step) if (Number.isFinite(values[i])) some.push(values[i]);
  if (some.length === 0) return null;
  some.sort((a, b) => a - b);
  const at = (share) => some[Math.round(share * (some.length - 1))];
  return [Math.min(0, at(0.005)), at(0.995)];
}

const prefixes = [
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
  [1, ""],
  [1e-3, "m"],
  [1e-6, "µ"],
];

// Three digits and a prefix: 12300 Pa → "12.3 kPa".
export function quantity(value, unit) {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  const [scale, prefix] = size === 0 ? [1, ""] : (prefixes.find(([s]) => size >= s * 0.9995) ?? prefixes.at(-1));
  return `${Number((value / scale).toPrecision(3))} ${prefix}${unit}`;
}
