import { parseFragment } from 'parse5';

const ENTITY = /&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z][A-Za-z\d]{1,31});/g;

/** What stands between braces as its author meant it, and where each character of it stands in the source. */
export interface PlaceholderText {
  readonly text: string;
  /** Offset in the source of a character of `text`, or of its end. */
  offsetOf(index: number): number;
}

/**
 * Takes the inside of braces from a source. Editors for HTML write `&quot;` and `&nbsp;` for what was typed as `"` and a
 * space, so in HTML character references are decoded.
 */
export function placeholderText(source: string, start: number, end: number, isHtml: boolean): PlaceholderText {
  const raw = source.slice(start, end);
  if (!isHtml || !raw.includes('&')) return { text: raw, offsetOf: (index) => start + index };
  let text = '';
  /** Where decoded and source text get out of step: [index in the text, offset in the source]. */
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

/** A reference that HTML does not know comes back as it was. */
function decoded(entity: string): string {
  const [node] = parseFragment(entity).childNodes;
  return node && 'value' in node ? node.value : ' ';
}
