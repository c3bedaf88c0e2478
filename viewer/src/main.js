// The page: the run's contents, the current frame, and playback.
import "./style.css";
import { FileCache } from "./files.js";
import { rangeOf, valuesOf } from "./fields.js";
import { ControlPanel } from "./control.js";
import { fillLayers } from "./layers.js";
import { writeLegends } from "./legends.js";
import { LogPanel } from "./log.js";
import { Plot } from "./plots.js";
import { duration, TimeLeft } from "./progress.js";
import { probePlots, ProbeReader, statsPlots, statsRow, Table } from "./series.js";
import { askMesh, askRun, askVolume, Tail } from "./server.js";
import { lightSmoke } from "./smokelight.js";
import { Stage } from "./stage.js";

const pollWhileGoing = 1500; // ms
const pollWhenDone = 5000;
const pollAfterRequest = 200;
const logBytes = 32768; // of run.log, that are read at first
const framesRemembered = 4; // by the time that is left
const framesAhead = 4;

const $ = (id) => document.getElementById(id);
const stage = startStage();
const stats = { tail: new Tail("stats.jsonl"), table: new Table() };
const probes = { tail: new Tail("probes.csv"), table: new Table(), reader: null };
const log = { tail: new Tail("run.log"), panel: new LogPanel($("log")) };
const timeLeft = new TimeLeft(1);
const files = new FileCache(async (name, signal) => {
  const { version, smoke } = state.run;
  return name.endsWith(".nrrd") ? lightSmoke(await askVolume(name, version, signal), smoke.depth) : askMesh(name, version, signal);
});

const state = {
  run: null,
  index: -1, // into run.frames: the requested frame
  frame: null, // the number of the visible frame
  playing: false,
  due: 0, // ms: when the next frame is
  gone: false,
  choice: { shown: {}, colour: { liquid: "", particles: "", bodies: "", skins: "" } },
  ranges: {}, // field → [low, high] over the frames seen
};

function startStage() {
  try {
    return new Stage($("view"));
  } catch (error) {
    $("message").hidden = false;
    $("message").textContent = "This browser draws nothing in three dimensions: it has no WebGL 2, or it is switched off.";
    throw error;
  }
}

// ---- One frame

const number = (frame) => String(frame).padStart(4, "0");

// The visible parts of a frame: key of the stage → file.
function filesOf(frame) {
  const { run, choice } = state;
  const wanted = {};
  if (run.liquid && choice.shown.liquid) wanted.liquid = `surface.${number(frame)}.ply`;
  if (run.drops && choice.shown.liquid) wanted.drops = `drops.${number(frame)}.ply`;
  if (run.smoke && choice.shown.smoke) wanted.smoke = `smoke.${number(frame)}.nrrd`;
  if (run.particles && choice.shown.particles) wanted.particles = `particles.${number(frame)}.ply`;
  for (const { name } of run.bodies)
    if (choice.shown[`body_${name}`]) wanted[`body_${name}`] = `body_${name}.${number(frame)}.ply`;
  for (const { name, moving, film } of run.solids)
    if (choice.shown[`solid_${name}`]) wanted[`solid_${name}`] = `solid_${name}.${number(moving || film ? frame : 0)}.ply`;
  return wanted;
}

const loaded = (frame) => Object.values(filesOf(frame)).every((name) => files.has(name));

let asked = 0;
async function show(index) {
  const { run } = state;
  if (!run || run.frames.length === 0) return;
  state.index = Math.max(0, Math.min(index, run.frames.length - 1));
  const frame = run.frames[state.index];
  const ticket = ++asked;
  const wanted = filesOf(frame);
  const ahead = run.frames.slice(state.index + 1, state.index + 1 + framesAhead);
  if (state.playing && $("loop").checked && ahead.length < framesAhead) ahead.push(...run.frames.slice(0, framesAhead - ahead.length));
  files.want([frame, ...ahead].flatMap((f) => Object.values(filesOf(f))));
  writeClock();
  try {
    const keys = Object.keys(wanted);
    const meshes = await Promise.all(keys.map((key) => files.get(wanted[key])));
    if (ticket !== asked) return; // another frame was requested meanwhile
    stage.setMeshes(Object.fromEntries(keys.map((key, i) => [key, meshes[i]])));
    state.frame = frame;
    colour();
    banner("frame", "");
  } catch (error) {
    if (ticket === asked && error.name !== "AbortError" && !state.gone) banner("frame", `Frame ${frame} cannot be shown: ${error.message}. ${remedy()}`);
  }
}

