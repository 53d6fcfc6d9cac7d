/** What is left of a page when everything that is no text is taken out; above, it is no page for people. */
const MAX_CHARACTERS = 600_000;
const MAX_ELEMENTS = 15_000;
const MAX_DEPTH = 200;

/** Their content is code, drawing or a fallback: never what a reader sees. */
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
/** Need no end tag, so that counting them as open would call flat lists deep. */
const UNCLOSED = new Set(['li', 'p', 'dt', 'dd', 'option', 'tr', 'td', 'th', 'thead', 'tbody', 'tfoot', 'colgroup']);

/**
 * A page without scripts, styles, drawings and comments, in one pass: what begins and does not end takes the rest with it, as in a
 * browser. null when what is left is too much, or too deep, for the parsers behind: their time grows with the square of it.
 */
export function boundedHtml(html: string): string | null {
  const text = withoutNoise(html);
  if (text.length > MAX_CHARACTERS) return null;
  let [elements, depth] = [0, 0];
  for (const [, slash, name = ''] of text.matchAll(TAG)) {
    const tag = name.toLowerCase();
    if (VOID.has(tag)) {
      elements += 1;
    } else if (slash === '/') {
      if (!UNCLOSED.has(tag)) depth = Math.max(0, depth - 1);
    } else {
      elements += 1;
      if (!UNCLOSED.has(tag)) depth += 1;
    }
    if (elements > MAX_ELEMENTS || depth > MAX_DEPTH) return null;
  }
  return text;
}

function withoutNoise(html: string): string {
  const kept: string[] = [];
  let at = 0;
  NOISE.lastIndex = 0;
  for (let found = NOISE.exec(html); found; found = NOISE.exec(html)) {
    kept.push(html.slice(at, found.index));
    at = endOfNoise(html, found);
    NOISE.lastIndex = at;
  }
  kept.push(html.slice(at));
  NOISE.lastIndex = 0;
  return kept.join(' ');
}

function endOfNoise(html: string, { 0: opening, 1: name, index }: RegExpExecArray): number {
  if (name === undefined) {
    const end = html.indexOf('-->', index + opening.length);
    return end < 0 ? html.length : end + 3;
  }
  const closing = new RegExp(`</${name}(?=[\\s/>])[^>]*>`, 'gi');
  closing.lastIndex = index + opening.length;
  return closing.exec(html) ? closing.lastIndex : html.length;
}
