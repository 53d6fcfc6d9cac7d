import { parseFragment } from 'parse5';

const ENTITY = /&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z][A-Za-z\d]{1,31});/g;

/** The decoded text between braces, with the source offset of each character. */
export interface PlaceholderText {
  readonly text: string;
  /** Source offset of a character of `text`, or of its end. */
  offsetOf(index: number): number;
}

/**
 * Reads the text between braces from a source. HTML editors write `&quot;` and `&nbsp;` for a typed `"` and a
 * space, so character references are decoded in HTML.
 */
export function placeholderText(source: string, start: number, end: number, isHtml: boolean): PlaceholderText {
  const raw = source.slice(start, end);
  if (!isHtml || !raw.includes('&')) return { text: raw, offsetOf: (index) => start + index };
  let text = '';
  /** Points at which the offsets of decoded text and source diverge: [index in the text, offset in the source]. */
  const steps: [number, number][] = [[0, start]];
  let read = 0;
  for (const { 0: entity, index } of raw.matchAll(ENTITY)) {
    text += raw.slice(read, index);
    steps.push([text.length, start + index]);
    text += decoded(entity);
    read = index + entity.length;
    steps.push([text.length, start + read]);
  }
  return {
    text: text + raw.slice(read),
    offsetOf: (index) => {
      const [at, offset] = steps.findLast(([at]) => at <= index) ?? [0, start];
      return offset + index - at;
    },
  };
}

/** An unknown character reference stays unchanged. */
function decoded(entity: string): string {
  const [node] = parseFragment(entity).childNodes;
  return node && 'value' in node ? node.value : ' ';
}
