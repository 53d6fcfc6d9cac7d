import {
  type ComposedMessage,
  type MailDriver,
  type MailSession,
  type SendOptions,
  type SendOutcome,
  type SentLookup,
  SmtpRelayClient,
} from '@adapters/mail';

const ACCEPTED: SendOutcome = {
  kind: 'accepted',
  lastReply: { code: '250', enhancedCode: null, command: 'DATA', response: '250 queued' },
  providerMessageId: null,
  providerThreadId: null,
};
export const OPERATOR = 'reports@operator.example';

/** Scripted mail servers: those of mailboxes, and the operator's. */
export class ReportingDriver implements MailDriver<'smtp_imap'> {
  readonly kind = 'smtp_imap';
  /** Messages that servers accepted, or may have accepted. */
  readonly given: ComposedMessage[] = [];
  outcome: SendOutcome = ACCEPTED;
  found: SentLookup = { state: 'unknown' };
  /** Called when the message is composed and before the last check. */
  before: () => Promise<unknown> = () => Promise.resolve();
  /** Called after the handover; it may fail as if the worker crashed. */
  after: () => Promise<unknown> = () => Promise.resolve();

  reset(): void {
    this.given.length = 0;
    this.outcome = ACCEPTED;
    this.found = { state: 'unknown' };
    this.before = () => Promise.resolve();
    this.after = () => Promise.resolve();
  }

  open(): MailSession {
    return {
      verify: () => Promise.resolve({ outgoing: { ok: true }, incoming: { ok: true } }),
      send: (message: ComposedMessage, options: SendOptions) => this.send(message, options),
      findSent: () => Promise.resolve(this.found),
      close: () => Promise.resolve(),
    } as unknown as MailSession;
  }

  /** The operator's server, which answers like the others. */
  relay(): SmtpRelayClient {
    const relay = new SmtpRelayClient({
      url: 'smtp://user:operator-canary@mail.operator.example',
      from: OPERATOR,
      ehloName: 'test',
      allowPlaintext: false,
    });
    jest.spyOn(relay, 'send').mockImplementation((message, options) => this.send(message, options));
    return relay;
  }

  async send(message: ComposedMessage, { beforeHandover, signal }: SendOptions): Promise<SendOutcome> {
    await this.before();
    if (signal?.aborted || !(await beforeHandover({ draftId: null }))) return { kind: 'withheld' };
    if (this.outcome.kind === 'accepted' || this.outcome.kind === 'ambiguous') this.given.push(message);
    await this.after();
    return this.outcome;
  }
}
