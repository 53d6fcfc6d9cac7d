import { type LastReply } from '@domain/sends';
import { type InboxReplyRecord } from '../schemas/inbox-reply.record';
import { mayReplyBecome, type ReplyState } from './reply-states';

/** Identifies a reply and the mailbox lease that claimed it. Fences count per mailbox. */
export type ReplyLease = Pick<InboxReplyRecord, '_id' | 'workspaceId' | 'mailboxId' | 'fence'>;

/** The server has accepted the reply, or is presumed to have. */
export interface ReplySent {
  readonly state: 'sent' | 'sent_unconfirmed';
  readonly at: Date;
  readonly reason?: string;
  readonly lastReply?: LastReply;
  readonly providerMessageId?: string | null;
  readonly providerThreadId?: string | null;
}

/** The outcome of a reply that was not sent. `reason` is one sentence for people. */
export type ReplyOutcome =
  | { readonly state: 'retry'; readonly reason: string; readonly dueAt: Date; readonly lastReply?: LastReply }
  | { readonly state: 'failed' | 'cancelled' | 'withheld'; readonly reason: string; readonly lastReply?: LastReply }
  /** Not attempted: the state before the claim. */
  | { readonly state: 'queued'; readonly reason: string | null; readonly attempt: number }
  /** Submitted without an answer; `resolveAt`: time of the first resolution. */
  | {
      readonly state: 'ambiguous';
      readonly reason: string;
      readonly resolveAt: Date;
      readonly draftId?: string | null;
      readonly lastReply?: LastReply;
    };

/**
 * Returns the fields to write.
 * @throws Error for a transition that the state table does not allow: a programming error
 */
export function toReplyFields(from: ReplyState, outcome: ReplySent | ReplyOutcome): Partial<InboxReplyRecord> {
  if (!mayReplyBecome(from, outcome.state)) throw new Error(`A reply does not go from ${from} to ${outcome.state}`);
  const { state, ...details } = outcome;
  const { at, ...fields } = details as { at?: Date } & Partial<InboxReplyRecord>;
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
