/** More hits than a process stores in ten seconds. */
const MAX_HITS = 50_000;

interface Hit {
  readonly _id: string;
}

/** Ids of the hits that this process stored last: a repetition is counted instead of inserted. */
export class RecentHitCache {
  #young = new Set<string>();
  #old = new Set<string>();

  has({ _id }: Hit): boolean {
    return this.#young.has(_id) || this.#old.has(_id);
  }

  /** Evicts the older half when the younger one is full. */
  add({ _id }: Hit): void {
    if (this.#young.size >= MAX_HITS / 2) {
      this.#old = this.#young;
      this.#young = new Set();
    }
    this.#young.add(_id);
  }
}
