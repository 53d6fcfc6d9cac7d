import { type MailboxMessageRecord, type MailboxRecord } from '@domain/mailboxes';
import { type SendRecord } from '@domain/sends';
import { type KnownMatch } from '../match/match';
import { type MessageAttachment } from '../schemas/conversation-message.record';
import { type MailAddress } from '@adapters/mail';
import { type ClassifiedMessage } from './classified-message';

/** What can be shown of a message. */
export interface ReadableMail {
  readonly from: MailAddress | null;
  readonly to: readonly MailAddress[];
  readonly cc: readonly MailAddress[];
  /** Where its author wants answers to go; empty where that is not said. */
  readonly replyTo: readonly MailAddress[];
  readonly subject: string;
  readonly references: readonly string[];
  /** What was newly written. */
  readonly text: string;
  /** See `Answer`: what of the text is certainly its writer's, and what stands above the first quote. */
  readonly sure?: string;
  readonly above?: string;
  readonly fullText: string;
  /** Safe to show. */
  readonly html: string | null;
  readonly attachments: readonly MessageAttachment[];
}

/** As much of an answer as its lead's state, figures and events depend on. */
export interface Answer {
  readonly message: Pick<MailboxMessageRecord, 'receivedAt' | 'fingerprint'>;
  readonly mail: Pick<ReadableMail, 'from' | 'subject' | 'text'>;
}

/** A message with all that was found out about it; writing what follows from it is all that is left to do. */
export interface Incoming {
  readonly mailbox: MailboxRecord;
  readonly message: MailboxMessageRecord;
  readonly mail: ReadableMail;
  readonly judged: ClassifiedMessage;
  /** null for mail that answers nothing of ours. */
  readonly match: KnownMatch | null;
  /** An email of ours that it is about all the same, whose lead went with its campaign. */
  readonly former: SendRecord | null;
  /** Of bounces and complaints: whom each recipient that is named is known as. */
  readonly recipients: ReadonlyMap<string, KnownMatch>;
}
