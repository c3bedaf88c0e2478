// A cache of decoded files: drops the least recently used first, and does not fetch what is no longer wanted.

export class FileCache {
  // load(name, signal) → a promise of an object with `bytes`.
  constructor(load, { maxBytes = 192 * 2 ** 20, maxFiles = 240, atOnce = 4 } = {}) {
    Object.assign(this, { load, maxBytes, maxFiles, atOnce });
    this.kept = new Map(); // name → object, oldest first
    this.bytes = 0;
    this.flying = new Map(); // name → { promise, stop }
    this.waiting = []; // names to fetch ahead
  }

  has(name) {
    return this.kept.has(name);
  }

  // From the cache, or fetched at once.
  get(name) {
    const found = this.kept.get(name);
    if (found) {
      this.kept.delete(name);
      this.kept.set(name, found);
      return Promise.resolve(found);
    }
    return (this.flying.get(name) ?? this.#start(name)).promise;
  }

  // Fetches the missing ones of these, in this order; cancels all other fetches.
  want(names) {
    const wanted = new Set(names);
    for (const [name, fetch] of this.flying) if (!wanted.has(name)) fetch.stop.abort();
    this.waiting = names.filter((name) => !this.kept.has(name) && !this.flying.has(name));
    this.#next();
  }

  clear() {
    this.want([]);
    this.kept.clear();
    this.bytes = 0;
  }

  #next() {
    while (this.flying.size < this.atOnce && this.waiting.length > 0) {
      const name = this.waiting.shift();
      if (!this.kept.has(name) && !this.flying.has(name)) this.#start(name).promise.catch(() => {});
    }
  }

  #start(name) {
    const stop = new AbortController();
    const promise = this.load(name, stop.signal)
      .then((object) => {
        stop.signal.throwIfAborted();
        this.#keep(name, object);
        return object;
      })
      .finally(() => {
        if (this.flying.get(name) === flight) this.flying.delete(name);
        this.#next();
      });
    const flight = { promise, stop };
    stop.signal.addEventListener("abort", () => this.flying.delete(name));
    this.flying.set(name, flight);
    return flight;
  }

  #keep(name, object) {
    this.kept.set(name, object);
    this.bytes += object.bytes;
    for (const [oldest, dropped] of this.kept) {
      if ((this.bytes <= this.maxBytes && this.kept.size <= this.maxFiles) || this.kept.size === 1) break;
      this.kept.delete(oldest);
      this.bytes -= dropped.bytes;
    }
  }
}
