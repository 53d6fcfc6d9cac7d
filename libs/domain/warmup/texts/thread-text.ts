import { type WarmupLanguage } from '../schemas/warmup.record';
import { attributionLine } from './attribution';
import { type Correspondent, getFirstName, getFullName } from './first-name';
import { paragraphsHtml, quoteHtml } from './html-twin';
import { afterGreeting, mailFrame } from './mail-frame';
import { capitalised, SeededChoice } from './seeded-choice';
import { wordsIn } from './text-fault';
import { textLibrary } from './text-library';
import { libraryScript, MAX_MESSAGES, type ThreadScript, type ThreadSeed } from './thread-script';

/** A mail that is answered. */
export interface PreviousMail {
  readonly from: Correspondent;
  /** When it was sent. */
  readonly at: Date;
  /** Its plain text, with what it quotes itself. */
  readonly text: string;
}

/** A mail to be written. */
export interface ThreadTextRequest extends ThreadSeed {
  /** 0 for the opening, 1 for its answer, up to `MAX_MESSAGES - 1`. */
  readonly turn: number;
  readonly from: Correspondent;
  readonly to: Correspondent;
  /** When it is written: greetings and wishes go by that. */
  readonly at: Date;
  /** IANA zone in which the writer lives. */
  readonly zone: string;
  /** What a language model wrote for this thread; without it the library is asked. */
  readonly script?: ThreadScript | null | undefined;
  /** What is quoted; without it nothing is. */
  readonly previous?: PreviousMail | undefined;
}

export interface ThreadText {
  readonly subject: string;
  readonly text: string;
  /** The same as the text. */
  readonly html: string;
}

/** Of a mail; one with fewer says farewell, whatever chance has decided. */
const LEAST_WORDS = 15;
/** Share of openings that are signed with the whole name. */
const WHOLE_NAMES = 0.3;
/** Characters of a mail that are quoted; mails of warmup have some hundreds. */
const MOST_QUOTED = 20_000;

/**
 * The mail of one turn of a thread: greeting, body, close, and below them what is answered, as mail programs put it there.
 * 15 to 120 words of the writer's own. The same request always gives the same mail.
 * @throws RangeError for a turn that threads do not have
 */
export function threadText(request: ThreadTextRequest): ThreadText {
  const { language, seed, turn, from, to, at, zone, previous } = request;
  const script = request.script ?? libraryScript(request);
  const body = script.bodies[turn];
  if (body === undefined) throw new RangeError(`A thread has turns 0 to ${MAX_MESSAGES - 1}, not ${turn}`);
  const chance = new SeededChoice(language, seed, turn);
  const frame = mailFrame({ language, turn, reader: getFirstName(to), at, zone }, chance);
  const { greeting, wish, farewell, signOff } = frame;
  const signature = [signOff, signedBy(from, turn, chance)].filter((line) => line !== '').join('\n');
  const first = wish === '' ? body : `${wish} ${capitalised(body)}`;
  const closedBy = (...close: string[]) =>
    [greeting, afterGreeting(greeting, first, language), ...close].filter((paragraph) => paragraph !== '').join('\n\n');
  const terse = closedBy(signature);
  const own = frame.saysFarewell || wordsIn(terse) < LEAST_WORDS ? closedBy(farewell, signature) : terse;
  const subject = turn === 0 ? script.subject : `${answerMark(language, from)}${script.subject}`;
  return previous === undefined
    ? { subject, text: `${own}\n`, html: `${paragraphsHtml(own)}\n` }
    : { subject, ...answering(own, language, previous, zone) };
}

function answering(
  own: string,
  language: WarmupLanguage,
  previous: PreviousMail,
  zone: string,
): Pick<ThreadText, 'text' | 'html'> {
  const attribution = attributionLine(language, previous.from, previous.at, zone);
  const quoted = quotable(previous.text);
  // A quote in the quote gets no blank between the marks (RFC 3676, 4.5).
  const marked = quoted.split('\n').map((line) => (line === '' || line.startsWith('>') ? `>${line}` : `> ${line}`));
  return {
    text: `${own}\n\n${attribution}\n${marked.join('\n')}\n`,
    html: `${paragraphsHtml(own)}\n${quoteHtml(attribution, quoted)}\n`,
  };
}

function quotable(text: string): string {
  return text
    .slice(0, MOST_QUOTED)
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/(?!\n)\p{Cc}/gu, ' ')
    .trimEnd();
}

/** The same person always writes with the same program. */
function answerMark(language: WarmupLanguage, { address }: Correspondent): string {
  return new SeededChoice(address.toLowerCase()).pick(textLibrary(language).traits.answerMarks);
}

/** Empty when the writer has no name. */
function signedBy(from: Correspondent, turn: number, chance: SeededChoice): string {
  const whole = turn === 0 && chance.happens(WHOLE_NAMES) ? getFullName(from) : null;
  return whole ?? getFirstName(from) ?? '';
}
