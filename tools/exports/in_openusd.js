// Opens a stage with OpenUSD, compiled for the web (in the package three-usdz-loader), and prints what a renderer would
// receive at some times, as one JSON object:
//   NODE_OPTIONS='--require .../as_web_page.js' node in_openusd.js PACKAGE run.usda TIME...
"use strict";
const fs = require("fs"), path = require("path");

async function main([folder, root, ...times]) {
  const external = path.resolve(folder, "external");
  const data = new Uint8Array(fs.readFileSync(external + "/emHdBindings.data")).buffer;
  const usd = await require(external + "/emHdBindings.js")({getPreloadedPackage: () => data}, external);

  // The layers, in the module's own file system.
  const copy = (from, to) => {
    usd.FS.mkdir(to);
    for (const entry of fs.readdirSync(from, {withFileTypes: true})) {
      const a = path.join(from, entry.name), b = to + "/" + entry.name;
      if (entry.isDirectory()) copy(a, b);
      else if (entry.name.endsWith(".usda")) usd.FS.writeFile(b, fs.readFileSync(a));
    }
  };
  copy(path.dirname(path.resolve(root)), "/run");

  // A renderer that records the data of every prim.
  const prims = {};
  const note = (type) => (kind, id) => {
    const prim = prims[id] = {type: type || kind};
    const calls = {
      updatePoints: (x) => { prim.points = Array.from(x); },
      updateIndices: (i) => { prim.corners = Array.from(i); },
      setMaterial: (name) => { prim.material = name; },
      updateNode: (network, name, values) => { prim.values = values; },
    };
    return new Proxy({}, {get: (_, name) => calls[name] || (() => undefined)});
  };
  const renderer = {createRPrim: note(), createSPrim: note(), createBPrim: note(), CommitResources() {}};
  const driver = new usd.HdWebSyncDriver(renderer, "/run/" + path.basename(root));
  const stage = driver.GetStage();
  const found = {end: stage.GetEndTimeCode(), perSecond: stage.GetTimeCodesPerSecond(), times: {}};
  for (const time of times) {
    driver.SetTime(Number(time));
    driver.Draw();
    found.times[time] = JSON.parse(JSON.stringify(prims));
  }
  console.log(JSON.stringify(found));
  process.exit(0);
}

main(process.argv.slice(2)).catch((error) => { console.error(error); process.exit(1); });
