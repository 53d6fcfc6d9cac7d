/** Characters of JSON that one answer may have: some 15 000 tokens, of which AI tools take about 25 000. */
export const MOST_CHARS = 60_000;

/** Characters to which texts are cut, one after the other until all of it fits. */
const LONGEST_TEXTS = [8_000, 2_000, 500];

export type Fitted =
  | { readonly kind: 'fits'; readonly data: unknown; readonly isCut: boolean }
  /** Only so many records fit: the list is to be asked for as many, so that its cursor goes on behind them. */
  | { readonly kind: 'fewer'; readonly limit: number }
  | { readonly kind: 'too-large' };

/** Makes an answer short enough for a language model. */
export function fitted(data: unknown, { mayAskForFewer }: { mayAskForFewer: boolean }): Fitted {
  for (const longest of LONGEST_TEXTS) {
    const cut = withTextsCut(data, longest);
    const size = sizeOf(cut);
    if (size <= MOST_CHARS) return { kind: 'fits', data: cut, isCut: size !== sizeOf(data) };
    const limit = mayAskForFewer && Array.isArray(cut) ? recordsThatFit(cut) : 0;
    if (limit > 0) return { kind: 'fewer', limit };
  }
  return { kind: 'too-large' };
}

function withTextsCut(value: unknown, longest: number): unknown {
  if (typeof value === 'string') return cutText(value, longest);
  if (Array.isArray(value)) return value.map((each) => withTextsCut(each, longest));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withTextsCut(each, longest)]));
}

/** What is left of a text says how much is missing. */
export function cutText(text: string, longest: number): string {
  if (text.length <= longest) return text;
  // Half a character at the end is none.
  const kept = text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '');
  return `${kept}… [${text.length - kept.length} characters more]`;
}

function recordsThatFit(records: readonly unknown[]): number {
  let room = MOST_CHARS;
  const at = records.findIndex((record) => (room -= sizeOf(record) + 1) < 0);
  return at;
}

function sizeOf(value: unknown): number {
  return JSON.stringify(value).length;
}
