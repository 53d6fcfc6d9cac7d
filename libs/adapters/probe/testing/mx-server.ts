import { type Act, type Engagement, ScriptedSmtp, type SmtpScript } from '../../mail/testing';

/** The state of a mailbox, or the server's reply about it. */
export type MailboxState = 'exists' | 'full' | 'disabled' | 'greylisted' | 'blocked' | 'hidden';

/** Replies of mail servers in their own wording; each test server uses one of these sets. */
export interface Tongue {
  readonly unknown: string;
  readonly full: string;
  readonly disabled: string;
  readonly greylisted: string;
  /** Refusals of the client, not of the recipient. */
  readonly blocked: string;
}

export const POSTFIX: Tongue = {
  unknown: '550 5.1.1 <$>: Recipient address rejected: User unknown in local recipient table',
  full: '452 4.2.2 <$>: Recipient address rejected: Mailbox is over quota',
  disabled: '550 5.2.1 <$>: Recipient address rejected: this mailbox is disabled',
  greylisted: '450 4.2.0 <$>: Recipient address rejected: Greylisted, see http://postgrey.example/help',
  blocked: '554 5.7.1 Service unavailable; Client host [192.0.2.9] blocked using zen.spamhaus.org',
};

export interface MxOptions extends Omit<SmtpScript, 'on'> {
  readonly on?: SmtpScript['on'];
  /** By address; all others are unknown. */
  readonly mailboxes?: Readonly<Record<string, MailboxState>>;
  /** Accepts every recipient without a state. */
  readonly takesEverything?: boolean;
  readonly tongue?: Tongue;
}

/** A mail server on loopback with scripted replies for its mailboxes; it accepts no mail. */
export class MxServer {
  readonly mailboxes = new Map<string, MailboxState>();
  takesEverything: boolean;
  /** Pairs of sender and recipient that were postponed before. */
  readonly #seenBefore = new Set<string>();
  readonly #tongue: Tongue;

  private constructor(
    readonly smtp: ScriptedSmtp,
    { mailboxes = {}, takesEverything = false, tongue = POSTFIX }: MxOptions,
  ) {
    for (const [address, state] of Object.entries(mailboxes)) this.mailboxes.set(address, state);
    this.takesEverything = takesEverything;
    this.#tongue = tongue;
  }

  static async start(options: MxOptions = {}): Promise<MxServer> {
    const { on = {}, capabilities = ['PIPELINING', 'SMTPUTF8', 'ENHANCEDSTATUSCODES'], ...rest } = options;
    const later: { server?: MxServer } = {};
    const RCPT = (seen: Engagement, line: string): Act | undefined => later.server?.recipient(seen, line);
    const smtp = await ScriptedSmtp.start({ ...rest, capabilities, on: { RCPT, ...on } });
    later.server = new MxServer(smtp, options);
    return later.server;
  }

  /** Probed recipients, in order. */
  get recipients(): string[] {
    return this.smtp.commands.filter((line) => line.startsWith('RCPT')).map(addressIn);
  }

  close(): Promise<void> {
    return this.smtp.close();
  }

  /** The reply about the recipient of a command. */
  recipient({ commands }: Engagement, line: string): Act {
    const address = addressIn(line);
    const state = this.mailboxes.get(address) ?? (this.takesEverything ? 'exists' : 'unknown');
    const sender = commands.findLast((command) => command.startsWith('MAIL')) ?? '';
    const pair = `${sender} ${address}`;
    const isNew = !this.#seenBefore.has(pair);
    this.#seenBefore.add(pair);
    if (state === 'exists' || (state === 'greylisted' && !isNew)) return { say: '250 2.1.5 Ok' };
    const said = state === 'hidden' ? this.#tongue.blocked : this.#tongue[state];
    return { say: said.replaceAll('$', address) };
  }
}

function addressIn(line: string): string {
  return /<(.*)>/.exec(line)?.[1] ?? '';
}
