const BLOCK =
  /^\/?(?:p|div|br|tr|table|li|ul|ol|h[1-6]|blockquote|hr|pre|section|article|header|footer|td|th|dd|dt|dl)$/;
const INVISIBLE = /^(?:style|script|head|title|noscript|template)$/;

const NAMED: Readonly<Record<string, string>> = {
  nbsp: ' ',
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  rsquo: '’',
  lsquo: '‘',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  auml: 'ä',
  ouml: 'ö',
  uuml: 'ü',
  Auml: 'Ä',
  Ouml: 'Ö',
  Uuml: 'Ü',
  szlig: 'ß',
  eacute: 'é',
  egrave: 'è',
  ecirc: 'ê',
  agrave: 'à',
  aacute: 'á',
  acirc: 'â',
  atilde: 'ã',
  ccedil: 'ç',
  iacute: 'í',
  igrave: 'ì',
  oacute: 'ó',
  ograve: 'ò',
  ocirc: 'ô',
  otilde: 'õ',
  uacute: 'ú',
  ugrave: 'ù',
  ntilde: 'ñ',
  iexcl: '¡',
  iquest: '¿',
};

/**
 * Converts an HTML body to text for phrase rules. Reads each character once: a library that builds a tree is too slow for a
 * hostile body of this size.
 */
export function htmlToText(html: string): string {
  const out: string[] = [];
  for (let at = 0; at < html.length;) {
    const open = html.indexOf('<', at);
    if (open === -1) {
      out.push(html.slice(at));
      break;
    }
    if (open > at) out.push(html.slice(at, open));
    const end = html.startsWith('<!--', open) ? html.indexOf('-->', open + 4) : html.indexOf('>', open + 1);
    if (end === -1) break;
    const [, name = ''] = /^(\/?[a-z][a-z0-9]{0,15})/i.exec(html.slice(open + 1, open + 18)) ?? [];
    at = html.startsWith('<!--', open) ? end + 3 : end + 1;
    const tag = name.toLowerCase();
    if (BLOCK.test(tag)) out.push('\n');
    if (INVISIBLE.test(tag)) at = skipElement(html, tag, at);
  }
  const text = out.join('').replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi, decodeEntity);
  return text
    .replaceAll(/[ \t\u00a0]{2,}/g, ' ')
    .replaceAll(/ ?\n[ \n]*/g, '\n')
    .trim();
}

function skipElement(html: string, tag: string, at: number): number {
  const end = html.indexOf(`</${tag}`, at);
  // An end tag in other case or none at all: nothing is skipped.
  return end === -1 ? at : end;
}

function decodeEntity(whole: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return NAMED[name] ?? whole;
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
  return code > 31 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : ' ';
}
