import { type SendRecord, type SendState, type LastReply } from './schemas/send.record';
import { maySendBecome } from './send-states';

/** A send with the fence of the lease under which it was claimed. */
export type SendLease = Pick<SendRecord, '_id' | 'workspaceId' | 'mailboxId' | 'fence'>;

/** The outcome of an attempt. `reason` is one sentence for a person. */
export type SendOutcome =
  | {
      state: 'sent';
      at: Date;
      lastReply?: LastReply;
      providerMessageId?: string | null;
      providerThreadId?: string | null;
    }
  /** `attempt`: the number of attempts, if this one does not count. */
  | { state: 'retry' | 'failed'; reason: string; lastReply?: LastReply; attempt?: number }
  /** The handover began, but the server gave no answer; `resolveAt`: the first resolution. */
  | { state: 'ambiguous'; reason: string; resolveAt: Date; draftId?: string | null; lastReply?: LastReply }
  | { state: 'withheld'; reason: string };

/** The resolution of an ambiguous send; `retry`: proof that it was not sent. */
export type SendResolution =
  | { state: 'sent'; at: Date; reason: string; providerMessageId?: string | null; providerThreadId?: string | null }
  | { state: 'sent_unconfirmed'; at: Date; reason: string }
  | { state: 'retry'; reason: string };

/**
 * Returns the fields to write.
 * @throws Error for a transition that the table of states does not have: a programming error
 */
export function toSendFields(from: SendState, outcome: SendOutcome | SendResolution): Partial<SendRecord> {
  if (!maySendBecome(from, outcome.state)) throw new Error(`A send does not go from ${from} to ${outcome.state}`);
  const { state, ...remaining } = outcome;
  const { at, ...fields } = remaining as { at?: Date } & Partial<SendRecord>;
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  return {
    reason: null,
    resolveAt: null,
    ...Object.fromEntries(present),
    state,
    ...(at ? { sentAt: at } : {}),
    ...(state === 'sent' ? { draftId: null } : {}),
  };
}
