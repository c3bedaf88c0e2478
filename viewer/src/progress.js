// How long a run will still take, from its steps: the mean wall time of a simulated second, in which a step that lies
// `memory` simulated seconds back counts 1/e. src/coracle/out/time_left.h says the same at length.
export class TimeLeft {
  constructor(memory) {
    this.memory = memory;
    this.restart();
  }

  restart() {
    this.wall = this.simulated = 0;
  }

  // A line of stats.jsonl.
  add({ dt, stages }) {
    const fade = Math.exp(-dt / this.memory);
    const seconds = Object.values(stages ?? {}).reduce((sum, s) => sum + s, 0);
    this.wall = fade * this.wall + seconds;
    this.simulated = fade * this.simulated + dt;
  }

  // s of wall time for so many simulated ones; null before the first step.
  left(simulated) {
    return this.simulated > 0 ? (this.wall / this.simulated) * Math.max(simulated, 0) : null;
  }
}

// "12 s", "4:05" or "1:02:03"
export function duration(seconds) {
  const s = Math.round(seconds);
  const two = (n) => String(n).padStart(2, "0");
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)}:${two(s % 60)}`;
  return `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}`;
}
