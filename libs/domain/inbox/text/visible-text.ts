import { attributionAt } from './attribution';
import { isBanner, isDisclaimer, isSentFrom } from './closings';
import { linesOfHtml } from './html-lines';
import { isBlank, type Line, linesOfText } from './line';
import { fieldBlockAt, getField } from './mail-fields';
import { isDrawnLine, getSeparator } from './separators';
import { signedLines } from './signature';

export interface MailBody {
  /** The plain-text part. */
  readonly text?: string | null;
  readonly html?: string | null;
}

export interface VisibleText {
  /** What the person newly wrote. Lines end in LF; empty only when they wrote nothing. */
  readonly text: string;
  /** Whether there was a quoted mail. */
  readonly quoted: boolean;
  readonly signature: string | null;
}

/** The same with what rules need that look for a wish of the writer: the mail that is quoted may say the same words. */
export interface Answer extends VisibleText {
  /** As much of the text as is certainly the writer's, where a part of it may be the mail that they answer. */
  readonly sure?: string;
  /** What stands above the first quote, where that is more than the text: a rule may have taken words for something else. */
  readonly above?: string;
}

/** What is known of each line after the history was found. */
interface Sorted {
  readonly own: readonly string[][];
  readonly signature: readonly string[];
  readonly quoted: boolean;
  /** Whether the history begins with words that only clients write. */
  readonly certain: boolean;
  /** Part of `own` between an attribution and the first quoted line: the answer, or history that is not marked. */
  readonly doubted: number | null;
  /** Lines above the first quote. */
  readonly above: readonly string[];
}

/**
 * What the person newly wrote: quoted history, attribution lines, copied headers, signatures and disclaimers are left out,
 * answers below and between quotes are kept. Where all of it would be left out, nothing is. HTML decides where its markup tells the quote; otherwise the text part does.
 * The first million characters count. Never throws; the time grows with the length.
 */
export function visibleText(body: MailBody): VisibleText {
  const { text, quoted, signature } = readAnswer(body);
  return { text, quoted, signature };
}

/** As `visibleText`, with what is certain of it. */
export function readAnswer({ text, html }: MailBody): Answer {
  const fromHtml = html ? linesOfHtml(html) : [];
  const marked = fromHtml.some((line) => line.kind !== 'own' || line.cut || line.rule);
  const lines =
    fromHtml.some((line) => !isBlank(line)) && (marked || !text?.trim()) ? fromHtml : linesOfText(text ?? '');
  return readLines(lines) ?? readLines(lines.map(unquoted)) ?? unread(lines);
}

/** Null when nothing is left of it although nothing says that it is somebody else's. */
function readLines(lines: readonly Line[]): Answer | null {
  const sorted = sortedLines(lines);
  const { body, signature } = withoutSignature(sorted.own, sorted.signature);
  const visible = joined(body);
  if (visible !== '') return { text: visible, quoted: sorted.quoted, signature, ...evidence(sorted, visible) };
  // Words in what looked like a signature are better than none.
  const words = joined(sorted.signature.filter((line) => !isSentFrom(line)));
  if (words !== '') return { text: words, quoted: sorted.quoted, signature: null };
  return sorted.quoted && sorted.certain ? uncut(lines, sorted, signature) : null;
}

/** All but the quoted lines of a mail that begins with history: the answer may stand in it. Empty where it is only quoted. */
function uncut(all: readonly Line[], sorted: Sorted, signature: string | null): Answer {
  const lines = withoutBanner(all);
  const own: string[] = [];
  let hasWords = false;
  // Lines that announce history are nobody's words.
  let announced = 0;
  for (const [at, { text, kind }] of lines.entries()) {
    if (kind !== 'own') continue;
    own.push(text);
    if (at >= announced) announced = historyAt(lines, at)?.end ?? at;
    hasWords ||= at >= announced && text.trim() !== '' && !isSentFrom(text);
  }
  const kept = hasWords ? { text: joined(own), sure: '' } : { text: '' };
  return { ...kept, quoted: true, signature, ...aboveQuote(sorted, '') };
}

/** What the rules that look for what people want are told beside the text. */
function evidence(sorted: Sorted, visible: string): Pick<Answer, 'sure' | 'above'> {
  const { own, doubted } = sorted;
  const isDoubted = doubted !== null && own[doubted]?.some((line) => line.trim() !== '') === true;
  const certain = own.filter((_, at) => at !== doubted);
  return {
    ...(isDoubted && { sure: joined(withoutSignature(certain, []).body) }),
    ...aboveQuote(sorted, visible),
  };
}

const FOOTER = /https?:\/\/|www\.|\[link removed\]|newsletter/i;

/** Without what stands on every letter of theirs: a company's footer may offer to unsubscribe, too. */
function aboveQuote({ above }: Sorted, visible: string): Pick<Answer, 'above'> {
  const end = above.findIndex((line) => /^--\s?$/.test(line) || isDisclaimer(line));
  const words = (end < 0 ? above : above.slice(0, end)).filter((line) => !isSentFrom(line) && !FOOTER.test(line));
  const text = joined(words);
  return text.length > visible.length ? { above: text } : {};
}

/** A line of what looks like a quote from nobody: indented, or a whole mail inside a quote. */
function unquoted({ text, kind }: Line): Line {
  return { text: kind === 'quote' ? text.replace(/^\s{0,3}>+ ?/, '') : text, kind: 'own' };
}

function unread(lines: readonly Line[]): VisibleText {
  return { text: joined(lines.map((line) => line.text)), quoted: false, signature: null };
}

