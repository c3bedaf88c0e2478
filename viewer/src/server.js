// Requests to the program: /api/run, and files of the run under /run/.
import { readNrrd } from "./nrrd.js";
import { readPly } from "./ply.js";

async function ask(path, options = {}) {
  const response = await fetch(path, options);
  if (!response.ok && response.status !== 416) throw new Error((await response.text()).trim() || response.statusText);
  return response;
}

export const askRun = async () => (await ask("api/run", { cache: "no-store" })).json();

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

  restart() {
    this.read = 0; // bytes
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
    return new TextDecoder().decode(all.subarray(0, end)).split("\n").filter(Boolean);
  }
}
