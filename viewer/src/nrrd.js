// Volumes as coracle writes them: NRRD, raw little-endian floats at cell centres, x fastest.

// → { cells: [x, y, z], dx, low: the domain's low corner in m, values }
export function readNrrd(buffer) {
  const bytes = new Uint8Array(buffer);
  const text = new TextDecoder("latin1").decode(bytes.subarray(0, 4096));
  const end = text.indexOf("\n\n");
  if (!text.startsWith("NRRD") || end < 0) throw new Error("not an NRRD file");
  const entries = new Map(text.slice(0, end).split("\n").filter((line) => line.includes(": ")).map((line) => line.split(": ")));
  if (entries.get("type") !== "float" || entries.get("encoding") !== "raw" || entries.get("endian") !== "little")
    throw new Error("not raw little-endian floats");
  const numbers = (key) => (entries.get(key) ?? "").match(/-?[\d.]+(e[-+]?\d+)?/g)?.map(Number) ?? [];
  const cells = numbers("sizes");
  const [dx] = numbers("space directions");
  const first = numbers("space origin");
  const whole = cells.length === 3 && first.length === 3 && dx > 0 && cells.every((n) => Number.isInteger(n) && n > 0);
  if (!whole) throw new Error("a header that is not known");
  const count = cells[0] * cells[1] * cells[2];
  if (bytes.length !== end + 2 + 4 * count) throw new Error("the file is not as long as its header says");
  const values = new Float32Array(buffer.slice(end + 2)); // copied: the header may end anywhere
  return { cells, dx, low: first.map((x) => x - dx / 2), values };
}
