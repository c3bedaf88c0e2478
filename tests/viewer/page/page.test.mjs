// The page in a real browser, on a run of a second. Set CORACLE_SCREENSHOTS to a folder to keep pictures of it.
import assert from "node:assert/strict";
import { appendFileSync, copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { changed, distance, freePort, hold, openPage, pixels, serve, settled, share, showFrame, simulate, startBrowser, startRun, stopServers, temporary, watery } from "./harness.mjs";

const folder = temporary();
const dir = join(folder, "run");
const fps = 20;
const last = 8;
let browser, server, steps;

before(async () => {
  simulate(dir);
  steps = readFileSync(join(dir, "stats.jsonl"), "utf8").trim().split("\n").map((line) => JSON.parse(line));
  server = await serve(dir);
  browser = await startBrowser();
});
after(async () => {
  await browser?.close();
  stopServers();
  rmSync(folder, { recursive: true });
});

const keep = (page, name) =>
  process.env.CORACLE_SCREENSHOTS ? page.screenshot({ path: join(process.env.CORACLE_SCREENSHOTS, `${name}.png`) }) : null;
const select = async (page, group, field) => {
  await page.locator(`[data-colour=${group}]`).selectOption(field);
  await settled(page);
};
const layer = (page, key) => page.locator(`[data-layer="${key}"]`);
// The number of triangles that a frame's files declare.
const triangles = (...names) =>
  names.reduce((sum, name) => sum + Number(/element face (\d+)/.exec(readFileSync(join(dir, "frames", name), "latin1"))[1]), 0);
const allOf = (frame) =>
  triangles(`surface.000${frame}.ply`, `body_post.000${frame}.ply`, `solid_paddle.000${frame}.ply`, "solid_glass.0000.ply");

test("the page opens on the run without a complaint", async () => {
  const page = await openPage(browser, server.url);
  // What the page fetches may come in any order.
  await page.waitForFunction((n) => window.coracle.steps() === n, steps.length);
  await page.waitForFunction(() => document.getElementById("facts").textContent !== "");
  await settled(page);
  assert.equal(await page.locator("#title").textContent(), "The viewer's test: a small dam break, a leaning post of rubber, a paddle in a glass");
  assert.match(await page.locator("#facts").textContent(), /25 × 15 × 10 cells of 40 mm, 20 frames\/s/);
  assert.equal(await page.locator("#state").textContent(), "complete");
  assert.deepEqual(await page.evaluate(() => window.coracle.frames), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
  assert.equal(await page.evaluate(() => window.coracle.frame), 0);
  assert.equal(await page.evaluate(() => window.coracle.triangles), allOf(0));
  await keep(page, "opened");
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test("the slider shows a frame, its time, its triangles and the statistics at that time", async () => {
  const page = await openPage(browser, server.url);
  await page.waitForFunction((n) => window.coracle.steps() === n, steps.length);
  const probes = readFileSync(join(dir, "probes.csv"), "utf8").trim().split("\n").slice(1).map((line) => line.split(",").map(Number));
  await page.locator("[data-plot='probe top'] .curves").waitFor();
  for (const frame of [5, 2, last]) {
    await showFrame(page, frame);
    assert.equal(await page.locator("#frame").textContent(), `${frame} / ${last}`);
    assert.equal(await page.locator("#time").textContent(), `${(frame / fps).toFixed(3)} s`);
    assert.ok(Math.abs((await page.evaluate(() => window.coracle.time)) - frame / fps) < 1e-12);
    assert.equal(await page.evaluate(() => window.coracle.triangles), allOf(frame));
    // The last step of the frame ends at its time; the plots' legends show three digits of it.
    const step = steps.filter((s) => s.time <= frame / fps + 1e-9).at(-1);
    await page.waitForTimeout(100);
    const text = async (plot) => (await page.locator(`[data-plot=${plot}] .curves`).textContent()).replaceAll("−", "-");
    assert.ok((await text("energy")).includes(`liquid, kinetic${Number(step.liquid.kinetic_energy.toPrecision(3))} J`), await text("energy"));
    assert.ok((await text("drift")).includes(`${(100 * (step.liquid.volume / step.liquid.expected_volume - 1)).toFixed(3)} %`), await text("drift"));
    const [, , x] = probes.filter(([, time]) => time <= frame / fps + 1e-9).at(-1);
    const metres = /x(-?[\d.]+) ([mµ]?)m/.exec(await text("'probe top'"));
    assert.ok(Math.abs(metres[1] * { "": 1, m: 1e-3, µ: 1e-6 }[metres[2]] - x) <= 0.005 * Math.abs(x) + 1e-8, `${metres[0]} is not ${x}`);
    assert.ok((await text("iterations")).includes(`a step${step.solver.iterations}`), await text("iterations"));
  }
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test("water is drawn, and moves from frame to frame", async () => {
  const page = await openPage(browser, server.url);
  const first = await pixels(page);
  // At the start it fills a third of the tank's length and two of its height.
  const wet = share(first, watery);
  assert.ok(wet > 0.03 && wet < 0.3, `${wet} of the picture is water`);
  await showFrame(page, last);
  const later = await pixels(page);
  assert.ok(changed(first, later) > 0.02, `${changed(first, later)} has changed`);
  // It has fallen: the picture's left half has less of it, the right half more.
  const width = 120;
  const side = (picture, right) => picture.filter((p, i) => watery(p) && i % width >= width / 2 === right).length;
  assert.ok(side(later, false) < side(first, false), "less on the left");
  assert.ok(side(later, true) > side(first, true), "more on the right");
  await layer(page, "liquid").uncheck();
  const dry = await pixels(page);
  assert.ok(share(dry, watery) < 0.01, `${share(dry, watery)} is still water`);
  assert.equal(await page.evaluate(() => window.coracle.triangles), allOf(last) - triangles(`surface.000${last}.ply`));
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test("a field colours the body, and the legend tells its range", async () => {
  const page = await openPage(browser, server.url);
  await showFrame(page, 6);
  for (const key of ["liquid", "solid_paddle", "solid_glass"]) await layer(page, key).uncheck();
  const own = await pixels(page);
  const orange = ([r, g, b]) => r > g + 30 && g > b + 10;
  assert.ok(share(own, orange) > 0.01, "the post is orange by itself");
  await select(page, "bodies", "von_mises");
  const stress = await pixels(page);
  assert.ok(share(stress, orange) < 0.2 * share(own, orange), "no longer orange");
  // A bent post is strained at its foot and hardly at its top: colours differ along it.
  const post = stress.filter((_, i) => orange(own[i]));
  assert.ok(Math.max(...post.map((p) => distance(p, post[0]))) > 40, "stress varies over the post");
  await select(page, "bodies", "pressure");
  assert.ok(changed(stress, await pixels(page)) > 0.003, "pressure is not stress");
  const legend = page.locator(".legend");
  assert.equal(await legend.count(), 1);
  assert.match(await legend.textContent(), /^Pressure≥ [\d.]+ k?Pa/);
  const [, high] = await page.evaluate(() => window.coracle.ranges.pressure);
  // Hydrostatic under 0.4 m of water is 3.9 kPa; an impact adds to it but not tenfold.
  assert.ok(high > 50 && high < 4e4, `pressure up to ${high} Pa`);
  await select(page, "bodies", "");
  assert.equal(await legend.count(), 0);
  assert.ok(changed(own, await pixels(page)) < 0.001, "its own colour again");
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test("particles are drawn where they were kept", async () => {
  const page = await openPage(browser, server.url);
  for (const key of ["liquid", "body_post", "solid_paddle", "solid_glass"]) await layer(page, key).uncheck();
  const empty = await pixels(page);
  await layer(page, "particles").check();
  await page.waitForFunction(() => window.coracle.settled);
  await page.waitForTimeout(300);
  const plain = await pixels(page);
  assert.ok(changed(empty, plain) > 0.03);
  await showFrame(page, 6);
  await select(page, "particles", "speed");
  await keep(page, "particles");
  const [low, high] = await page.evaluate(() => window.coracle.ranges.speed);
  // Falling for 0.3 s gives 2.9 m/s; a jet may be somewhat faster.
  assert.ok(low === 0 && high > 0.5 && high < 5, `speeds to ${high}`);
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test("a skin moves in its own colour, looks wet, and shows the film on it", async () => {
  const skinned = join(folder, "skinned");
  simulate(skinned, "skinned.toml");
  const other = await serve(skinned);
  const shown = async (page, frame) => {
    for (const key of ["liquid", "solid_buoy"]) await layer(page, key).uncheck();
    await showFrame(page, frame);
    return pixels(page);
  };
  const green = ([r, g, b]) => g > r + 20 && g > b + 20;
  const page = await openPage(browser, other.url);
  const start = await shown(page, 0);
  const wet = await shown(page, last);
  await keep(page, "wet");
  const height = (picture) => picture.reduce((sum, p, i) => (green(p) ? sum + i / 120 : sum), 0) / picture.filter(green).length;
  assert.ok(share(wet, green) > 0.005, `${share(wet, green)} is green`);
  assert.ok(height(wet) < height(start) - 5, "it has risen");

  // The same with a film that nobody looks for is dry, and so brighter.
  const dry = await browser.newPage({ viewport: { width: 1200, height: 760 } });
  await dry.route("**/solid_diver.*.ply*", async (route) => {
    const response = await route.fetch();
    const text = (await response.body()).toString("latin1").replace("property float film", "property float felt");
    await route.fulfill({ response, body: Buffer.from(text, "latin1") });
  });
  await dry.goto(other.url);
  await settled(dry);
  const matte = await shown(dry, last);
  const places = matte.flatMap((p, i) => (green(p) && green(wet[i]) ? [i] : []));
  const brightness = (picture) => places.reduce((sum, i) => sum + picture[i][1], 0) / places.length;
  assert.ok(brightness(wet) < 0.95 * brightness(matte), `${brightness(wet)} against ${brightness(matte)}`);
  await dry.close();

  await select(page, "skins", "film");
  await keep(page, "film");
  assert.ok(share(await pixels(page), green) < 0.7 * share(wet, green), "no longer green everywhere");
  assert.match(await page.locator(".legend").textContent(), /^Film of liquid≥ [\d.]+ [mµ]m/);
  const [low, high] = await page.evaluate(() => window.coracle.ranges.film);
  // It takes 0.5 mm along; what runs down gathers below.
  assert.ok(low === 0 && high > 1e-4 && high < 5e-3, `films to ${high} m`);
  await select(page, "skins", "");
  assert.ok(changed(wet, await pixels(page)) < 0.001, "its own colour again");
  assert.deepEqual(page.complaints, []);
  await page.close();
  await other.stop();
});

test("smoke is drawn, hides what is behind it and not what is before it, and shades the floor", async () => {
  const gas = join(folder, "gas");
  simulate(gas, "gas.toml");
  const other = await serve(gas);
  const page = await openPage(browser, other.url);
  const smoky = await pixels(page);
  await keep(page, "smoke");
  const without = async (...keys) => {
    for (const key of keys) await layer(page, key).uncheck();
    const picture = await pixels(page);
    for (const key of keys) await layer(page, key).check();
    await settled(page);
    return picture;
  };
  const clear = await without("smoke");
  const all = changed(smoky, clear);
  // A ball of half the domain's width, and its shadow.
  assert.ok(all > 0.05 && all < 0.4, `${all} of the picture has changed`);
  const unshaded = changed(await without("floor"), await without("smoke", "floor"));
  assert.ok(unshaded < all - 0.01, `${all - unshaded} of it is shadow`);

  // The pixels of each ball, without smoke; how far smoke changes them.
  const onBall = async (name) => {
    const bare = await without("smoke", `solid_${name}`);
    const places = clear.flatMap((p, i) => (distance(p, bare[i]) > 60 ? [i] : []));
    assert.ok(places.length > 5, `the ball ${name} is seen`);
    return places.reduce((sum, i) => sum + distance(clear[i], smoky[i]), 0) / places.length;
  };
  const [before, behind] = [await onBall("before"), await onBall("behind")];
  assert.ok(before < 6, `the ball before it has changed by ${before}`);
  assert.ok(behind > 30, `the ball behind it has changed by ${behind}`);
  assert.equal(await page.locator("[data-plot=smoke]").isVisible(), true);
  assert.deepEqual(page.complaints, []);
  await page.close();
  await other.stop();
});

test("it plays, stops, steps by keys, and turns", async () => {
  const page = await openPage(browser, server.url);
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => window.coracle.frame === 1);
  await page.keyboard.press("End");
  await page.waitForFunction(() => window.coracle.frame === 8);
  await page.keyboard.press("Home");
  await page.waitForFunction(() => window.coracle.frame === 0);
  await page.locator("#loop").uncheck();
  await page.keyboard.press("Space");
  assert.equal(await page.evaluate(() => window.coracle.playing), true);
  await page.waitForFunction(() => window.coracle.frame === 8 && !window.coracle.playing); // to the end, and stops
  await page.locator("#loop").check();
  await page.locator("#play").click();
  await page.waitForFunction(() => window.coracle.frame === 3);
  await page.keyboard.press("Space");
  assert.equal(await page.evaluate(() => window.coracle.playing), false);

  const before = await page.evaluate(() => window.coracle.camera);
  const box = await page.locator("#view").boundingBox();
  await page.mouse.move(box.x + 300, box.y + 300);
  await page.mouse.down();
  await page.mouse.move(box.x + 420, box.y + 320, { steps: 4 });
  await page.mouse.up();
  const turned = await page.evaluate(() => window.coracle.camera);
  const away = ({ position, target }) => Math.hypot(...position.map((p, i) => p - target[i]));
  assert.ok(Math.hypot(...turned.position.map((p, i) => p - before.position[i])) > 0.1, "the camera has moved");
  assert.ok(Math.abs(away(turned) - away(before)) < 1e-6, "about its target");
  await page.locator("#home").click();
  const back = await page.evaluate(() => window.coracle.camera);
  assert.ok(Math.hypot(...back.position.map((p, i) => p - before.position[i])) < 1e-9, "back where it was");
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test("a click on a plot goes to that time", async () => {
  const page = await openPage(browser, server.url);
  await page.waitForFunction((n) => window.coracle.steps() === n, steps.length);
  const canvas = page.locator("[data-plot=energy] canvas");
  await canvas.waitFor();
  const { width, height } = await canvas.boundingBox();
  await canvas.click({ position: { x: 44 + 0.5 * (width - 52), y: height / 2 } }); // half of 0.4 s
  await page.waitForFunction(() => window.coracle.frame === 4);
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test("the page is laid out: picture, log and controls below, panel beside; narrow: panel below", async () => {
  const page = await openPage(browser, server.url);
  const box = (id) => page.locator(id).boundingBox();
  const [stage, side, log, transport] = [await box("#stage"), await box("#side"), await box("#log"), await box("#transport")];
  assert.deepEqual([stage.x, stage.y, side.width, side.height], [0, 0, 340, 760]);
  assert.equal(stage.width + side.width, 1200);
  assert.deepEqual([log.y, log.width, transport.y], [stage.height, stage.width, stage.height + log.height]);
  assert.equal(stage.height + log.height + transport.height, 760);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 1200); // nothing sticks out
  // The tank stands in the middle, clear of the edges: along the rim there is floor and background only.
  const width = 120;
  const picture = await pixels(page, width);
  const rows = picture.length / width;
  const coloured = picture.map(([r, g, b]) => Math.max(r, g, b) - Math.min(r, g, b) > 40);
  const at = coloured.flatMap((is, i) => (is ? [[i % width, Math.floor(i / width)]] : []));
  assert.ok(at.length > 0.03 * picture.length, "something is there");
  assert.ok(at.every(([x, y]) => x > 1 && x < width - 2 && y > 1 && y < rows - 2), "and nothing at the rim");

  await page.setViewportSize({ width: 500, height: 900 });
  await settled(page);
  const [narrow, below] = [await box("#stage"), await box("#side")];
  assert.equal(narrow.width, 500);
  assert.ok(below.y >= narrow.y + narrow.height, "the panel is below");
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 500);
  await keep(page, "narrow");
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test("a surface without normals is lit all the same", async () => {
  const page = await browser.newPage({ viewport: { width: 1200, height: 760 } });
  // Names that no one looks for, as in runs from before frames held normals.
  await page.route("**/surface.*.ply*", async (route) => {
    const response = await route.fetch();
    const text = (await response.body()).toString("latin1").replace(/property float n([xyz])/g, "property float q$1");
    await route.fulfill({ response, body: Buffer.from(text, "latin1") });
  });
  await page.goto(server.url);
  const picture = await pixels(page);
  assert.ok(share(picture, watery) > 0.03, "there is water");
  assert.ok(share(picture, ([r, g, b]) => r + g + b < 30) < 0.01, "and it is not black");
  await page.close();
});

test("without WebGL the page says so", async () => {
  const page = await browser.newPage();
  await page.addInitScript(() => (HTMLCanvasElement.prototype.getContext = () => null));
  await page.goto(server.url);
  await page.locator("#message").waitFor();
  assert.match(await page.locator("#message").textContent(), /no WebGL 2/);
  await page.close();
});

test("light and dark go with the system", async () => {
  const page = await openPage(browser, server.url, { scheme: "dark" });
  const brightness = async () => {
    const corner = (await pixels(page))[0];
    return (corner[0] + corner[1] + corner[2]) / 3;
  };
  assert.ok((await brightness()) < 60);
  await keep(page, "dark");
  await page.emulateMedia({ colorScheme: "light" });
  // The page draws anew when it comes to it.
  for (let i = 0; i < 100 && (await brightness()) <= 200; ++i) await page.waitForTimeout(100);
  assert.ok((await brightness()) > 200);
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test("dragging over many frames keeps few of them", async () => {
  const page = await openPage(browser, server.url);
  for (let i = 0; i < 40; ++i) await page.evaluate((f) => window.coracle.show(f), (i * 5) % (last + 1));
  await settled(page);
  const kept = await page.evaluate(() => window.coracle.kept);
  assert.ok(kept.flying <= 4 && kept.bytes < 192 * 2 ** 20, JSON.stringify(kept));
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test("a run that grows is followed, and a server that is gone is told", async () => {
  const growing = join(folder, "growing");
  mkdirSync(join(growing, "frames"), { recursive: true });
  for (const name of [".coracle-run", "scene.toml"]) copyFileSync(join(dir, name), join(growing, name));
  writeFileSync(join(growing, "stats.jsonl"), "");
  const write = (frame) => {
    for (const name of readdirSync(join(dir, "frames")))
      if (name.endsWith(`.000${frame}.ply`)) copyFileSync(join(dir, "frames", name), join(growing, "frames", name));
    for (const step of steps.filter((s) => s.frame === frame)) appendFileSync(join(growing, "stats.jsonl"), `${JSON.stringify(step)}\n`);
  };
  const release = hold(growing);
  const port = await freePort();
  const other = await serve(growing, "--port", port);
  const page = await openPage(browser, other.url, { wait: false });
  await page.locator("#message").waitFor();
  assert.match(await page.locator("#message").textContent(), /^No frames yet/);
  assert.deepEqual(page.complaints, []);

  for (const frame of [0, 1, 2]) write(frame);
  await page.waitForFunction(() => window.coracle.frame === 2); // followed to the newest
  await page.locator("#message").waitFor({ state: "hidden" });
  await page.waitForFunction(() => /^running · frame 2 of 8 · \d+ s left$/.test(document.getElementById("state").textContent));
  assert.equal(await page.evaluate(() => window.coracle.steps()), steps.filter((s) => s.frame <= 2).length);

  await page.locator("#slider").fill("1"); // looking back ends following
  assert.equal(await page.locator("#follow").isChecked(), false);
  write(3);
  await page.waitForFunction(() => document.getElementById("slider").max === "3");
  assert.equal(await page.evaluate(() => window.coracle.frame), 1);
  await page.locator("#follow").check();
  await page.waitForFunction(() => window.coracle.frame === 3);
  for (const frame of [4, 5, 6, 7, 8]) write(frame);
  await release();
  await page.waitForFunction(() => window.coracle.frame === 8 && document.getElementById("state").textContent === "complete");
  assert.equal(await page.evaluate(() => window.coracle.steps()), steps.length); // no step twice, none lost
  assert.deepEqual(page.complaints, []);

  assert.equal(await other.stop(), 0); // Ctrl-C ends it
  await page.locator("#banner").waitFor();
  assert.match(await page.locator("#banner").textContent(), /^The server is gone/);
  const again = await serve(growing, "--port", port);
  await page.waitForFunction(() => document.getElementById("banner").hidden);
  await page.close();
  await again.stop();
});

test("the log is shown as text, follows the run, and is fetched by its new part", async () => {
  const logged = join(folder, "logged");
  cpSync(dir, logged, { recursive: true });
  rmSync(join(logged, "frames", `surface.000${last}.ply`)); // not complete, so that the panel is open
  const log = join(logged, "run.log");
  const other = await serve(logged);
  const page = await browser.newPage({ viewport: { width: 1200, height: 760 } });
  const ranges = [];
  page.on("request", (request) => request.url().endsWith("/run/run.log") && ranges.push(request.headers().range));
  await page.goto(other.url);
  await settled(page);
  const lines = page.locator("#log .lines div");
  const shown = (words) => page.waitForFunction((w) => document.querySelector("#log .lines").textContent.includes(w), words);
  await shown("frame 8/8");
  assert.equal(await page.locator("#log .lines").isVisible(), true);
  const rest = () =>
    page.evaluate(() => {
      const box = document.querySelector("#log .lines");
      return box.scrollHeight - box.scrollTop - box.clientHeight;
    });
  assert.ok((await rest()) < 20, "its end is seen");
  const before = readFileSync(log, "utf8");
  assert.deepEqual(await lines.allTextContents(), before.trim().split("\n"));
  const hostile = `<img src="x" onerror="window.harmed = 1"> & <script>window.harmed = 1</script>`;
  appendFileSync(log, `2026-11-16 02:31:36  warning: ${hostile}\n2026-11-16 02:31:37  the la`);
  await shown("onerror");
  assert.equal(await lines.last().textContent(), `2026-11-16 02:31:36  warning: ${hostile}`);
  assert.equal(await lines.last().getAttribute("class"), "warning");
  assert.equal(await page.locator("#log img, #log script").count(), 0);
  assert.equal(await page.evaluate(() => window.harmed), undefined);
  assert.deepEqual([...new Set(ranges)], ["bytes=0-", `bytes=${Buffer.byteLength(before)}-`]);
  appendFileSync(log, "st line\n");
  await shown("the last line");
  appendFileSync(log, "2026-11-16 02:31:38  one more\n".repeat(600));
  await page.waitForFunction(() => document.querySelectorAll("#log .lines div").length === 500); // the end of it
  assert.ok((await rest()) < 20, "it follows");
  await page.evaluate(() => (document.querySelector("#log .lines").scrollTop = 0));
  appendFileSync(log, "2026-11-16 02:31:39  and more\n");
  await shown("and more");
  assert.ok((await rest()) > 500, "whoever reads above is left there");
  await page.locator("#log summary").click();
  assert.equal(await page.locator("#log .lines").isVisible(), false);
  assert.equal(await page.locator("#log .last").textContent(), "2026-11-16 02:31:39  and more");
  await page.close();
  await other.stop();
});

test("a run that was started with --control is paused, continued and stopped with its token", async () => {
  const controlled = join(folder, "controlled");
  const { ended } = await startRun(controlled, "--control");
  const other = await serve(controlled);
  const page = await browser.newPage({ viewport: { width: 1200, height: 760 } });
  await page.goto(other.url);
  await settled(page);
  const button = (name) => page.locator(`[data-control=${name}]`);
  const says = (words) => page.waitForFunction((w) => document.getElementById("state").textContent.startsWith(w), words);
  await says("running · frame ");
  assert.equal(await button("pause").isVisible(), true);
  assert.equal(await button("go_on").isVisible(), false);
  assert.equal(await button("field").isVisible(), false);

  await button("pause").click(); // asks for the token
  await button("field").fill("0".repeat(32));
  await button("field").press("Enter");
  await page.waitForFunction(() => document.querySelector("[data-control=note]").textContent.startsWith("this is not the run's token"));
  await keep(page, "token");
  const token = readFileSync(join(controlled, "control", "token"), "utf8").trim();
  await button("field").fill(token);
  await button("field").press("Enter");
  await says("paused · frame ");
  assert.equal(await button("field").isVisible(), false);
  assert.equal(await button("pause").isVisible(), false);
  const steps = await page.evaluate(() => window.coracle.steps());
  await page.waitForTimeout(2000);
  await keep(page, "paused");
  assert.ok((await page.evaluate(() => window.coracle.steps())) <= steps + 1, "it rests");
  await button("go_on").click();
  await says("running · frame ");
  await page.waitForFunction((n) => window.coracle.steps() > n + 1, steps);
  await page.close();

  // The address that view --control prints.
  const direct = await browser.newPage({ viewport: { width: 1200, height: 760 } });
  await direct.goto(`${other.url}#control=${token}`);
  await settled(direct);
  assert.equal(await direct.evaluate(() => location.href), other.url, "the token is out of the address");
  const questions = [];
  direct.on("dialog", (dialog) => {
    questions.push(dialog.message());
    return dialog.accept();
  });
  await direct.locator("[data-control=stop]").click();
  assert.equal(await ended, 3);
  assert.match(questions[0], /^Stop the run after this step\?/);
  await direct.waitForFunction(() => document.getElementById("state").textContent.startsWith("stopped · frame "));
  assert.equal(await direct.locator("#control").isVisible(), false);
  await direct.close();
  await other.stop();
});

test("no other run has buttons to control it", async () => {
  const other = join(folder, "uncontrolled");
  const run = await startRun(other);
  const its = await serve(other);
  for (const url of [server.url, its.url]) {
    const page = await openPage(browser, `${url}#control=${"0".repeat(32)}`);
    await page.waitForFunction(() => document.getElementById("state").textContent !== "");
    assert.equal(await page.locator("#control").isVisible(), false);
    assert.deepEqual(page.complaints, []);
    await page.close();
  }
  await its.stop();
  run.stop();
});

test("missing and damaged frames are named with what to do", async () => {
  const broken = join(folder, "broken");
  cpSync(dir, broken, { recursive: true });
  rmSync(join(broken, "frames", "surface.0003.ply"));
  truncateSync(join(broken, "frames", "surface.0005.ply"), 700);
  const other = await serve(broken);
  const page = await openPage(browser, other.url);
  await page.locator("#banner").waitFor();
  assert.match(await page.locator("#banner").textContent(), /^Missing frames: 3\. .*coracle info/);
  await page.evaluate(() => {
    const slider = document.getElementById("slider");
    slider.value = window.coracle.frames.indexOf(5);
    slider.dispatchEvent(new Event("input"));
  });
  await page.waitForFunction(() => document.getElementById("banner").textContent.includes("Frame 5 cannot be shown"));
  await page.close();
});
