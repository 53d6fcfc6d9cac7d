/** A priority queue: reads its first value in constant time. */
export class BinaryHeap<T> {
  readonly #items: T[] = [];

  /** @param before tells whether one value precedes another */
  constructor(private readonly before: (one: T, other: T) => boolean) {}

  get size(): number {
    return this.#items.length;
  }

  first(): T | undefined {
    return this.#items[0];
  }

  push(item: T): void {
    const items = this.#items;
    let at = items.length;
    items.push(item);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = items[parent] as T;
      if (!this.before(item, above)) break;
      items[at] = above;
      at = parent;
    }
    items[at] = item;
  }

  /** Removes and returns the first value. */
  pop(): T | undefined {
    const items = this.#items;
    const first = items[0];
    const last = items.pop();
    if (items.length > 0) this.#sink(last as T);
    return first;
  }

  #sink(item: T): void {
    const items = this.#items;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && this.before(items[child + 1] as T, items[child] as T)) child += 1;
      if (!this.before(items[child] as T, item)) break;
      items[at] = items[child] as T;
      at = child;
    }
    items[at] = item;
  }
}
