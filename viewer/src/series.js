// Columns of numbers over time, from the lines of stats.jsonl and probes.csv.

const sum = (bodies, key) => bodies.reduce((total, body) => total + (body[key] ?? 0), 0);

const litres = (cubic) => (cubic === undefined ? null : 1000 * cubic);

// The plots, and how to compute their values from a step. A plot without any number is not shown.
export const statsPlots = [
  {
    key: "energy", title: "Energy", unit: "J",
    curves: {
      "liquid, kinetic": (s) => (s.liquid?.particles ? s.liquid.kinetic_energy : null),
      "liquid, potential": (s) => (s.liquid?.particles ? s.liquid.potential_energy : null),
      "gas, kinetic": (s) => s.gas?.kinetic_energy ?? null,
      "bodies, kinetic": (s) => (s.bodies?.some((b) => "elastic_energy" in b) ? sum(s.bodies, "kinetic_energy") : null),
      "bodies, elastic": (s) => (s.bodies?.some((b) => "elastic_energy" in b) ? sum(s.bodies, "elastic_energy") : null),
    },
  },
  {
    key: "drift", title: "Volume drift", unit: "%",
    curves: { liquid: (s) => (s.liquid?.expected_volume > 0 ? 100 * (s.liquid.volume / s.liquid.expected_volume - 1) : null) },
  },
  {
    key: "smoke", title: "Smoke of 1", unit: "L",
    curves: { "there is": (s) => litres(s.gas?.smoke), "there should be": (s) => litres(s.gas?.expected_smoke) },
  },
  { key: "temperature", title: "Hottest gas, above the surroundings", unit: "K", fromZero: true, curves: { most: (s) => s.gas?.max_temperature ?? null } },
  { key: "iterations", title: "Solver iterations", unit: "", fromZero: true, curves: { "a step": (s) => (s.solver?.unknowns > 0 ? s.solver.iterations : null) } },
  { key: "stages", title: "Time of a step", unit: "s", stacked: true, fromZero: true, curves: {} }, // one per stage
  { key: "dt", title: "Step Δt", unit: "s", fromZero: true, curves: { "Δt": (s) => s.dt } },
];

export class Table {
  constructor() {
    this.clear();
  }

  clear() {
    this.time = [];
    this.columns = new Map(); // "plot curve" → numbers, null if a step has none
  }

  add(time, row) {
    const n = this.time.length;
    for (const [name, value] of Object.entries(row)) {
      if (!this.columns.has(name)) this.columns.set(name, new Array(n).fill(null));
      this.columns.get(name)[n] = Number.isFinite(value) ? value : null;
    }
    for (const column of this.columns.values()) if (column.length === n) column.push(null);
    this.time.push(time);
  }

  // The last step that ended at or before a time; −1 before the first.
  at(time) {
    let low = 0;
    let high = this.time.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.time[middle] <= time + 1e-9) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

// One line of stats.jsonl as a row: "energy/liquid, kinetic" → number.
export function statsRow(step) {
  const row = {};
  for (const plot of statsPlots)
    for (const [name, of] of Object.entries(plot.curves)) {
      const value = of(step);
      if (value !== null && value !== undefined) row[`${plot.key}/${name}`] = value;
    }
  for (const [name, seconds] of Object.entries(step.stages ?? {})) row[`stages/${name}`] = seconds;
  return row;
}

// One plot per probe; its columns are its name, or its name with _x, _y, _z.
export const probePlots = (probes) => probes.map(({ name, type, unit }) => ({ key: `probe ${name}`, title: `${name}, ${type}`, unit }));

// Lines of probes.csv, the header first → rows; `columns` keeps the header.
export class ProbeReader {
  constructor(probes) {
    this.places = probes.flatMap(({ name }) => [[name, name], ...["x", "y", "z"].map((axis) => [`${name}_${axis}`, name, axis])]);
    this.columns = null;
  }

  // → [time, row], or null for the header.
  read(line) {
    const cells = line.split(",");
    if (!this.columns) {
      this.columns = cells.map((cell) => this.places.find(([column]) => column === cell));
      return null;
    }
    const row = {};
    this.columns.forEach((place, i) => {
      if (place) row[`probe ${place[1]}/${place[2] ?? "value"}`] = Number(cells[i]);
    });
    return [Number(cells[1]), row];
  }
}
