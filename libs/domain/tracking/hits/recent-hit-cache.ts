/** More than a process stores in ten seconds. */
const MOST = 50_000;

interface Hit {
  readonly _id: string;
}

/** The hits that this process stored last: what comes again is counted, and not stored anew. */
export class RecentHitCache {
  #young = new Set<string>();
  #old = new Set<string>();

  has({ _id }: Hit): boolean {
    return this.#young.has(_id) || this.#old.has(_id);
  }

  /** Forgets those that were not seen for longest, half of them at a time. */
  add({ _id }: Hit): void {
    if (this.#young.size >= MOST / 2) {
      this.#old = this.#young;
      this.#young = new Set();
    }
    this.#young.add(_id);
  }
}