function sortedLines(all: readonly Line[]): Sorted {
  const lines = withoutBanner(all);
  const own: string[][] = [[]];
  const signature: string[] = [];
  const above: string[] = [];
  let [quoted, certain, words] = [false, false, false];
  let doubted: number | null = null;
  for (let at = 0; at < lines.length;) {
    const line = lines[at];
    if (line === undefined) break;
    const history = historyAt(lines, at);
    if (history !== null) {
      if (!quoted && history.mayBeWords) above.push(...lines.slice(at, history.end).map(withoutAddresses));
      quoted = true;
      certain = true;
      if (history.before) {
        own.at(-1)?.push(history.before);
        words = true;
      }
      // With nothing of the writer's above, the answer may be below what is quoted.
      const below = words || line.cut || line.rule ? null : answerBelow(lines, history);
      if (history.toTheEnd && below === null) break;
      at = below ?? history.end;
      own.push([]);
      if (history.isAttribution && history.toTheEnd) doubted = own.length - 1;
      continue;
    }
    if (line.kind === 'quote') {
      quoted = true;
      if (own.at(-1)?.length !== 0) own.push([]);
    } else if (line.kind === 'signature') signature.push(line.text);
    else {
      own.at(-1)?.push(line.text);
      if (!quoted) above.push(line.text);
      words ||= !isBlank(line);
    }
    at += 1;
  }
  return { own, signature, quoted, certain, doubted, above };
}

/** An address says nothing of what its owner wants: `stop@…`. */
function withoutAddresses({ text }: Line): string {
  return text.replace(/<[^<>]{0,200}>|\S{1,100}@\S{1,100}/g, ' ');
}

interface History {
  /** The line after the words that announce it. */
  readonly end: number;
  /** All below is history, not only the lines that are marked as quoted. */
  readonly toTheEnd: boolean;
  /** A line like "On Monday Jane wrote:", and not a header or a separator. */
  readonly isAttribution?: true;
  /** It may be a sentence of the writer's instead. */
  readonly mayBeWords?: boolean;
  /** The writer's words on the same line. */
  readonly before?: string;
}

/** Whether a client announces history at this line. */
function historyAt(lines: readonly Line[], at: number): History | null {
  const line = lines[at];
  if (line === undefined || line.kind !== 'own') return null;
  if (line.cut) return { end: at + 1, toTheEnd: true };
  if (line.rule && getField(lines[nextFull(lines, at)]?.text ?? '') !== null) return { end: at + 1, toTheEnd: true };
  if (isBlank(line)) return null;
  if (getSeparator(line.text) !== null) return { end: at + 1, toTheEnd: !quoteFollows(lines, at + 1) };
  const block = fieldBlockAt(lines, isDrawnLine(line.text) ? nextFull(lines, at + 1) : at);
  if (block !== null) return { end: block, toTheEnd: !quoteFollows(lines, block) };
  const attribution = attributionAt(lines, at);
  if (attribution === null) return null;
  const quote = quoteFollows(lines, attribution.end);
  if (!quote && !attribution.strong) return null;
  const { end, doubtful, before } = attribution;
  return { end, toTheEnd: !quote, isAttribution: true, mayBeWords: doubtful, before };
}

/** The next line that is not blank, from `at` on. */
function nextFull(lines: readonly Line[], at: number): number {
  let next = at;
  while (next < lines.length && next < at + 20 && isBlank(lines[next])) next += 1;
  return next;
}

function quoteFollows(lines: readonly Line[], at: number): boolean {
  return lines[nextFull(lines, at)]?.kind === 'quote';
}

/**
 * Where the writer's words begin below lines that are marked as quoted, null when no line is. Clients that write an
 * attribution mark what they quote: what stands between both may be the answer, too.
 */
function answerBelow(lines: readonly Line[], { end, isAttribution }: History): number | null {
  const quote = lines.findIndex((line, at) => at >= end && line.kind === 'quote');
  if (quote < 0) return null;
  if (isAttribution) return end;
  const answer = lines.findIndex((line, at) => at > quote && line.kind === 'own' && !isBlank(line));
  return answer < 0 ? null : answer;
}

function withoutBanner(lines: readonly Line[]): readonly Line[] {
  const first = nextFull(lines, 0);
  if (!isBanner(lines[first]?.text ?? '')) return lines;
  const end = lines.findIndex((line, at) => at > first && isBlank(line));
  return end < 0 ? lines : lines.slice(end);
}

/** The signature is at the end of what stands above the history, or of the last answer. */
function withoutSignature(
  own: readonly (readonly string[])[],
  signature: readonly string[],
): { body: string[]; signature: string | null } {
  const parts = own.filter((part) => part.some((line) => line.trim() !== ''));
  const found: string[] = [...signature];
  const body = parts.flatMap((part, index) => {
    const isInside = index > 0 && index < parts.length - 1;
    const signed = isInside ? { body: part, signature: null } : signedLines(trimmed(part));
    found.push(...(signed.signature ?? []));
    // What a telephone added stands above an answer that was put below.
    return [...signed.body.filter((line, at) => at === 0 || !isSentFrom(line)), ''];
  });
  const text = joined(found);
  return { body, signature: text === '' ? null : text };
}

function trimmed(lines: readonly string[]): string[] {
  const first = lines.findIndex((line) => line.trim() !== '');
  const last = lines.findLastIndex((line) => line.trim() !== '');
  return first < 0 ? [] : lines.slice(first, last + 1);
}

function joined(lines: readonly string[]): string {
  return lines
    .join('\n')
    .replace(/\n[ \t\n]*\n/g, '\n\n')
    .trim()
    .toWellFormed();
}
