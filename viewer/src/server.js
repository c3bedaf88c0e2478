// Requests to the program: /api/run, /api/control, and files of the run under /run/.
import { readNrrd } from "./nrrd.js";
import { readPly } from "./ply.js";

// What the server answered if it did not do what it was asked; of no connection, fetch throws a TypeError.
export class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function ask(path, options = {}) {
  const response = await fetch(path, options);
  if (!response.ok && response.status !== 416) throw new Refusal(response.status, (await response.text()).trim() || response.statusText);
  return response;
}

export const askRun = async () => (await ask("api/run", { cache: "no-store" })).json();

// "pause", "go_on" or "stop".
export const askControl = (word, token) => ask(`api/control/${word}`, { method: "POST", headers: { "Coracle-Token": token } });

// version: of the run, so that cached frames of an earlier run are not used.
const askFrame = async (name, version, signal) => (await ask(`run/frames/${encodeURIComponent(name)}?${version}`, { signal })).arrayBuffer();
export const askMesh = async (...what) => readPly(await askFrame(...what));
export const askVolume = async (...what) => readNrrd(await askFrame(...what));

// A file that grows by lines: each call returns the new complete lines.
export class Tail {
  constructor(name) {
    this.name = name;
    this.restart();
  }

  // from: byte to begin at, within a line that is then left out.
  restart(from = 0) {
    this.read = from; // bytes
    this.within = from > 0;
    this.rest = new Uint8Array(0); // start of a line that is not complete yet
  }

  async lines() {
    const response = await ask(`run/${this.name}`, { cache: "no-store", headers: { Range: `bytes=${this.read}-` } });
    if (response.status === 416) return []; // nothing new
    const news = new Uint8Array(await response.arrayBuffer());
    this.read += news.length;
    const all = new Uint8Array(this.rest.length + news.length);
    all.set(this.rest);
    all.set(news, this.rest.length);
    const end = all.lastIndexOf(10) + 1;
    this.rest = all.slice(end);
    const lines = new TextDecoder().decode(all.subarray(0, end)).split("\n");
    if (this.within && end > 0) {
      lines.shift();
      this.within = false;
    }
    return lines.filter(Boolean);
  }
}
