import { type LastReply } from '@domain/sends';
import { type InboxReplyRecord } from '../schemas/inbox-reply.record';
import { mayBecome, type ReplyState } from './reply-states';

/** Names a reply, and the turn that holds it (fences count by mailbox): any stored reply is one. */
export type ReplyLease = Pick<InboxReplyRecord, '_id' | 'workspaceId' | 'mailboxId' | 'fence'>;

/** The server has it, or counts as having it. */
export interface ReplySent {
  readonly state: 'sent' | 'sent_unconfirmed';
  readonly at: Date;
  readonly reason?: string;
  readonly words?: LastReply;
  readonly providerMessageId?: string | null;
  readonly providerThreadId?: string | null;
}

/** What became of a reply that was not sent. `reason` is one sentence for a person. */
export type ReplyOutcome =
  | { readonly state: 'retry'; readonly reason: string; readonly dueAt: Date; readonly words?: LastReply }
  | { readonly state: 'failed' | 'cancelled' | 'withheld'; readonly reason: string; readonly words?: LastReply }
  /** Not tried after all: as before the claim. */
  | { readonly state: 'queued'; readonly reason: string | null; readonly attempt: number }
  /** The message was given, but no answer came; `lookAt`: when to look for it first. */
  | {
      readonly state: 'ambiguous';
      readonly reason: string;
      readonly lookAt: Date;
      readonly draftId?: string | null;
      readonly words?: LastReply;
    };

/**
 * The fields to write.
 * @throws Error for a move that the table of states does not have: a mistake of the program
 */
export function toFields(from: ReplyState, outcome: ReplySent | ReplyOutcome): Partial<InboxReplyRecord> {
  if (!mayBecome(from, outcome.state)) throw new Error(`A reply does not go from ${from} to ${outcome.state}`);
  const { state, ...rest } = outcome;
  const { at, ...given } = rest as { at?: Date } & Partial<InboxReplyRecord>;
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
