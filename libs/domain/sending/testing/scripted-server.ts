import {
  type ComposedMessage,
  MailError,
  type MailSession,
  type NotAccepted,
  type SendOptions,
  type SendOutcome,
  type SentLookup,
} from '@adapters/mail';

const ACCEPTED: SendOutcome = {
  kind: 'accepted',
  lastReply: { code: '250', enhancedCode: null, command: 'DATA', response: '250 queued' },
  providerMessageId: null,
  providerThreadId: null,
};
/** Stages of a begun handover. */
const HANDOVER_STAGES: ReadonlySet<string> = new Set(['handover']);

/** The mail server of all mailboxes of a spec: it gives scripted replies, and runs callbacks of the spec in between. */
export class ScriptedServer {
  /** Messages that were handed over, whatever their outcome. */
  readonly given: { from: string; to: string; messageId: string; text: string }[] = [];
  /** Replies to the next messages; all others are accepted. */
  readonly answers: SendOutcome[] = [];
  /** Called while a message is claimed, before its handover begins. */
  beforeHandover: () => unknown = () => undefined;
  /** Called once its handover has begun. */
  onHandover: () => unknown = () => undefined;
  /** Called while a mailbox is read; an error from it ends the read. */
  onRead: () => unknown = () => undefined;
  found: SentLookup = { state: 'unknown' };
  draftId: string | null = null;
  reads = 0;
  lookups = 0;

  reset(): void {
    Object.assign(this, new ScriptedServer());
    this.given.length = 0;
    this.answers.length = 0;
  }

  session(): MailSession {
    return {
      verify: () => Promise.resolve({ outgoing: { ok: true }, incoming: { ok: true } }),
      send: (message: ComposedMessage, options: SendOptions) => this.#send(message, options),
      sync: async () => {
        this.reads += 1;
        await this.onRead();
        return { changes: [], cursor: String(this.reads), more: false, restarted: [] };
      },
      findSent: () => {
        this.lookups += 1;
        return Promise.resolve(this.found);
      },
    } as unknown as MailSession;
  }

  async #send(message: ComposedMessage, { beforeHandover, signal }: SendOptions): Promise<SendOutcome> {
    await this.beforeHandover();
    const answer = this.answers.shift() ?? ACCEPTED;
    if ('stage' in answer && !HANDOVER_STAGES.has(answer.stage)) return answer;
    if (signal?.aborted || !(await beforeHandover({ draftId: this.draftId }))) return { kind: 'withheld' };
    const { envelope, messageId, raw } = message;
    this.given.push({ from: envelope.from, to: envelope.to, messageId, text: raw.toString() });
    await this.onHandover();
    return answer;
  }
}

/** The outcome of a message that was not accepted. */
export function refused(
  kind: NotAccepted['kind'],
  stage: NotAccepted['stage'],
  response: string | null = null,
  retryAfterMs: number | null = null,
): NotAccepted {
  const [code = null, enhancedCode = null] = response?.match(/^(\d{3})(?:[ -](\d\.\d+\.\d+))?/)?.slice(1) ?? [];
  const lastReply = response === null ? null : { code, enhancedCode: enhancedCode ?? null, command: 'X', response };
  return { kind, failure: kind, stage, message: response ?? 'No answer', lastReply, retryAfterMs };
}

/** The error of a mailbox that cannot be read. */
export function unreadable(failure: NotAccepted['kind'], stage: NotAccepted['stage'], message = 'No'): MailError {
  return new MailError({ failure, stage, message });
}
