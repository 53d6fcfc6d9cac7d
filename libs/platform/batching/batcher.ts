interface Waiting<T, R> {
  readonly item: T;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Joins what many ask for at the same time: while one batch is being worked on, the next one gathers. Nobody waits for a
 * timer: who comes alone is a batch of one, at once.
 */
export class Batcher<T, R> {
  #waiting: Waiting<T, R>[] = [];
  #working = false;

  /**
   * @param work answers each item, in their order; what it throws everybody of the batch gets
   * @param most items of one batch
   */
  constructor(
    private readonly work: (items: readonly T[]) => Promise<readonly R[]>,
    private readonly most: number,
  ) {}

  run(item: T): Promise<R> {
    const asked = Promise.withResolvers<R>();
    this.#waiting.push({ item, resolve: asked.resolve, reject: asked.reject });
    if (!this.#working) {
      this.#working = true;
      // Whoever asks in the same moment comes along.
      setImmediate(() => void this.#drain());
    }
    return asked.promise;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.most);
      try {
        const results = await this.work(batch.map(({ item }) => item));
        batch.forEach(({ resolve }, at) => resolve(results[at] as R));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#working = false;
  }
}
