import assert from "node:assert/strict";
import test from "node:test";
import { ControlPanel } from "../../../viewer/src/control.js";

// The panel with a token in its address, on a page of elements that remember what is set.
function panelWith(token) {
  const elements = {};
  const root = {
    querySelector: (selector) => {
      const name = /data-control=(\w+)/.exec(selector)[1];
      elements[name] ??= { listeners: {}, value: "", addEventListener: (type, f) => (elements[name].listeners[type] = f), focus: () => {} };
      return elements[name];
    },
  };
  globalThis.window = { addEventListener: () => {}, confirm: () => true };
  globalThis.location = { hash: `#control=${token}`, pathname: "/" };
  globalThis.history = { replaceState: () => {} };
  let obeyed = 0;
  const panel = new ControlPanel(root, () => obeyed++);
  panel.show({ paused: false, asked: null });
  const click = async (name) => {
    elements[name].listeners.click();
    await new Promise((resolve) => setTimeout(resolve));
  };
  return { panel, elements, click, obeyed: () => obeyed };
}

const answers = (status, text) => async () => new Response(text, { status });

test("only the answer that the token is wrong makes the page ask for another", async () => {
  const failures = [
    [answers(503, "the disk is full\n"), "The run was not asked: the disk is full."],
    [answers(403, "the run is not going on, or was not started with --control\n"), "The run was not asked: the run is not going on, or was not started with --control."],
    [answers(403, "only the page of this server may control the run\n"), "The run was not asked: only the page of this server may control the run."],
    [() => Promise.reject(new TypeError("fetch failed")), "The run was not asked: the server does not answer."],
  ];
  const { panel, elements, click, obeyed } = panelWith("right");
  for (const [fetch, note] of failures) {
    globalThis.fetch = fetch;
    await click("pause");
    assert.equal(elements.note.textContent, note);
    assert.equal(elements.token.hidden, true, "nothing to type");
    panel.show({ paused: false, asked: null });
    assert.equal(elements.note.textContent, note, "it stays until the next request");
  }
  let sent = null;
  globalThis.fetch = async (path, { headers }) => {
    sent = [path, headers["Coracle-Token"]];
    return new Response("", { status: 202 });
  };
  await click("pause");
  assert.deepEqual(sent, ["api/control/pause", "right"], "the token is kept");
  assert.equal(elements.note.textContent, "It pauses after this step.");
  assert.equal(obeyed(), 1);
  panel.show({ paused: true, asked: null });
  assert.equal(elements.note.textContent, "");
});

test("a wrong token is dropped, and what was asked waits for another", async () => {
  const { panel, elements, click } = panelWith("wrong");
  globalThis.fetch = answers(403, "this is not the run's token; coracle view --control prints it\n");
  await click("stop");
  assert.equal(elements.note.textContent, "this is not the run's token; coracle view --control prints it.");
  assert.equal(elements.token.hidden, false);
  let sent = null;
  globalThis.fetch = async (path, { headers }) => {
    sent = [path, headers["Coracle-Token"]];
    return new Response("", { status: 202 });
  };
  await click("pause");
  assert.equal(sent, null, "nothing is sent without a token");
  await click("stop");
  elements.field.value = " right ";
  elements.token.listeners.submit({ preventDefault: () => {} });
  await new Promise((resolve) => setTimeout(resolve));
  assert.deepEqual(sent, ["api/control/stop", "right"]);
  panel.show(null);
  assert.equal(panel.root.hidden, true);
});
