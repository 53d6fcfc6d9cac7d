/** Maximum characters of a page without scripts and styles; a longer one is no page for people. */
const MAX_CHARACTERS = 600_000;
/** Start and end tags; a tag that needs no end counts as both. */
const MAX_TAGS = 16_000;
const MAX_DEPTH = 200;
/** Maximum sum of tag depths, the cost of reading each element's text. Real pages have a tenth of it. */
const MAX_DEPTHS = 500_000;
/** Maximum length of a tag with its attributes. */
const MAX_TAG_CHARACTERS = 8_000;
/** Parsers create a text node for each `&amp;`. */
const MAX_ENTITIES = 10_000;

/** Their content is code, graphics or a fallback, which readers never see. */
const NOISE = /<!--|<(script|style|svg|math|noscript|template|iframe|object|canvas|textarea|select)(?=[\s/>])/gi;
const TAG = /<(\/?)([a-z][a-z0-9-]*)/gi;
const VOID = new Set([
  'area',
  'base',
  'br',
  'col',
  'embed',
  'hr',
  'img',
  'input',
  'link',
  'meta',
  'source',
  'track',
  'wbr',
]);
/** Need no end tag: counting them as open would make flat lists look deep. */
const UNCLOSED = new Set(['li', 'p', 'dt', 'dd', 'option', 'tr', 'td', 'th', 'thead', 'tbody', 'tfoot', 'colgroup']);

/**
 * A page without scripts, styles, drawings and comments, in one pass: an unclosed element removes the remaining text, as in a browser. null
 * when the result is too long or too deep for the parsers, whose time grows quadratically.
 */
export function toBoundedHtml(html: string): string | null {
  const text = removeNoise(html);
  if (text.length > MAX_CHARACTERS || text.split('&', MAX_ENTITIES + 1).length > MAX_ENTITIES) return null;
  return hasFewTags(text) ? text : null;
}

function hasFewTags(text: string): boolean {
  let [tags, depth, depths] = [0, 0, 0];
  for (const { 1: slash, 2: name = '', index } of text.matchAll(TAG)) {
    const tag = name.toLowerCase();
    tags += VOID.has(tag) ? 2 : 1;
    if (!VOID.has(tag) && !UNCLOSED.has(tag)) depth = Math.max(0, depth + (slash === '/' ? -1 : 1));
    depths += depth;
    if (tags > MAX_TAGS || depth > MAX_DEPTH || depths > MAX_DEPTHS || !isShortTag(text, index)) return false;
  }
  return true;
}

/** Searches the end of a tag outside quotes, within the maximum length. */
function isShortTag(text: string, start: number): boolean {
  let quote = '';
  for (let at = start; at < start + MAX_TAG_CHARACTERS; at += 1) {
    const character = text[at];
    if (character === undefined || (character === '>' && quote === '')) return true;
    if (character === quote) quote = '';
    else if (quote === '' && (character === '"' || character === "'")) quote = character;
  }
  return false;
}

function removeNoise(html: string): string {
  const parts: string[] = [];
  let at = 0;
  NOISE.lastIndex = 0;
  for (let found = NOISE.exec(html); found; found = NOISE.exec(html)) {
    parts.push(html.slice(at, found.index));
    at = findNoiseEnd(html, found);
    NOISE.lastIndex = at;
  }
  parts.push(html.slice(at));
  NOISE.lastIndex = 0;
  // A `<` that starts no tag is text; the parser creates a text node for each.
  return parts.join(' ').replace(/<(?![a-z/!?])/gi, ' ');
}

function findNoiseEnd(html: string, { 0: opening, 1: name, index }: RegExpExecArray): number {
  if (name === undefined) {
    const end = html.indexOf('-->', index + opening.length);
    return end < 0 ? html.length : end + 3;
  }
  const closing = new RegExp(`</${name}(?=[\\s/>])`, 'gi');
  closing.lastIndex = index + opening.length;
  if (!closing.exec(html)) return html.length;
  // The next end of a tag, searched once, so that many incomplete end tags cost no more than one.
  const end = html.indexOf('>', closing.lastIndex);
  return end < 0 ? html.length : end + 1;
}
