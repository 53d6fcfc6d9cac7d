import { quoteRecord } from './record-text';

/** Tags by name, or a fault that continues a sentence. */
export type TagList =
  | { readonly ok: true; readonly tags: ReadonlyMap<string, string> }
  | { readonly ok: false; readonly fault: string };

/** RFC 6376, section 3.2: `ALPHA *(ALPHA / DIGIT / "_")`; names are case-sensitive. */
const TAG_NAME = /^[A-Za-z]\w*$/;
/** Printable ASCII and blanks; a line may be folded. */
const TAG_VALUE = /^(?:[\x20-\x7e\t]|\r\n(?=[ \t]))*$/;
const BLANKS = ' \t\r\n';

/**
 * Parses a tag-list (RFC 6376, section 3.2) as verifiers do: one mistake or repeated tag invalidates all of it. Tags keep their
 * order; blanks around names and values are dropped.
 */
export function parseTagList(text: string): TagList {
  const specs = text.split(';');
  // A semicolon may end the list; trailing blanks are common, and every verifier accepts them.
  if (specs.length > 1 && trimBlanks(specs.at(-1) ?? '') === '') specs.pop();
  const tags = new Map<string, string>();
  for (const spec of specs) {
    const equals = spec.indexOf('=');
    const name = trimBlanks(equals < 0 ? spec : spec.slice(0, equals));
    if (equals < 0)
      return toUnreadableList(
        name === '' ? 'there is nothing between two semicolons' : `${quoteRecord(name)} has no "="`,
      );
    if (!TAG_NAME.test(name)) return toUnreadableList(`${quoteRecord(name)} is no name of a tag`);
    if (tags.has(name)) return toUnreadableList(`the tag ${quoteRecord(name)} is there twice`);
    const value = trimBlanks(spec.slice(equals + 1));
    if (!TAG_VALUE.test(value))
      return toUnreadableList(
        `the tag ${quoteRecord(name)} has characters that are not allowed: ${quoteRecord(value)}`,
      );
    tags.set(name, value);
  }
  return { ok: true, tags };
}

function toUnreadableList(fault: string): TagList {
  return { ok: false, fault };
}

/** Removes surrounding blanks and line ends. `trim()` would also remove bytes beyond ASCII. */
export function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && BLANKS.includes(text.charAt(start))) start++;
  while (end > start && BLANKS.includes(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}
