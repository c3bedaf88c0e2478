// viewer/dist is in git, so that the program builds without Node: it must be what the sources build to.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";

const viewer = fileURLToPath(new URL("../../../viewer", import.meta.url));

test("viewer/dist is what viewer/src builds to; ./do viewer repairs it", () => {
  const out = mkdtempSync(join(tmpdir(), "coracle-viewer-"));
  try {
    execFileSync(process.execPath, ["node_modules/vite/bin/vite.js", "build", "--outDir", out, "--logLevel", "warn"], { cwd: viewer });
    assert.deepEqual(readdirSync(out).sort(), ["index.html", "viewer.css", "viewer.js"]);
    assert.deepEqual(readdirSync(join(viewer, "dist")).sort(), readdirSync(out).sort());
    for (const name of readdirSync(out))
      assert.ok(readFileSync(join(out, name)).equals(readFileSync(join(viewer, "dist", name))), `${name} differs`);
  } finally {
    rmSync(out, { recursive: true });
  }
});

test("the lock file holds every package of every system, or npm ci refuses it", () => {
  const { packages } = JSON.parse(readFileSync(join(viewer, "package-lock.json"), "utf8"));
  for (const [name, entry] of Object.entries(packages))
    for (const wanted of Object.keys(entry.optionalDependencies ?? {})) assert.ok(packages[`node_modules/${wanted}`], `${name} wants ${wanted}`);
});

test("the lock file names no host that packages come from", () => {
  const lock = JSON.parse(readFileSync(join(viewer, "package-lock.json"), "utf8"));
  for (const [name, entry] of Object.entries(lock.packages)) assert.equal(entry.resolved, undefined, name);
});
