import { type WarmupLanguage } from '../schemas/warmup.record';
import { createAttribution } from './attribution';
import { type Correspondent, getFirstName, getFullName } from './first-name';
import { toParagraphsHtml, toQuoteHtml } from './html-twin';
import { joinToGreeting, createMailFrame } from './mail-frame';
import { capitalize, SeededChoice } from './seeded-choice';
import { countWords } from './text-fault';
import { getTextLibrary } from './text-library';
import { createLibraryScript, MAX_MESSAGES, type ThreadScript, type ThreadSeed } from './thread-script';

/** The answered mail. */
export interface PreviousMail {
  readonly from: Correspondent;
  /** When it was sent. */
  readonly at: Date;
  /** Its plain text, including its quotes. */
  readonly text: string;
}

/** A mail to write. */
export interface ThreadTextRequest extends ThreadSeed {
  /** 0 for the opening, 1 for its answer, up to `MAX_MESSAGES - 1`. */
  readonly position: number;
  readonly from: Correspondent;
  readonly to: Correspondent;
  /** Time of writing, which determines greetings and wishes. */
  readonly at: Date;
  /** IANA zone of the writer. */
  readonly zone: string;
  /** Script of the language model; without it the library is used. */
  readonly script?: ThreadScript | null | undefined;
  /** The quoted mail; without it nothing is quoted. */
  readonly previous?: PreviousMail | undefined;
}

export interface ThreadText {
  readonly subject: string;
  readonly text: string;
  /** The same content as the text. */
  readonly html: string;
}

/** Words of a mail; a shorter mail gets a farewell in any case. */
const MIN_LENGTH = 15;
/** Share of openings that are signed with the full name. */
const FULL_NAME_SHARE = 0.3;
/** Quoted characters; warmup mails have some hundreds. */
const MAX_QUOTED = 20_000;

/**
 * Writes the mail of one position of a thread: greeting, body, close, and the quoted mail below, as mail programs format it. It
 * has 15 to 120 words of its own. The same request returns the same mail.
 * @throws RangeError for a position beyond the thread
 */
export function createThreadText(request: ThreadTextRequest): ThreadText {
  const { language, seed, position, from, to, at, zone, previous } = request;
  const script = request.script ?? createLibraryScript(request);
  const body = script.bodies[position];
  if (body === undefined)
    throw new RangeError(`The positions of a thread are 0 to ${MAX_MESSAGES - 1}, not ${position}`);
  const chance = new SeededChoice(language, seed, position);
  const frame = createMailFrame({ language, position, reader: getFirstName(to), at, zone }, chance);
  const { greeting, opener, farewell, signOff } = frame;
  const signature = [signOff, getSignature(from, position, chance)].filter((line) => line !== '').join('\n');
  const first = opener === '' ? body : `${opener} ${capitalize(body)}`;
  const closedBy = (...close: string[]) =>
    [greeting, joinToGreeting(greeting, first, language), ...close]
      .filter((paragraph) => paragraph !== '')
      .join('\n\n');
  const terse = closedBy(signature);
  const own = frame.saysFarewell || countWords(terse) < MIN_LENGTH ? closedBy(farewell, signature) : terse;
  const subject = position === 0 ? script.subject : `${getAnswerMark(language, from)}${script.subject}`;
  return previous === undefined
    ? { subject, text: `${own}\n`, html: `${toParagraphsHtml(own)}\n` }
    : { subject, ...createAnswer(own, language, previous, zone) };
}

function createAnswer(
  own: string,
  language: WarmupLanguage,
  previous: PreviousMail,
  zone: string,
): Pick<ThreadText, 'text' | 'html'> {
  const attribution = createAttribution(language, previous.from, previous.at, zone);
  const quoted = toQuotable(previous.text);
  // Nested quotes get no blank between the marks (RFC 3676, 4.5).
  const marked = quoted.split('\n').map((line) => (line === '' || line.startsWith('>') ? `>${line}` : `> ${line}`));
  return {
    text: `${own}\n\n${attribution}\n${marked.join('\n')}\n`,
    html: `${toParagraphsHtml(own)}\n${toQuoteHtml(attribution, quoted)}\n`,
  };
}

function toQuotable(text: string): string {
  return text
    .slice(0, MAX_QUOTED)
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/(?!\n)\p{Cc}/gu, ' ')
    .trimEnd();
}

/** A correspondent always uses the same mail program. */
function getAnswerMark(language: WarmupLanguage, { address }: Correspondent): string {
  return new SeededChoice(address.toLowerCase()).pick(getTextLibrary(language).traits.answerMarks);
}

/** Empty when the writer's name is unknown. */
function getSignature(from: Correspondent, position: number, chance: SeededChoice): string {
  const whole = position === 0 && chance.draws(FULL_NAME_SHARE) ? getFullName(from) : null;
  return whole ?? getFirstName(from) ?? '';
}
