// A run, a server for it, a browser without a screen.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const require = createRequire(new URL("../../../viewer/package.json", import.meta.url));
const { chromium } = require("playwright-core");
const coracle = process.env.CORACLE;

// A port that nobody else here is looking for.
export const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(String(port)));
    });
  });

export const temporary = () => mkdtempSync(join(tmpdir(), "coracle-viewer-"));

export function simulate(dir, file = "scene.toml") {
  const scene = fileURLToPath(new URL(file, import.meta.url));
  execFileSync(coracle, ["run", scene, "-o", dir, "--quiet"], { stdio: ["ignore", "inherit", "inherit"] });
}

const running = new Set();
export const stopServers = () => running.forEach((server) => server.kill("SIGKILL"));

const watched = (child) => {
  running.add(child);
  const ended = new Promise((resolve) => child.once("exit", resolve));
  ended.then(() => running.delete(child));
  return ended;
};

// A run that goes on for longer than any test, once its first frames are there. → { ended: a promise of the exit code, stop() }
export async function startRun(dir, ...options) {
  const scene = fileURLToPath(new URL("scene.toml", import.meta.url));
  const words = ["run", scene, "-o", dir, "--quiet", "--frames", "100000", "--threads", "1", ...options];
  const child = spawn(coracle, words, { stdio: ["ignore", "inherit", "inherit"] });
  const ended = watched(child);
  while (!existsSync(join(dir, "frames", "body_post.0001.ply"))) await new Promise((resolve) => setTimeout(resolve, 50));
  return { ended, stop: () => child.kill("SIGKILL") };
}

// Holds the lock of a run's folder, as a run does that goes on. → release()
export function hold(dir) {
  const child = spawn("flock", ["--no-fork", join(dir, ".coracle-run"), "sleep", "600"], { stdio: "ignore" });
  const ended = watched(child);
  return () => {
    child.kill("SIGKILL");
    return ended;
  };
}

// → { url, stop(): a promise of the exit code }
export async function serve(dir, ...options) {
  const server = spawn(coracle, ["view", dir, ...options], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = watched(server);
  const url = await new Promise((resolve, reject) => {
    let text = "";
    server.stdout.on("data", (part) => {
      text += part;
      const found = text.match(/http:\/\/127\.0\.0\.1:\d+\//);
      if (found) resolve(found[0]);
    });
    ended.then(() => reject(new Error(`the server ended: ${text}`)));
  });
  return {
    url,
    stop: () => {
      server.kill("SIGINT");
      return ended;
    },
  };
}

// Drawn in software: the same everywhere, and no graphics card is needed.
export const startBrowser = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM,
    args: ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-sandbox", "--disable-dev-shm-usage"],
  });

// A page that keeps what it complains of in `page.complaints`, once it shows something.
export async function openPage(browser, url, { scheme = "light", size = { width: 1200, height: 760 }, wait = true } = {}) {
  const page = await browser.newPage({ viewport: size, colorScheme: scheme });
  page.setDefaultTimeout(60000);
  page.complaints = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && page.complaints.push(message.text()));
  page.on("pageerror", (error) => page.complaints.push(error.message));
  await page.goto(url);
  if (wait) await settled(page);
  return page;
}

export const settled = (page) => page.waitForFunction(() => window.coracle?.settled && window.coracle.pictures > 0);

export async function showFrame(page, frame) {
  await page.locator("#slider").fill(String(frame));
  await page.waitForFunction((f) => window.coracle.frame === f && window.coracle.settled, frame);
}

// What is drawn, in few pixels: [r, g, b] each, 0 to 255, row by row.
export async function pixels(page, width = 120) {
  await settled(page);
  return page.evaluate((w) => {
    window.coracle.draw(); // what WebGL drew can be read only in the same turn
    const from = document.getElementById("view");
    const h = Math.round((w * from.height) / from.width);
    const small = Object.assign(document.createElement("canvas"), { width: w, height: h });
    const pen = small.getContext("2d");
    pen.drawImage(from, 0, 0, w, h);
    const { data } = pen.getImageData(0, 0, w, h);
    const out = [];
    for (let i = 0; i < data.length; i += 4) out.push([data[i], data[i + 1], data[i + 2]]);
    return out;
  }, width);
}

// The share of pixels for which `is` holds.
export const share = (picture, is) => picture.filter(is).length / picture.length;
export const watery = ([r, , b]) => b > r + 30;
export const distance = (a, b) => Math.max(Math.abs(a[0] - b[0]), Math.abs(a[1] - b[1]), Math.abs(a[2] - b[2]));
export const changed = (a, b) => a.filter((p, i) => distance(p, b[i]) > 24).length / a.length;
