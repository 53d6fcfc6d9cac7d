/** UTF-16 units of an answer that are read; real answers have at most ten lines. */
const MAX_CHARS = 6_144;

/** Boilerplate that programs add to the server's answer and that rules must not match. */
const VACUOUS =
  /unknown address error|other mail system problem|other (?:or undefined )?(?:address|mailbox|mail system|network|protocol|security) status|does not like recipient|remote smtp server has rejected address|user unknown in .{0,10}\?|the following addresses had permanent fatal errors|this is a permanent error|transcript of session follows|please (?:contact|see|visit|refer|check)[^.;]{0,60}(?:postmaster|administrator|provider|information|details)|if you (?:think|believe|feel|continue)[^.;]{0,90}/g;

const LINK = /\bhttps?:\/\/[^\s<>"')\]]{1,500}/g;
const ADDRESS =
  /<?[\w.!#$%&'*+/=?^`{|}~\u0080-\uffff-]{1,64}@\[?[a-z0-9\u0080-\uffff](?:[a-z0-9._\u0080-\uffff-]{0,253}[a-z0-9\u0080-\uffff])?\]?>?/g;
const HOST = /\b(?=[a-z0-9-]{0,62}[a-z.-])[a-z0-9_](?:[a-z0-9_-]{0,62}\.){1,8}[a-z][a-z0-9-]{1,62}\b/g;
/** Dotted names of program components, no hosts. */
const NO_HOST = /^(?:resolver|storedrv|smtpsend|queue|routing|exception|www)\./;

export interface DiagnosticText {
  /** Lower case, one line, Latin letters without accents, `@` for addresses. */
  readonly full: string;
  /** The same, with `%` for host names and links. */
  readonly masked: string;
}

/** Normalises a server's answer for the rules. */
export function toDiagnosticText(answer: string): DiagnosticText {
  const full = foldDiagnostic(answer.length > MAX_CHARS ? answer.slice(0, MAX_CHARS) : answer)
    .replaceAll(/[\s\u00a0\u200b]+/g, ' ')
    .replaceAll(ADDRESS, '@')
    .trim();
  const masked = full
    // A multi-line answer repeats the code on each line, in the middle of sentences.
    .replaceAll(/ [45]\d\d[- ][45]\.\d{1,3}\.\d{1,3}(?= )| [45]\d\d-(?=\S)/g, ' ')
    .replaceAll(LINK, '%')
    .replaceAll(HOST, (name) => (NO_HOST.test(name) ? name : '%'))
    .replaceAll(VACUOUS, ' ')
    .replaceAll(/ {2,}/g, ' ')
    .trim();
  return { full, masked };
}

/** Lower case; Latin letters without accents; curly quotes as straight ones. */
export function foldDiagnostic(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[\u00c0-\u024f\u1e00-\u1eff]+/g, (accented) =>
      accented.normalize('NFD').replaceAll(/[\u0300-\u036f]+/g, ''),
    )
    .replaceAll(/[\u0300-\u036f]+/g, '')
    .replaceAll(/[‘’´`]/g, "'")
    .replaceAll(/[“”„«»]/g, '"')
    .replaceAll('ß', 'ss')
    .replaceAll('ı', 'i')
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o');
}
