import { type Token, Tokenizer, TokenizerMode } from 'parse5';

/** Further links are not tracked: a token has one byte for the link number. */
export const MAX_TRACKED_LINKS = 100;
/** Longer URLs stay as they are, to keep the stored send small. */
const MAX_URL = 4_096;

/** Elements whose content is not markup; the tokenizer does not switch its state itself. */
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
  /** Returns the replacement, or the same URL to leave it unchanged. `link`: index in the email, from 0. */
  readonly rewrite: (url: string, link: number) => string;
  /** URLs that are not tracked, such as the unsubscribe URL. */
  readonly keep?: ReadonlySet<string>;
}

export interface RewrittenLinks {
  readonly html: string;
  /** Original targets by link number: character references decoded, ignorable whitespace removed. */
  readonly links: readonly string[];
}

interface Href {
  readonly url: string;
  /** The whole attribute in the source. */
  readonly start: number;
  readonly end: number;
}

/**
 * Replaces URLs in the `href` of `<a>` and `<area>` and leaves every other byte unchanged. Only http and https links are
 * tracked; `mailto:`, anchors, relative URLs and comments stay. A URL that occurs twice counts as two links.
 */
export function rewriteLinks(html: string, { rewrite, keep }: LinkRewriting): RewrittenLinks {
  const links: string[] = [];
  let result = '';
  let read = 0;
  for (const { url, start, end } of listHrefs(html)) {
    if (links.length >= MAX_TRACKED_LINKS) break;
    if (!isTrackable(url) || keep?.has(url)) continue;
    const target = rewrite(url, links.length);
    links.push(url);
    if (target === url) continue;
    result += html.slice(read, start) + replaceValue(html.slice(start, end), target);
    read = end;
  }
  return { html: result + html.slice(read), links };
}

/** In source order. Unlike a tree, a tokenizer never repeats or reorders tags. */
function listHrefs(html: string): Href[] {
  const found: Href[] = [];
  const ignore = () => {};
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag(token: Token.TagToken) {
        const opaque = OPAQUE.get(token.tagName);
        if (opaque !== undefined) tokenizer.state = opaque;
        const href = findHref(token);
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

function findHref({ tagName, attrs, location }: Token.TagToken): Href | null {
  if (tagName !== 'a' && tagName !== 'area') return null;
  const value = attrs.find((attribute) => attribute.name === 'href')?.value;
  const place = location?.attrs?.['href'];
  if (value === undefined || place === undefined) return null;
  // Browsers remove these characters before parsing (WHATWG URL, 4.4).
  const url = value.replace(/[\t\n\r]/g, '').trim();
  return { url, start: place.startOffset, end: place.endOffset };
}

function isTrackable(url: string): boolean {
  return url.length <= MAX_URL && /^https?:\/\//i.test(url) && URL.canParse(url);
}

/** Replaces the value of an attribute and keeps its quotes. */
function replaceValue(attribute: string, value: string): string {
  const [before = '', quote = ''] = /^[^=]*=\s*(["']?)/.exec(attribute) ?? [];
  const escaped = value.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/'/g, '&#39;');
  return quote === '' ? `${before}"${escaped}"` : before + escaped + quote;
}
