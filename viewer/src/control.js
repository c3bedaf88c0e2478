// Pause, Go on and Stop, for a run that was started with --control. The token comes from the address that
// `coracle view --control` prints (#control=...), or is typed. It is kept in the page's memory alone.
import { askControl, Refusal } from "./server.js";

const said = { pause: "pauses after this step", go_on: "goes on", stop: "stops after this step" };

export class ControlPanel {
  // obeyed(): called when the server has taken a request.
  constructor(root, obeyed) {
    this.root = root;
    this.obeyed = obeyed;
    this.find = (name) => root.querySelector(`[data-control=${name}]`);
    this.token = tokenOfAddress();
    for (const word of ["pause", "go_on"]) this.find(word).addEventListener("click", () => this.#ask(word));
    this.find("stop").addEventListener("click", () => {
      if (window.confirm("Stop the run after this step? It leaves a checkpoint, and --resume continues it.")) this.#ask("stop");
    });
    this.find("token").addEventListener("submit", (event) => {
      event.preventDefault();
      const field = this.find("field");
      this.token = field.value.trim();
      field.value = "";
      const { waiting } = this;
      if (waiting) this.#ask(waiting);
    });
    // The address was changed by hand or pasted over.
    window.addEventListener("hashchange", () => (this.token = tokenOfAddress() ?? this.token));
  }

  // control: of /api/run, null if the run cannot be controlled.
  show(control) {
    this.root.hidden = !control;
    if (!control) return this.#wait(null, "");
    this.find("pause").hidden = control.paused;
    this.find("go_on").hidden = !control.paused;
    for (const word of ["pause", "go_on", "stop"]) this.find(word).disabled = control.asked === word;
    if (control.asked) this.failed = false;
    if (!this.waiting && !this.failed) this.find("note").textContent = control.asked ? `It ${said[control.asked]}.` : "";
  }

  async #ask(word) {
    if (!this.token) return this.#wait(word, "Its token? coracle view --control prints it.");
    try {
      await askControl(word, this.token);
      this.#wait(null, `It ${said[word]}.`);
      this.obeyed();
    } catch (error) {
      if (isWrongToken(error)) {
        this.token = null;
        this.#wait(word, `${error.message}.`);
      } else {
        this.#wait(null, failure(error)); // the token may still be right
        this.failed = true;
      }
    }
  }

  // word: what waits for the token.
  #wait(word, note) {
    this.waiting = word;
    this.failed = false; // its note stays until the next request
    this.find("note").textContent = note;
    this.find("token").hidden = !word;
    if (word) this.find("field").focus();
  }
}

// Whether the server says that it is another token than the run's. Its other refusals say nothing of the token.
export const isWrongToken = (error) => error instanceof Refusal && error.status === 403 && error.message.startsWith("this is not the run's token");

// What the page says of a request that failed for another reason.
export function failure(error) {
  if (error instanceof Refusal) return `The run was not asked: ${error.message}.`;
  return "The run was not asked: the server does not answer.";
}

// Takes the token out of the address, so that it is not copied or kept with it.
function tokenOfAddress() {
  const words = new URLSearchParams(location.hash.slice(1));
  const token = words.get("control");
  if (token === null) return null;
  words.delete("control");
  const rest = words.toString();
  history.replaceState(null, "", location.pathname + (rest && `#${rest}`));
  return token;
}
