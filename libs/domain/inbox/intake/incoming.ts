import { type MailAddress } from '@adapters/mail';
import { type MailboxMessageRecord, type MailboxRecord } from '@domain/mailboxes';
import { type SendRecord } from '@domain/sends';
import { type KnownMatch } from '../match/match';
import { type MessageAttachment } from '../schemas/conversation-message.record';
import { type ClassifiedMessage } from './classified-message';

/** The readable content of a message. */
export interface ReadableMail {
  readonly from: MailAddress | null;
  readonly to: readonly MailAddress[];
  readonly cc: readonly MailAddress[];
  /** Reply-To addresses; empty when the author names none. */
  readonly replyTo: readonly MailAddress[];
  readonly subject: string;
  readonly references: readonly string[];
  /** The text that the author wrote, without quotes. */
  readonly text: string;
  /** As in the result of `readAnswer`. */
  readonly certainText?: string;
  readonly textAboveQuote?: string;
  readonly fullText: string;
  /** Sanitised. */
  readonly html: string | null;
  readonly attachments: readonly MessageAttachment[];
}

/** The part of a reply that its effects on the lead depend on. */
export interface Answer {
  readonly message: Pick<MailboxMessageRecord, 'receivedAt' | 'fingerprint'>;
  readonly mail: Pick<ReadableMail, 'from' | 'subject' | 'text'>;
}

/** A read, classified and matched message, ready to be written. */
export interface Incoming {
  readonly mailbox: MailboxRecord;
  readonly message: MailboxMessageRecord;
  readonly mail: ReadableMail;
  readonly classified: ClassifiedMessage;
  /** null for mail that concerns no known lead. */
  readonly match: KnownMatch | null;
  /** The email that the message is about when its lead was deleted with its campaign. */
  readonly former: SendRecord | null;
  /** The leads of the recipients that a bounce or complaint names. */
  readonly recipients: ReadonlyMap<string, KnownMatch>;
}
