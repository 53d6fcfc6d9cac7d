import {
  type CheckResult,
  type ComposedMessage,
  type Login,
  type MailCheck,
  type MailDriver,
  type MailFailure,
  type MailSession,
  type SendOptions,
  type SendOutcome,
  type SmtpImapAccount,
} from '@adapters/mail';

/** The server and login used for each half. */
export interface SeenLogin {
  half: 'smtp' | 'imap';
  host: string;
  port: number;
  secure: boolean;
  login: Login;
}

/** Mailboxes with their own servers and scripted answers, for tests around a login. */
export class ScriptedDriver implements MailDriver<'smtp_imap'> {
  readonly kind = 'smtp_imap';
  readonly logins: SeenLogin[] = [];
  readonly sent: ComposedMessage[] = [];
  /** The deadline of each send. */
  readonly deadlines: (AbortSignal | undefined)[] = [];
  /** By host: the failure of the login. */
  readonly failures = new Map<string, MailFailure>();
  /** The outcome of a submitted message. */
  outcome: SendOutcome = {
    kind: 'accepted',
    lastReply: { code: '250', enhancedCode: null, command: 'DATA', response: '250 queued' },
    providerMessageId: null,
    providerThreadId: null,
  };
  opened = 0;
  closed = 0;
  /** Called while a login is verified. */
  meanwhile: () => Promise<void> = () => Promise.resolve();

  open(account: SmtpImapAccount): MailSession {
    this.opened += 1;
    return {
      verify: (signal?: AbortSignal) => {
        if (!signal) throw new Error('A login that a person waits for needs a deadline');
        return this.#verify(account);
      },
      send: (message: ComposedMessage, options: SendOptions) => this.#send(message, options),
      close: () => {
        this.closed += 1;
        return Promise.resolve();
      },
    } as MailSession;
  }

  reset(): void {
    this.logins.length = 0;
    this.sent.length = 0;
    this.deadlines.length = 0;
    this.failures.clear();
    this.meanwhile = () => Promise.resolve();
  }

  async #verify(account: SmtpImapAccount): Promise<MailCheck> {
    const outgoing = await this.#try('smtp', account);
    const incoming = await this.#try('imap', account);
    await this.meanwhile();
    return { outgoing, incoming };
  }

  async #try(half: 'smtp' | 'imap', account: SmtpImapAccount): Promise<CheckResult> {
    const { host, port, secure, login } = account[half];
    this.logins.push({ half, host, port, secure, login: await login() });
    const failure = this.failures.get(host);
    return failure ? { ok: false, ...failure } : { ok: true };
  }

  async #send(message: ComposedMessage, { beforeHandover, deadline }: SendOptions): Promise<SendOutcome> {
    this.deadlines.push(deadline);
    if (!(await beforeHandover({ draftId: null }))) return { kind: 'withheld' };
    if (this.outcome.kind === 'accepted') this.sent.push(message);
    return this.outcome;
  }
}

export function refusal(more: Partial<MailFailure> = {}): MailFailure {
  return {
    failure: 'needs-human',
    stage: 'login',
    message: 'The login was refused',
    lastReply: { code: '535', enhancedCode: '5.7.8', command: 'AUTH', response: '535 5.7.8 Bad credentials' },
    retryAfterMs: null,
    ...more,
  };
}
