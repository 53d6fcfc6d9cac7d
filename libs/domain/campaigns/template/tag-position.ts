/** Position in HTML after a part of it was read. */
type HtmlPosition = 'text' | 'comment' | 'tag' | "'" | '"';

export interface HtmlPlace {
  readonly position: HtmlPosition;
  /** For an attribute with a URL value: whether the URL has not begun yet. null elsewhere. */
  readonly link: 'link' | 'in-link' | null;
}

export const HTML_START: HtmlPlace = { position: 'text', link: null };

const NEXT: Readonly<Record<HtmlPosition, RegExp>> = {
  // `a < b` is text, but a source that ends right after `<` may continue as a tag.
  text: /<(?:!--|[a-z/]|$)/gi,
  comment: /-->/g,
  tag: /["'>]/g,
  "'": /'/g,
  '"': /"/g,
};
/** Matches the attribute name and equals sign before an opening quote. */
const ATTRIBUTE = /([^\s"'<>/=]+)\s*=\s*$/;
/** Maximum characters that are searched for the name of an attribute. */
const MAX_ATTRIBUTE_LENGTH = 100;
/** Attributes whose value is a URL that a person or a program opens. */
const ADDRESSES: ReadonlySet<string> = new Set([
  'href',
  'xlink:href',
  'src',
  'action',
  'formaction',
  'background',
  'poster',
  'data',
]);

/**
 * Tracks the position in HTML across pieces. It shows whether a placeholder stands in a link, or in a tag outside quotes.
 * Escaping does not stop a value from adding an attribute there, and a value in a link can change its target.
 */
export function placeAfter({ position, link }: HtmlPlace, html: string): HtmlPlace {
  let now = position;
  let at = 0;
  let openedAt: number | null = null;
  for (;;) {
    const pattern = NEXT[now];
    pattern.lastIndex = at;
    const found = pattern.exec(html);
    if (!found) break;
    at = pattern.lastIndex;
    now = following(now, found[0]);
    if (isQuote(now)) openedAt = at;
  }
  if (!isQuote(now)) return { position: now, link: null };
  const inAddress = openedAt === null ? link !== null : takesAddress(html.slice(0, openedAt - 1));
  const begins = (openedAt === null ? link === 'link' : true) && html.slice(openedAt ?? 0).trim() === '';
  return { position: now, link: inAddress ? (begins ? 'link' : 'in-link') : null };
}

function following(position: HtmlPosition, found: string): HtmlPosition {
  if (position === 'text') return found === '<!--' ? 'comment' : 'tag';
  if (position === 'tag') return found === '"' || found === "'" ? found : 'text';
  return position === 'comment' ? 'text' : 'tag';
}

function isQuote(position: HtmlPosition): boolean {
  return position === '"' || position === "'";
}

function takesAddress(before: string): boolean {
  const [, name = ''] = ATTRIBUTE.exec(before.slice(-MAX_ATTRIBUTE_LENGTH)) ?? [];
  return ADDRESSES.has(name.toLowerCase());
}