const remedy = () => `To see what is wrong and how to mend it: coracle info ${state.run.folder}`;

function groupOf(key) {
  if (key === "drops") return "liquid";
  if (key === "liquid" || key === "particles") return key;
  if (key.startsWith("body_")) return "bodies";
  return state.run.solids.some(({ name, film }) => film && key === `solid_${name}`) ? "skins" : "";
}

// Colours by the ranges over the frames seen; with `refit`, that field's range comes from this frame alone.
function colour(refit) {
  const { choice, ranges } = state;
  const used = {};
  const coloured = [...stage.parts].filter(([key]) => groupOf(key));
  if (refit) delete ranges[refit];
  for (const [key, part] of coloured) {
    const field = choice.colour[groupOf(key)];
    const values = field && part.object.visible && valuesOf(part.mesh, field);
    const range = values && rangeOf(values);
    if (!range) continue;
    const before = ranges[field] ?? range;
    used[field] = ranges[field] = [Math.min(before[0], range[0]), Math.max(before[1], range[1])];
  }
  for (const [key] of coloured) {
    const field = choice.colour[groupOf(key)];
    stage.colour(key, field || null, ranges[field] ?? [0, 1]);
  }
  writeLegends($("legends"), used, colour);
}

function layersChanged() {
  for (const [key, on] of Object.entries(state.choice.shown)) stage.show(key, on);
  colour();
  show(state.index);
}

// ---- Time

const timeOf = (index) => (state.run?.frames[index] ?? 0) / (state.run?.fps ?? 1);

function seek(index) {
  if (index < (state.run?.frames.length ?? 0) - 1) $("follow").checked = false;
  show(index);
}

function seekTime(time) {
  const { frames, fps } = state.run;
  let best = 0;
  frames.forEach((frame, i) => {
    if (Math.abs(frame / fps - time) < Math.abs(frames[best] / fps - time)) best = i;
  });
  pause();
  seek(best);
}

function play() {
  const { run } = state;
  if (!run || run.frames.length < 2) return;
  state.playing = true;
  state.due = performance.now();
  $("follow").checked = false;
  if (state.index >= run.frames.length - 1) show(0);
  writePlay();
}

function pause() {
  state.playing = false;
  writePlay();
}

// Shows the next frame when it is due and loaded: a slow machine shows all frames, but later.
function tick(now) {
  requestAnimationFrame(tick);
  const { run } = state;
  if (!state.playing || !run || now < state.due) return;
  if (state.frame !== run.frames[state.index]) return;
  let next = state.index + 1;
  if (next >= run.frames.length) {
    if (!$("loop").checked) return pause();
    next = 0;
  }
  if (!loaded(run.frames[next])) return;
  const step = next > 0 ? timeOf(next) - timeOf(state.index) : 0.5;
  state.due = Math.max(state.due, now - 100) + (1000 * step) / Number($("speed").value);
  show(next);
}
requestAnimationFrame(tick);

// ---- Texts of the page

function writePlay() {
  $("play").className = state.playing ? "playing" : "";
  $("play").ariaLabel = state.playing ? "Pause" : "Play";
}

function writeClock() {
  const { run, index } = state;
  const slider = $("slider");
  slider.max = Math.max(0, run.frames.length - 1);
  slider.value = index;
  slider.style.setProperty("--share", slider.max > 0 ? index / slider.max : 0);
  $("frame").textContent = index >= 0 ? `${run.frames[index]} / ${run.frames.at(-1)}` : "–";
  $("time").textContent = index >= 0 ? `${timeOf(index).toFixed(3)} s` : "";
  drawPlots();
}

