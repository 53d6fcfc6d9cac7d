import { compile } from 'html-to-text';

const MAX_HTML = 1_000_000;
const MAX_TEXT = 200_000;
/** Maximum depth of nesting, above that of real mail; the walk through the tree is recursive. */
const MAX_DEPTH = 200;

/** Class of the `<div>` around a signature. The text part separates it from the body. */
export const SIGNATURE_CLASS = 'signature';

const convert = compile({
  // The reader's mail program wraps long lines; wrapping here would break URLs.
  wordwrap: false,
  limits: { maxDepth: MAX_DEPTH, ellipsis: '' },
  selectors: [
    { selector: 'img', format: 'skip' },
    { selector: 'title', format: 'skip' },
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, noAnchorUrl: true } },
    { selector: `div.${SIGNATURE_CLASS}`, format: 'block', options: { leadingLineBreaks: 2, trailingLineBreaks: 2 } },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
  ],
});

/**
 * Returns the plain-text part of an email: links as `text [url]`, no images, line breaks as LF. It has at most
 * 200 000 characters, from the first million characters of the HTML: both bound the work for oversized mail.
 */
export function toTextPart(html: string): string {
  const text = convert(html.length > MAX_HTML ? html.slice(0, MAX_HTML) : html).trim();
  return (text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : text).toWellFormed();
}
