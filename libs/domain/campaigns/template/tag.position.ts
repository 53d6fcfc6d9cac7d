/** Where in HTML one stands after some of it was read. */
export type HtmlPosition = 'text' | 'comment' | 'tag' | "'" | '"';

const NEXT: Readonly<Record<HtmlPosition, RegExp>> = {
  // `a < b` is text; what is cut off right after `<` may become a tag.
  text: /<(?:!--|[a-z/]|$)/gi,
  comment: /-->/g,
  tag: /["'>]/g,
  "'": /'/g,
  '"': /"/g,
};

/**
 * Follows HTML from piece to piece, so that one knows whether a placeholder between them stands inside a tag and outside
 * quotes, where escaping does not keep a value from becoming an attribute.
 */
export function positionAfter(position: HtmlPosition, html: string): HtmlPosition {
  let now = position;
  let at = 0;
  for (;;) {
    const pattern = NEXT[now];
    pattern.lastIndex = at;
    const found = pattern.exec(html);
    if (!found) return now;
    at = pattern.lastIndex;
    now = following(now, found[0]);
  }
}

function following(position: HtmlPosition, found: string): HtmlPosition {
  if (position === 'text') return found === '<!--' ? 'comment' : 'tag';
  if (position === 'tag') return found === '"' || found === "'" ? found : 'text';
  return position === 'comment' ? 'text' : 'tag';
}
