/**
 * What `source` gives, in its order, one ahead: the next one is made while the caller works on the one before. What fails
 * is told when all before it were given.
 */
export async function* readAhead<T>(source: AsyncGenerator<T>): AsyncGenerator<T> {
  try {
    let coming = begun(source);
    for (;;) {
      const { done = false, value } = await coming;
      if (done) return;
      coming = begun(source);
      yield value as T;
    }
  } finally {
    await source.return(undefined);
  }
}

/** Whoever stops before it is asked for has no use for its failure. */
function begun<T>(source: AsyncGenerator<T>): Promise<IteratorResult<T>> {
  const coming = source.next();
  coming.catch(() => undefined);
  return coming;
}
