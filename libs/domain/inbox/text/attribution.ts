import { fold } from './fold';
import { isBlank, type Line } from './line';

/** Folded phrases of clients for "wrote". */
const WROTE =
  'wrote|writes|sent|schrieb|geschrieben|a ecrit|ecrit|escribio|ha escrito|escreveu|schreef|geschreven|heeft (?:het )?volgende geschreven|ha scritto|scrisse|' +
  'napisal(?:\\(?a\\)?|a|/a|/-a)?|pisze|skrev|kirjoitti|napsal(?:\\(?a\\)?|a)?|пишет|написал(?:\\(?а\\)?|а)?|yazdi|irta|a scris|egraψε|εγραψε|' +
  'viet|vao luc';
const WROTE_PHRASE = new RegExp(
  `(?<!\\p{L})(?:${WROTE})(?!\\p{L})|のメール|は書きました|さんは|写道|寫道|님이 작성|작성:|のメッセージ`,
  'u',
);

const ADDRESS =
  /<[^<>\s@]{1,80}@[^<>\s]{1,120}>|\[mailto:|(?:^|[\s(<"'[])[^\s<>@"']{1,80}@[^\s<>@"']{1,80}\.[a-z]{2,24}/;
const TIME = /\b\d{1,2}[:.h] ?\d{2}\b/;
const YEAR = /\b(?:19|20)\d\d\b|(?:19|20)\d\d ?(?:年|년)/;
const DAY = /\b\d{1,2}[./-]\d{1,2}[./-](?:\d{2}|\d{4})\b|\b\d{4}-\d{2}-\d{2}\b|\d{1,2} ?[月월]/;
/** Attributions begin with a preposition and a day, or with a day. Those that begin with a name are known by the address. */
const OPENING =
  /^(?:on|am|um|le|el|em|op|il|den|dne|w dniu|dnia|a|ha|ma|pa|ti|to|ma|ke|pe|su|so|mo|di|mi|do|fr|sa|в|пн|вт|ср|чт|пт|сб|вс|at|in|vao)(?![a-z])|^(?:\d|[a-z]{2,3}[,.]|[a-z]{6,12},)/;
/** A folded attribution continues with a year, a time or an address; no attribution begins so. */
const CONTINUATION =
  /^(?:(?:19|20)\d\d(?![-./\d]| ?[年년])|(?:\p{L}{1,4}\.? ){0,2}\d{1,2}[:.h] ?\d{2}(?![.\d])|["'([]{0,2}[<>]|[([]?[^\s<>@]{1,80}@|\p{P}?$)/u;
/** "On Mon," alone above "5 Jan 2026": the client folded within the date. */
const FRAGMENT = /^\p{L}{1,3}(?: \p{L}{2,10}[.,]{0,2})?$|^\p{L}{2,12}[.,]{1,2}$/u;
/** People also write sentences that end in a colon, but longer ones. */
const MAX_CHARS = 400;
const MAX_LINES = 4;

export interface Attribution {
  /** The line after the attribution. */
  readonly end: number;
  /** Certain even when no quoted line follows. */
  readonly strong: boolean;
  /** The first line may be a sentence of the author: it does not begin as clients do. */
  readonly doubtful: boolean;
  /** Text of the author before the attribution on the same line; usually empty. */
  readonly before: string;
}

/**
 * Finds an attribution such as "On Monday Jane wrote:" in the languages of common clients, on one line or folded over up to
 * four. A weak one counts only above a quoted line: people also write "As I wrote on 5 May:". It begins at the last line that
 * can begin one; the lines above belong to the author.
 */
export function findAttribution(lines: readonly Line[], start: number): Attribution | null {
  let joined = '';
  let unmarked: Attribution | null = null;
  const before = getTextBefore(lines[start]?.text ?? '');
  const doubtful = !OPENING.test(normalise(lines[start]?.text ?? ''));
  for (let at = start; at < start + MAX_LINES && at < lines.length; at += 1) {
    const line = lines[at];
    if (line === undefined || isBlank(line) || line.kind !== lines[start]?.kind) break;
    joined += (joined === '' ? '' : ' ') + line.text.trim();
    if (joined.length > MAX_CHARS || (at > start && !mayBegin(lines[start]?.text ?? ''))) break;
    const strength = getStrength(joined);
    if (strength && beginsOnLaterLine(lines, start, at)) return null;
    if (/[:：]\s*[*_-]{0,5}$/u.test(joined))
      return strength && { end: at + 1, strong: strength === 'strong', doubtful, before };
    // Some programs omit the colon.
    if (/(?:wrote|schrieb|a écrit|escribió|skrev|写道)$/u.test(joined) && strength === 'strong')
      return { end: at + 1, strong: true, doubtful, before };
    if (joined.endsWith('>') && strength === 'strong') unmarked = { end: at + 1, strong: false, doubtful, before };
  }
  return unmarked;
}

/** Whether the line can begin a folded attribution; otherwise it belongs to the text above. */
function mayBegin(text: string): boolean {
  return text.includes('<') || text.includes('@') || (/\d/.test(text) && OPENING.test(normalise(text)));
}

/** Whether a line after the first begins the attribution that ends with the last. */
function beginsOnLaterLine(lines: readonly Line[], first: number, last: number): boolean {
  for (let at = first + 1; at <= last; at += 1) {
    const text = normalise(lines[at]?.text ?? '');
    if (CONTINUATION.test(text)) continue;
    const tail = lines.slice(at, last + 1).map((line) => line.text.trim());
    const strength = getStrength(tail.join(' '));
    const begins = strength === 'strong' || (strength === 'weak' && OPENING.test(text));
    const isFolded = /^\d/.test(text) && at === first + 1 && FRAGMENT.test(normalise(lines[first]?.text ?? ''));
    if (begins && !isFolded) return true;
  }
  return false;
}

function getTextBefore(text: string): string {
  if (text.length > MAX_CHARS || OPENING.test(normalise(text))) return '';
  const [, before = ''] =
    /^(.{1,300}?)(?:\s|-{2,4} ?)(?:On|Am|Le|El|Op|Il) (?:\p{L}{2,9}[.,]? ){0,2}\d/u.exec(text) ?? [];
  return before;
}

function normalise(text: string): string {
  return fold(text)
    .trim()
    .replace(/^[-*_\s]{1,8}/, '')
    .replace(/\s+/g, ' ');
}

function getStrength(joined: string): 'strong' | 'weak' | null {
  const text = normalise(joined);
  const written = WROTE_PHRASE.test(text);
  const address = ADDRESS.test(text);
  const signs = [TIME, YEAR, DAY].filter((sign) => sign.test(text)).length;
  if (written && OPENING.test(text) && (signs >= 2 || (signs === 1 && address))) return 'strong';
  if (address && (signs >= 2 || (written && signs === 1))) return 'strong';
  if (written && signs >= 2 && /[\u3041-\u30ff\u4e00-\u9fff\uac00-\ud7af]/.test(text)) return 'strong';
  return written || address || (signs >= 2 && OPENING.test(text)) ? 'weak' : null;
}
