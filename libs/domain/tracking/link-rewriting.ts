import { type Token, Tokenizer, TokenizerMode } from 'parse5';

/** More links than this are not tracked: the number of a link is one byte of its token, and no letter has as many. */
export const MAX_TRACKED_LINKS = 100;
/** Longer ones are left as they are, so that what is stored with a send stays small. */
const MAX_URL = 4_096;

/** Elements whose content is not markup; the tokenizer leaves it to its user to know them. */
const OPAQUE: ReadonlyMap<string, Tokenizer['state']> = new Map([
  ['title', TokenizerMode.RCDATA],
  ['textarea', TokenizerMode.RCDATA],
  ['style', TokenizerMode.RAWTEXT],
  ['xmp', TokenizerMode.RAWTEXT],
  ['iframe', TokenizerMode.RAWTEXT],
  ['noembed', TokenizerMode.RAWTEXT],
  ['noframes', TokenizerMode.RAWTEXT],
  ['script', TokenizerMode.SCRIPT_DATA],
  ['plaintext', TokenizerMode.PLAINTEXT],
]);

export interface LinkRewriting {
  /** The URL that takes the place of one, or the same one to leave it alone. `link`: its number in the email, from 0. */
  readonly rewrite: (url: string, link: number) => string;
  /** URLs that are not tracked, such as the one for unsubscribing. */
  readonly keep?: ReadonlySet<string>;
}

export interface RewrittenLinks {
  readonly html: string;
  /** What the links led to, by number: character references decoded, without the blanks that browsers ignore. */
  readonly links: readonly string[];
}

interface Href {
  readonly url: string;
  /** The whole attribute in the source. */
  readonly start: number;
  readonly end: number;
}

/**
 * Puts other URLs into the `href` of `<a>` and `<area>` and leaves every other byte as it was. Only http and https are links
 * to count; `mailto:`, anchors, relative URLs and whatever stands in comments stay. A URL that occurs twice is two links.
 */
export function rewriteLinks(html: string, { rewrite, keep }: LinkRewriting): RewrittenLinks {
  const links: string[] = [];
  let result = '';
  let read = 0;
  for (const { url, start, end } of hrefsOf(html)) {
    if (links.length >= MAX_TRACKED_LINKS) break;
    if (!isTrackable(url) || keep?.has(url)) continue;
    const target = rewrite(url, links.length);
    links.push(url);
    if (target === url) continue;
    result += html.slice(read, start) + withValue(html.slice(start, end), target);
    read = end;
  }
  return { html: result + html.slice(read), links };
}

/** In order of the source. A tokenizer is enough, and unlike a tree it never shows a tag twice or in another order. */
function hrefsOf(html: string): Href[] {
  const found: Href[] = [];
  const ignore = () => {};
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag(token: Token.TagToken) {
        const opaque = OPAQUE.get(token.tagName);
        if (opaque !== undefined) tokenizer.state = opaque;
        const href = hrefOf(token);
        if (href !== null) found.push(href);
      },
      onEndTag: ignore,
      onComment: ignore,
      onDoctype: ignore,
      onEof: ignore,
      onCharacter: ignore,
      onNullCharacter: ignore,
      onWhitespaceCharacter: ignore,
    },
  );
  tokenizer.write(html, true);
  return found;
}

function hrefOf({ tagName, attrs, location }: Token.TagToken): Href | null {
  if (tagName !== 'a' && tagName !== 'area') return null;
  const value = attrs.find((attribute) => attribute.name === 'href')?.value;
  const place = location?.attrs?.['href'];
  if (value === undefined || place === undefined) return null;
  // What browsers do with a URL before they look at it (WHATWG URL, 4.4).
  const url = value.replace(/[\t\n\r]/g, '').trim();
  return { url, start: place.startOffset, end: place.endOffset };
}

function isTrackable(url: string): boolean {
  return url.length <= MAX_URL && /^https?:\/\//i.test(url) && URL.canParse(url);
}

/** The attribute with another value, in the quotes that it had. */
function withValue(attribute: string, value: string): string {
  const [before = '', quote = ''] = /^[^=]*=\s*(["']?)/.exec(attribute) ?? [];
  const escaped = value.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/'/g, '&#39;');
  return quote === '' ? `${before}"${escaped}"` : before + escaped + quote;
}
