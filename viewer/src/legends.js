// One colour bar per field in use, with its range.
import { gradient } from "./colormap.js";
import { fields, quantity } from "./fields.js";

// ranges: field → [low, high]; refit(field): the user wants the range of this frame alone.
export function writeLegends(parent, ranges, refit) {
  const names = Object.keys(ranges);
  for (const old of [...parent.children]) if (!names.includes(old.dataset.field)) old.remove();
  for (const name of names) {
    let legend = parent.querySelector(`[data-field="${name}"]`);
    if (!legend) {
      legend = document.createElement("button");
      legend.className = "legend";
      legend.dataset.field = name;
      legend.title = "The range is that of the frames seen so far. Click: of this frame alone.";
      const bar = document.createElement("i");
      bar.style.background = gradient;
      const texts = document.createElement("span");
      texts.append(...[0, 1, 2].map(() => document.createElement("b")));
      const label = document.createElement("em");
      label.textContent = fields[name].label;
      legend.append(label, bar, texts);
      legend.addEventListener("click", () => refit(name));
      parent.append(legend);
    }
    const [low, high] = ranges[name];
    const { unit } = fields[name];
    const texts = legend.querySelectorAll("b");
    texts[0].textContent = `≥ ${quantity(high, unit)}`;
    texts[1].textContent = quantity((low + high) / 2, unit);
    texts[2].textContent = low < 0 ? `≤ ${quantity(low, unit)}`.replace("-", "−") : quantity(low, unit);
  }
}
