import { type SendRecord, type SendState, type LastReply } from './schemas/send.record';
import { mayBecome } from './send-states';

/** Names a send, and the turn that holds it (fences count by mailbox): any stored send is one. */
export type SendLease = Pick<SendRecord, '_id' | 'workspaceId' | 'mailboxId' | 'fence'>;

/** What became of a send. `reason` is one sentence for a person. */
export type SendOutcome =
  | {
      state: 'sent';
      at: Date;
      words?: LastReply;
      providerMessageId?: string | null;
      providerThreadId?: string | null;
    }
  /** `attempt`: how many attempts count, where this one does not. */
  | { state: 'retry' | 'failed'; reason: string; words?: LastReply; attempt?: number }
  /** The message was given, but no answer came; `lookAt`: when to look for it first. */
  | { state: 'ambiguous'; reason: string; lookAt: Date; draftId?: string | null; words?: LastReply }
  | { state: 'withheld'; reason: string };

/** What the search for an ambiguous send ended with; `retry`: proof that it was not sent. */
export type SendResolution =
  | { state: 'sent'; at: Date; reason: string; providerMessageId?: string | null; providerThreadId?: string | null }
  | { state: 'sent_unconfirmed'; at: Date; reason: string }
  | { state: 'retry'; reason: string };

/**
 * The fields to write.
 * @throws Error for a move that the table of states does not have: a mistake of the program
 */
export function toFields(from: SendState, outcome: SendOutcome | SendResolution): Partial<SendRecord> {
  if (!mayBecome(from, outcome.state)) throw new Error(`A send does not go from ${from} to ${outcome.state}`);
  const { state, ...rest } = outcome;
  const { at, ...given } = rest as { at?: Date } & Partial<SendRecord>;
  const present = Object.entries(given).filter(([, value]) => value !== undefined);
  return {
    reason: null,
    lookAt: null,
    ...Object.fromEntries(present),
    state,
    ...(at ? { sentAt: at } : {}),
    ...(state === 'sent' ? { draftId: null } : {}),
  };
}
