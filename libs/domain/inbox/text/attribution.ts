import { fold } from './fold';
import { isBlank, type Line } from './line';

/** Folded words by which clients say that somebody wrote. */
const WROTE =
  'wrote|writes|sent|schrieb|geschrieben|a ecrit|ecrit|escribio|ha escrito|escreveu|schreef|geschreven|heeft (?:het )?volgende geschreven|ha scritto|scrisse|' +
  'napisal(?:\\(?a\\)?|a|/a|/-a)?|pisze|skrev|kirjoitti|napsal(?:\\(?a\\)?|a)?|пишет|написал(?:\\(?а\\)?|а)?|yazdi|irta|a scris|egraψε|εγραψε|' +
  'viet|vao luc';
const WROTE_WORD = new RegExp(
  `(?<!\\p{L})(?:${WROTE})(?!\\p{L})|のメール|は書きました|さんは|写道|寫道|님이 작성|작성:|のメッセージ`,
  'u',
);

const ADDRESS =
  /<[^<>\s@]{1,80}@[^<>\s]{1,120}>|\[mailto:|(?:^|[\s(<"'[])[^\s<>@"']{1,80}@[^\s<>@"']{1,80}\.[a-z]{2,24}/;
const TIME = /\b\d{1,2}[:.h] ?\d{2}\b/;
const YEAR = /\b(?:19|20)\d\d\b|(?:19|20)\d\d ?(?:年|년)/;
const DAY = /\b\d{1,2}[./-]\d{1,2}[./-](?:\d{2}|\d{4})\b|\b\d{4}-\d{2}-\d{2}\b|\d{1,2} ?[月월]/;
/** How attribution lines begin: with the word for a day, or with a day. Names come first as well and are told by address. */
const OPENING =
  /^(?:on|am|um|le|el|em|op|il|den|dne|w dniu|dnia|a|ha|ma|pa|ti|to|ma|ke|pe|su|so|mo|di|mi|do|fr|sa|в|пн|вт|ср|чт|пт|сб|вс|at|in|vao)(?![a-z])|^(?:\d|[a-z]{2,3}[,.]|[a-z]{6,12},)/;
/** How the second line of a folded attribution begins: with a year, a time, an address. No attribution begins so. */
const CONTINUATION =
  /^(?:(?:19|20)\d\d(?![-./\d]| ?[年년])|(?:\p{L}{1,4}\.? ){0,2}\d{1,2}[:.h] ?\d{2}(?![.\d])|["'([]{0,2}[<>]|[([]?[^\s<>@]{1,80}@|\p{P}?$)/u;
/** "On Mon," alone on the line above "5 Jan 2026": the client folded in the middle of the day. */
const FRAGMENT = /^\p{L}{1,3}(?: \p{L}{2,10}[.,]{0,2})?$|^\p{L}{2,12}[.,]{1,2}$/u;
/** Said by people, too, in sentences that end in a colon. */
const MOST_CHARS = 400;
const MOST_LINES = 4;

export interface Attribution {
  /** The line after the attribution. */
  readonly end: number;
  /** Certain even where no quoted line follows. */
  readonly strong: boolean;
  /** Its first line may be a sentence of the writer's: it does not begin as clients begin. */
  readonly doubtful: boolean;
  /** The end of the writer's own words where a program put the attribution on the same line; mostly empty. */
  readonly before: string;
}

/**
 * "On Monday Jane wrote:" in the languages that clients speak, on one line or folded over up to four. Weak ones count only
 * above a quoted line: a person may write "As I wrote on 5 May:", too. It begins at the last line that can begin one: the lines
 * above are the writer's, whatever they look like.
 */
export function attributionAt(lines: readonly Line[], start: number): Attribution | null {
  let joined = '';
  let unmarked: Attribution | null = null;
  const before = wordsBefore(lines[start]?.text ?? '');
  const doubtful = !OPENING.test(bare(lines[start]?.text ?? ''));
  for (let at = start; at < start + MOST_LINES && at < lines.length; at += 1) {
    const line = lines[at];
    if (line === undefined || isBlank(line) || line.kind !== lines[start]?.kind) break;
    joined += (joined === '' ? '' : ' ') + line.text.trim();
    if (joined.length > MOST_CHARS || (at > start && !isBeginning(lines[start]?.text ?? ''))) break;
    const strength = strengthOf(joined);
    if (strength && beginsLater(lines, start, at)) return null;
    if (/[:：]\s*[*_-]{0,5}$/u.test(joined))
      return strength && { end: at + 1, strong: strength === 'strong', doubtful, before };
    // Some programs leave the colon out.
    if (/(?:wrote|schrieb|a écrit|escribió|skrev|写道)$/u.test(joined) && strength === 'strong')
      return { end: at + 1, strong: true, doubtful, before };
    if (joined.endsWith('>') && strength === 'strong') unmarked = { end: at + 1, strong: false, doubtful, before };
  }
  return unmarked;
}

/** Whether the first of several lines can be the beginning of an attribution, and not of what stands above it. */
function isBeginning(text: string): boolean {
  return text.includes('<') || text.includes('@') || (/\d/.test(text) && OPENING.test(bare(text)));
}

/** Whether a line after the first one begins the attribution that ends with the last one. */
function beginsLater(lines: readonly Line[], first: number, last: number): boolean {
  for (let at = first + 1; at <= last; at += 1) {
    const text = bare(lines[at]?.text ?? '');
    if (CONTINUATION.test(text)) continue;
    const tail = lines.slice(at, last + 1).map((line) => line.text.trim());
    const strength = strengthOf(tail.join(' '));
    const begins = strength === 'strong' || (strength === 'weak' && OPENING.test(text));
    const isFolded = /^\d/.test(text) && at === first + 1 && FRAGMENT.test(bare(lines[first]?.text ?? ''));
    if (begins && !isFolded) return true;
  }
  return false;
}

function wordsBefore(text: string): string {
  if (text.length > MOST_CHARS || OPENING.test(bare(text))) return '';
  const [, words = ''] =
    /^(.{1,300}?)(?:\s|-{2,4} ?)(?:On|Am|Le|El|Op|Il) (?:\p{L}{2,9}[.,]? ){0,2}\d/u.exec(text) ?? [];
  return words;
}

function bare(text: string): string {
  return fold(text)
    .trim()
    .replace(/^[-*_\s]{1,8}/, '')
    .replace(/\s+/g, ' ');
}

function strengthOf(joined: string): 'strong' | 'weak' | null {
  const text = bare(joined);
  const written = WROTE_WORD.test(text);
  const address = ADDRESS.test(text);
  const signs = [TIME, YEAR, DAY].filter((sign) => sign.test(text)).length;
  if (written && OPENING.test(text) && (signs >= 2 || (signs === 1 && address))) return 'strong';
  if (address && (signs >= 2 || (written && signs === 1))) return 'strong';
  if (written && signs >= 2 && /[\u3041-\u30ff\u4e00-\u9fff\uac00-\ud7af]/.test(text)) return 'strong';
  return written || address || (signs >= 2 && OPENING.test(text)) ? 'weak' : null;
}
