/** Like `AbortSignal.timeout`, but the test decides when it aborts. */
export function deadline(): { readonly signal: AbortSignal; strike(): void } {
  const over = new AbortController();
  return { signal: over.signal, strike: () => over.abort(new DOMException('time is up', 'TimeoutError')) };
}
