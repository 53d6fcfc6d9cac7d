/** Future events, the earliest first; equal times in the order of insertion. */
export class SimulationTimeline<E extends { at: number }> {
  /** Latest first. */
  readonly #waiting: E[] = [];

  add(event: E): void {
    let [from, to] = [0, this.#waiting.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#waiting[middle] as E).at > event.at) from = middle + 1;
      else to = middle;
    }
    this.#waiting.splice(from, 0, event);
  }

  next(): E | undefined {
    return this.#waiting.pop();
  }
}