function writeFacts() {
  const { run } = state;
  document.title = run.title ? `${run.title} – Coracle` : "Coracle";
  $("title").textContent = run.title || run.folder;
  $("facts").textContent = `${run.domain.cells.join(" × ")} cells of ${Number((1000 * run.domain.dx).toPrecision(3))} mm, ${run.fps} frames/s${run.preset ? `, ${run.preset}` : ""}`;
  $("state").className = run.state;
  const part = run.state === "complete" ? "" : ` · frame ${run.frames.at(-1) ?? 0} of ${run.frames_asked}`;
  const left = run.state === "running" ? timeLeft.left(run.frames_asked / run.fps - (stats.table.time.at(-1) ?? 0)) : null;
  $("state").textContent = run.state + part + (left === null ? "" : ` · ${duration(left)} left`);
}

function writeMessage() {
  const { run } = state;
  let text = "";
  if (run && run.frames.length === 0) {
    const none = !run.liquid && !run.smoke && !run.particles && run.bodies.length === 0 && run.solids.length === 0;
    text = none
      ? "This run keeps no frames. Run the scene with output.surface, output.smoke or output.solids = true to see it here."
      : "No frames yet. The first one will appear here as soon as the run has written it.";
  }
  $("message").textContent = text;
  $("message").hidden = text === "";
}

const banners = new Map();
function banner(key, text) {
  banners.set(key, text);
  const all = [...banners.values()].filter(Boolean).join("  ");
  $("banner").textContent = all;
  $("banner").hidden = all === "";
}

// ---- Plots

let plots = [];
let drawing = 0;
function drawPlots() {
  if (drawing) return;
  drawing = requestAnimationFrame(() => {
    drawing = 0;
    for (const plot of plots) plot.draw(timeOf(state.index));
  });
}

// Reads the new lines of stats.jsonl and probes.csv.
async function readCurves() {
  const { run } = state;
  // The files became shorter, because the run resumed from a checkpoint: read them again.
  if (run.stats_bytes < stats.tail.read || run.probes_bytes < probes.tail.read) restartCurves();
  if (run.stats_bytes > stats.tail.read) {
    for (const line of await stats.tail.lines()) {
      const step = JSON.parse(line);
      stats.table.add(step.time, statsRow(step));
      timeLeft.add(step);
    }
  }
  if (run.probes_bytes > probes.tail.read)
    for (const line of await probes.tail.lines()) {
      const found = probes.reader.read(line);
      if (found) probes.table.add(...found);
    }
  drawPlots();
}

function restartCurves() {
  for (const { tail, table } of [stats, probes]) {
    tail.restart();
    table.clear();
  }
  probes.reader = new ProbeReader(state.run.probes);
  timeLeft.memory = framesRemembered / state.run.fps;
  timeLeft.restart();
}

// ---- The log

async function readLog() {
  const { run } = state;
  if (run.log_bytes < log.tail.read) restartLog();
  if (run.log_bytes > log.tail.read) log.panel.add(await log.tail.lines());
}

function restartLog() {
  log.tail.restart(Math.max(0, state.run.log_bytes - logBytes));
  log.panel.clear();
}

// ---- The run, as it grows

function begin(run) {
  const { choice } = state;
  const keys = ["liquid", "smoke", "tank", "floor", ...run.bodies.map((b) => `body_${b.name}`), ...run.solids.map((s) => `solid_${s.name}`)];
  for (const key of keys) choice.shown[key] ??= true;
  choice.shown.particles ??= !run.liquid; // the surface hides them
  state.ranges = {};
  files.clear();
  stage.setRun(run);
  for (const [key, on] of Object.entries(choice.shown)) stage.show(key, on);
  fillLayers($("layers"), run, choice, layersChanged);
  restartCurves();
  restartLog();
  $("plots").replaceChildren();
  const plot = (table) => (what) => new Plot($("plots"), what, table, seekTime);
  plots = [...statsPlots.map(plot(stats.table)), ...probePlots(run.probes).map(plot(probes.table))];
  $("follow").checked = !run.finished;
}

let polling = false;
let nextPoll = 0;
function pollIn(ms) {
  clearTimeout(nextPoll);
  nextPoll = setTimeout(poll, ms);
}

