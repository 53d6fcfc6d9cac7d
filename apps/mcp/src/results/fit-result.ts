/** JSON characters of one result: some 15 000 tokens, of about 25 000 that AI tools accept. */
export const MOST_CHARS = 60_000;

/** Lengths to which texts are cut, one after the other until the result fits. */
const LONGEST_TEXTS = [8_000, 2_000, 500];

export type Fitted =
  | { readonly kind: 'fits'; readonly data: unknown; readonly isCut: boolean }
  /**
   * Only this many records fit: the list is requested again with this limit, so that its cursor continues behind them.
   */
  | { readonly kind: 'fewer'; readonly limit: number }
  | { readonly kind: 'too-large' };

/** Shortens a result for a language model. */
export function fitResult(data: unknown, { mayAskForFewer }: { mayAskForFewer: boolean }): Fitted {
  for (const longest of LONGEST_TEXTS) {
    const cut = cutTexts(data, longest);
    const size = getSize(cut);
    if (size <= MOST_CHARS) return { kind: 'fits', data: cut, isCut: size !== getSize(data) };
    const limit = mayAskForFewer && Array.isArray(cut) ? countRecordsThatFit(cut) : 0;
    if (limit > 0) return { kind: 'fewer', limit };
  }
  return { kind: 'too-large' };
}

function cutTexts(value: unknown, longest: number): unknown {
  if (typeof value === 'string') return cutText(value, longest);
  if (Array.isArray(value)) return value.map((each) => cutTexts(each, longest));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, cutTexts(each, longest)]));
}

/** A cut text states how many characters are missing. */
export function cutText(text: string, longest: number): string {
  if (text.length <= longest) return text;
  // Drops half of a surrogate pair at the end.
  const start = text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '');
  return `${start}… [${text.length - start.length} more characters]`;
}

function countRecordsThatFit(records: readonly unknown[]): number {
  let room = MOST_CHARS;
  const at = records.findIndex((record) => (room -= getSize(record) + 1) < 0);
  return at;
}

function getSize(value: unknown): number {
  return JSON.stringify(value).length;
}
