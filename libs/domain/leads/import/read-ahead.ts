/**
 * Yields the values of `source` in order and requests the next one while the caller processes the current one. An error
 * is thrown after all values before it.
 */
export async function* readAhead<T>(source: AsyncGenerator<T>): AsyncGenerator<T> {
  try {
    let coming = requestNext(source);
    for (;;) {
      const { done = false, value } = await coming;
      if (done) return;
      coming = requestNext(source);
      yield value as T;
    }
  } finally {
    await source.return(undefined);
  }
}

/** A caller that stops early ignores the error of the pending value. */
function requestNext<T>(source: AsyncGenerator<T>): Promise<IteratorResult<T>> {
  const coming = source.next();
  coming.catch(() => undefined);
  return coming;
}
