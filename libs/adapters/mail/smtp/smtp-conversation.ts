import { type MailStage } from '../port/mail.errors';

/** The capabilities of the server (EHLO). */
export interface Capabilities {
  readonly startTls: boolean;
  /** SASL mechanisms, upper case. */
  readonly mechanisms: ReadonlySet<string>;
  readonly smtpUtf8: boolean;
  /** Maximum message size in bytes; null when not stated (RFC 1870: 0 is "no limit known"). */
  readonly maxSize: number | null;
}

const NOTHING: Capabilities = { startTls: false, mechanisms: new Set(), smtpUtf8: false, maxSize: null };

/** Commands, plus two other stages: the greeting, and the message after 354. */
type Verb = keyof typeof STAGES;

const STAGES = {
  CONNECT: 'greeting',
  EHLO: 'greeting',
  HELO: 'greeting',
  STARTTLS: 'tls',
  AUTH: 'login',
  MAIL: 'sender',
  RCPT: 'recipient',
  DATA: 'data',
  MESSAGE: 'handover',
  RSET: 'request',
  QUIT: 'request',
} as const satisfies Record<string, MailStage>;

/** Names for `ServerReply`. */
const COMMANDS: Partial<Record<Verb, string>> = { MAIL: 'MAIL FROM', RCPT: 'RCPT TO', MESSAGE: 'DATA' };

/**
 * Follows the conversation on a connection through nodemailer's log records: its errors alone do not show at which command a connection was
 * lost. Keeps verbs and the last reply, never a command's arguments.
 */
export class SmtpConversation {
  readonly #unanswered: Verb[] = ['CONNECT'];
  #answered: Verb = 'CONNECT';
  #lastReply = '';
  #capabilities = NOTHING;

  /** @param onReply called after each complete reply */
  constructor(private readonly onReply: () => void) {}

  /** For nodemailer's option `logger`, with `transactionLog` on. */
  readonly logger = {
    trace: ignore,
    debug: (entry: { tnx?: unknown }, text: unknown) => {
      if (entry.tnx === 'client') this.#commandSent(String(text));
      if (entry.tnx === 'server') this.#replied(String(text));
    },
    info: ignore,
    warn: ignore,
    error: ignore,
    fatal: ignore,
  };

  get capabilities(): Capabilities {
    return this.#capabilities;
  }

  get lastReply(): string {
    return this.#lastReply;
  }

  /** The current command: the one waiting for a reply, else the last one replied to. */
  get stage(): MailStage {
    return STAGES[this.#unanswered[0] ?? this.#answered];
  }

  /** The stage of the last reply. */
  get answeredStage(): MailStage {
    return STAGES[this.#answered];
  }

  /** The next reply answers the message. */
  messageBegins(): void {
    this.#unanswered.push('MESSAGE');
  }

  #commandSent(text: string): void {
    const verb = text.split(' ', 1)[0]?.toUpperCase() ?? '';
    if (isVerb(verb)) this.#unanswered.push(verb);
    // An empty message without recipients, for a server that accepted DATA after it refused the recipient. Any other text
    // that is no command is a line of a SASL exchange, which nodemailer has masked.
    else this.#unanswered.push(verb === '.' ? 'DATA' : 'AUTH');
  }

  #replied(text: string): void {
    this.#answered = this.#unanswered.shift() ?? this.#answered;
    this.#lastReply = text;
    if (this.#answered === 'EHLO' && text.startsWith('2')) this.#capabilities = readCapabilities(text);
    this.onReply();
  }
}

/** The command for `ServerReply`; null for the greeting. */
export function getCommandAt(stage: MailStage): string | null {
  const verb = (Object.keys(STAGES) as Verb[]).findLast((verb) => STAGES[verb] === stage && verb !== 'QUIT');
  if (verb === undefined || stage === 'greeting') return null;
  return COMMANDS[verb] ?? verb;
}

function isVerb(text: string): text is Verb {
  return Object.hasOwn(STAGES, text);
}

function readCapabilities(ehlo: string): Capabilities {
  const lines = ehlo.split('\n').map((line) => line.slice(4).trim().toUpperCase());
  const extension = (name: string) => lines.slice(1).find((line) => line === name || line.startsWith(`${name} `));
  const size = Number(extension('SIZE')?.slice('SIZE '.length) ?? 0);
  return {
    startTls: extension('STARTTLS') !== undefined,
    // `AUTH=LOGIN` is the obsolete spelling.
    mechanisms: new Set(lines.flatMap((line) => (/^AUTH[ =]/.test(line) ? line.slice(5).split(/[ =]+/) : []))),
    smtpUtf8: extension('SMTPUTF8') !== undefined,
    maxSize: Number.isSafeInteger(size) && size > 0 ? size : null,
  };
}

function ignore(): void {}