async function poll() {
  if (polling) return;
  polling = true;
  try {
    const run = await askRun();
    const before = state.run;
    state.run = run;
    $("log").hidden = run.log_bytes === 0; // before the picture, which has what room is left
    if (!before) $("log").open = run.state !== "complete";
    if (!before || before.version !== run.version) {
      const kept = before ? before.frames[state.index] : Number(new URLSearchParams(location.hash.slice(1)).get("frame") ?? 0);
      begin(run);
      const at = run.frames.indexOf(kept);
      await showFirst(at);
    } else if (run.frames.length > before.frames.length || run.frames.at(-1) !== before.frames.at(-1)) {
      if (state.index < 0 || ($("follow").checked && !state.playing)) show(run.frames.length - 1);
      else writeClock();
    }
    await readCurves();
    state.gone = false;
    banner("server", "");
    banner("missing", run.missing.length > 0 ? `Missing frames: ${run.missing.join(", ")}. ${remedy()}` : "");
    writeFacts();
    writeMessage();
    control.show(run.control);
    await readLog();
  } catch (error) {
    state.gone = true;
    const lost = error instanceof TypeError; // no connection at all
    control.show(null);
    banner("server", lost ? `The server is gone. Start it again: coracle view ${state.run?.folder ?? "DIR"}` : `The run cannot be read: ${error.message}`);
  }
  polling = false;
  pollIn(state.run?.finished && !state.gone ? pollWhenDone : pollWhileGoing);
}

async function showFirst(at) {
  const { frames } = state.run;
  state.index = frames.length > 0 ? Math.max(0, $("follow").checked ? frames.length - 1 : at) : -1;
  if (state.index >= 0) await show(state.index);
  else writeClock();
}

// ---- Mouse and keyboard

$("play").addEventListener("click", () => (state.playing ? pause() : play()));
$("slider").addEventListener("input", () => {
  pause();
  seek(Number($("slider").value));
});
$("follow").addEventListener("change", () => {
  if (!$("follow").checked) return;
  pause();
  show(state.run.frames.length - 1);
});
$("home").addEventListener("click", () => stage.box && stage.home());

const keys = {
  " ": () => (state.playing ? pause() : play()),
  ArrowLeft: (event) => step(event.shiftKey ? -10 : -1),
  ArrowRight: (event) => step(event.shiftKey ? 10 : 1),
  Home: () => step(-Infinity),
  End: () => step(Infinity),
  h: () => $("home").click(),
  f: () => $("follow").click(),
  l: () => $("loop").click(),
};
function step(by) {
  pause();
  if (state.run) seek(Math.max(0, Math.min(state.index + by, state.run.frames.length - 1)));
}
document.addEventListener("keydown", (event) => {
  const act = keys[event.key];
  if (!act || event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("select, #control, #log")) return;
  event.preventDefault();
  act(event);
});

const dark = matchMedia("(prefers-color-scheme: dark)");
const setTheme = () => {
  stage.setTheme(dark.matches);
  drawPlots();
};
dark.addEventListener("change", setTheme);
setTheme();
new ResizeObserver(() => {
  stage.resize($("stage").clientWidth, $("stage").clientHeight);
  drawPlots();
}).observe($("stage"));
new ResizeObserver(drawPlots).observe($("side"));

// For tests.
window.coracle = {
  get frame() {
    return state.frame;
  },
  get frames() {
    return state.run?.frames ?? [];
  },
  get time() {
    return state.frame === null ? null : state.frame / state.run.fps;
  },
  get playing() {
    return state.playing;
  },
  get triangles() {
    return stage.triangles;
  },
  get camera() {
    return { position: stage.camera.position.toArray(), target: stage.controls.target.toArray() };
  },
  get kept() {
    return { files: files.kept.size, bytes: files.bytes, flying: files.flying.size };
  },
  get pictures() {
    return stage.pictures;
  },
  get settled() {
    return !stage.stale && state.run !== null && (state.index < 0 || state.frame === state.run.frames[state.index]);
  },
  get ranges() {
    return state.ranges;
  },
  draw: () => stage.draw(),
  steps: () => stats.table.time.length,
  show: (frame) => show(state.run.frames.indexOf(frame)),
};

const control = new ControlPanel($("control"), () => pollIn(pollAfterRequest));
poll();
