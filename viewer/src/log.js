// The panel with the end of run.log. It follows while it is scrolled to its end; folded, it shows the last line.
const mostLines = 500;

export class LogPanel {
  constructor(root) {
    this.root = root;
    this.last = root.querySelector(".last");
    this.lines = root.querySelector(".lines");
    this.following = true;
    root.addEventListener("toggle", () => this.#toEnd());
    this.lines.addEventListener("scroll", () => {
      const { scrollHeight, scrollTop, clientHeight } = this.lines;
      this.following = scrollHeight - scrollTop - clientHeight < 20;
    });
  }

  clear() {
    this.lines.replaceChildren();
    this.last.textContent = "";
  }

  // Texts of the run, never HTML.
  add(lines) {
    if (lines.length === 0) return;
    const { lines: box } = this;
    for (const text of lines.slice(-mostLines)) {
      const line = document.createElement("div");
      line.textContent = text;
      line.className = /^\S+ \S+ {2}(warning|error): /.exec(text)?.[1] ?? "";
      box.append(line);
    }
    while (box.childElementCount > mostLines) box.firstChild.remove();
    this.last.textContent = lines.at(-1);
    if (this.following) this.#toEnd();
  }

  #toEnd() {
    this.lines.scrollTop = this.lines.scrollHeight;
  }
}
