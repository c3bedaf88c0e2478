// Small plots over time: one canvas each, with a cursor at the current time. A click seeks to that time.
import { quantity } from "./fields.js";

const pad = { left: 44, right: 8, top: 6, bottom: 16 };

function niceTicks(low, high, count) {
  const span = high - low || 1;
  const power = 10 ** Math.floor(Math.log10(span / count));
  const step = power * ([1, 2, 5, 10].find((m) => span / (m * power) <= count) ?? 10);
  const ticks = [];
  for (let t = Math.ceil(low / step - 1e-9) * step; t <= high + 1e-9 * step; t += step) ticks.push(Math.abs(t) < step * 1e-9 ? 0 : t);
  return ticks;
}

const short = (value) => {
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (size >= 1e6 || size < 1e-3) return value.toExponential(0).replace("e+", "e").replace("-", "−");
  return String(Number(value.toPrecision(3))).replace("-", "−");
};

const shown = (value, unit) =>
  value === null || value === undefined ? "–" : unit === "%" ? `${value.toFixed(3).replace("-", "−")} %` : unit ? quantity(value, unit) : short(value);

export class Plot {
  // seek(time): called when the user picks a time.
  constructor(parent, { key, title, unit, stacked, fromZero }, table, seek) {
    Object.assign(this, { key, unit, stacked, fromZero, table });
    this.root = document.createElement("figure");
    this.root.className = "plot";
    this.root.dataset.plot = key;
    const caption = document.createElement("figcaption");
    caption.textContent = unit ? `${title} [${unit}]` : title;
    this.legend = document.createElement("div");
    this.legend.className = "curves";
    this.canvas = document.createElement("canvas");
    this.root.append(caption, this.canvas, this.legend);
    parent.append(this.root);
    const point = (event) => {
      if (event.buttons !== 1 || !this.end) return;
      const x = event.offsetX - pad.left;
      seek(Math.max(0, Math.min(1, x / (this.canvas.clientWidth - pad.left - pad.right))) * this.end);
    };
    this.canvas.addEventListener("pointerdown", (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      point(event);
    });
    this.canvas.addEventListener("pointermove", point);
  }

  curves() {
    const prefix = `${this.key}/`;
    return [...this.table.columns].filter(([name]) => name.startsWith(prefix)).map(([name, values]) => ({ name: name.slice(prefix.length), values }));
  }

  #writeLegend(curves, row) {
    if (this.legend.childElementCount !== curves.length) {
      this.legend.replaceChildren(
        ...curves.map((curve, i) => {
          const entry = document.createElement("span");
          entry.className = "curve";
          const mark = document.createElement("i");
          mark.style.background = `var(--series-${(i % 8) + 1})`;
          entry.append(mark, curve.name, document.createElement("b"));
          return entry;
        }),
      );
    }
    curves.forEach((curve, i) => {
      const value = shown(row >= 0 ? curve.values[row] : null, this.unit);
      const cell = this.legend.children[i].lastChild;
      if (cell.textContent !== value) cell.textContent = value;
    });
  }

  // At most two points per pixel: the minimum and the maximum of its values. Stacked: the mean.
  #thin(values, width) {
    const { time } = this.table;
    const points = [];
    const scale = width / (this.end || 1);
    let i = 0;
    while (i < time.length) {
      const pixel = Math.floor(time[i] * scale);
      let low = Infinity, high = -Infinity, total = 0, count = 0, first = i;
      for (; i < time.length && Math.floor(time[i] * scale) === pixel; ++i) {
        const v = values[i];
        if (v === null) continue;
        low = Math.min(low, v);
        high = Math.max(high, v);
        total += v;
        ++count;
      }
      if (count === 0) continue;
      const x = count === 1 && i - first === 1 ? time[first] * scale : pixel + 0.5;
      if (this.stacked || low === high) points.push([x, total / count]);
      else points.push([x, low], [x, high]);
    }
    return points;
  }

  draw(now) {
    const curves = this.curves();
    this.root.hidden = curves.length === 0 || this.table.time.length === 0;
    if (this.root.hidden) return;
    const row = this.table.at(now);
    this.#writeLegend(curves, row);

    const { canvas } = this;
    const width = canvas.clientWidth, height = canvas.clientHeight, ratio = window.devicePixelRatio;
    if (width === 0) return;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    const style = getComputedStyle(this.root);
    const colour = (name) => style.getPropertyValue(name).trim();
    const pen = canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    const w = width - pad.left - pad.right, h = height - pad.top - pad.bottom;
    this.end = this.table.time.at(-1);

    const lines = curves.map((curve) => this.#thin(curve.values, w));
    if (this.stacked) for (let c = 1; c < lines.length; ++c) lines[c].forEach((p, i) => (p[1] += lines[c - 1][i]?.[1] ?? 0));
    let low = this.fromZero ? 0 : Infinity, high = this.fromZero ? 0 : -Infinity;
    for (const line of lines) for (const [, v] of line) (low = Math.min(low, v)), (high = Math.max(high, v));
    if (!this.fromZero && (low > 0 ? low < 0.5 * high : true)) low = Math.min(low, 0);
    high = Math.max(high, this.fromZero ? 0 : high);
    if (!(high > low)) high = low + (Math.abs(low) || 1);
    const ticks = niceTicks(low, high, 3);
    const X = (x) => pad.left + x, Y = (v) => pad.top + h * (1 - (v - low) / (high - low));

    pen.font = `10px ${style.fontFamily}`;
    pen.lineWidth = 1;
    pen.strokeStyle = colour("--rule");
    pen.fillStyle = colour("--faint");
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    for (const t of ticks) {
      const y = Math.round(Y(t)) + 0.5;
      pen.beginPath();
      pen.moveTo(pad.left, y);
      pen.lineTo(width - pad.right, y);
      pen.stroke();
      pen.fillText(short(t), pad.left - 5, y);
    }
    pen.textBaseline = "alphabetic";
    for (const t of niceTicks(0, this.end, 4)) {
      pen.textAlign = t === 0 ? "left" : t > 0.95 * this.end ? "right" : "center";
      pen.fillText(`${short(t)}${t === 0 ? " s" : ""}`, X((t / this.end) * w), height - 4);
    }

    const paint = (c) => colour(`--series-${(c % 8) + 1}`);
    for (let c = lines.length - 1; c >= 0; --c) {
      const line = lines[c];
      if (line.length === 0) continue;
      pen.beginPath();
      line.forEach(([x, v], i) => (i === 0 ? pen.moveTo(X(x), Y(v)) : pen.lineTo(X(x), Y(v))));
      if (this.stacked) {
        pen.lineTo(X(line.at(-1)[0]), Y(0));
        pen.lineTo(X(line[0][0]), Y(0));
        pen.fillStyle = paint(c);
        pen.fill();
      } else {
        pen.strokeStyle = paint(c);
        pen.lineWidth = 1.4;
        pen.lineJoin = "round";
        pen.stroke();
      }
    }
    const x = X(Math.min(1, now / this.end) * w);
    pen.strokeStyle = colour("--cursor");
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(x, pad.top - 4);
    pen.lineTo(x, pad.top + h);
    pen.stroke();
    if (!this.stacked && row >= 0)
      curves.forEach((curve, c) => {
        if (curve.values[row] === null) return;
        pen.fillStyle = paint(c);
        pen.beginPath();
        pen.arc(x, Y(curve.values[row]), 2.5, 0, 2 * Math.PI);
        pen.fill();
      });
  }
}
