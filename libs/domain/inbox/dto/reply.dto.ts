import { type MailAddress } from '@adapters/mail';
import { ApiProperty } from '@nestjs/swagger';
import { NameField, TextField } from '@platform/validation';
import { MAX_CONTENT } from '../replies/reply-message';
import { REPLY_STATES, type ReplyState } from '../replies/reply-states';
import { type InboxReplyRecord } from '../schemas/inbox-reply.record';

/** `body` or `text` or both; attachments are not supported. */
export class CreateReplyRequest {
  @TextField({ optional: true, min: 0, max: MAX_CONTENT, about: 'HTML; its plain-text part is made from it.' })
  body?: string;

  @TextField({ optional: true, min: 0, max: MAX_CONTENT, about: 'Plain text; at most 200 kB together with `body`.' })
  text?: string;

  @NameField({ optional: true, about: 'Default: `Re:` and the subject of the message that is answered.' })
  subject?: string;
}

class ReplyAddressResponse {
  @ApiProperty({ type: 'string' })
  name!: string;

  @ApiProperty({ type: 'string' })
  address!: string;
}

export class ReplyResponse {
  @ApiProperty({ type: 'string' })
  _id!: string;

  @ApiProperty({ type: 'string' })
  conversationId!: string;

  @ApiProperty({ type: 'string', description: 'The mailbox that the last answer came to; the reply is sent from it.' })
  mailboxId!: string;

  @ApiProperty({
    type: 'string',
    enum: REPLY_STATES,
    description:
      '`queued` waits for its mailbox’s limits, `retry` for another attempt, `ambiguous` for proof that it was sent; `sent`, ' +
      '`sent_unconfirmed`, `failed` and `cancelled` are final.',
  })
  status!: ReplyState;

  @ApiProperty({
    type: ReplyAddressResponse,
    description: 'Whoever wrote the last answer, or where they want answers to go.',
  })
  to!: MailAddress;

  @ApiProperty({ type: 'string' })
  subject!: string;

  @ApiProperty({ type: 'string', nullable: true, description: 'As it was written; null where only text was.' })
  html!: string | null;

  @ApiProperty({ type: 'string' })
  text!: string;

  @ApiProperty({ type: 'string', description: 'With angle brackets; fixed when it is created.' })
  messageId!: string;

  @ApiProperty({ type: 'integer' })
  attempts!: number;

  @ApiProperty({ type: 'string', nullable: true, description: 'Why it is not sent (yet).' })
  reason!: string | null;

  @ApiProperty({ type: 'string', format: 'date-time', description: 'Not tried before; limits may make it later.' })
  dueAt!: string;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  sentAt!: string | null;

  @ApiProperty({ type: 'string', format: 'date-time' })
  createdAt!: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  updatedAt!: string;
}

export function toReply(record: InboxReplyRecord): ReplyResponse {
  return {
    _id: record._id.toHexString(),
    conversationId: record.conversationId.toHexString(),
    mailboxId: record.mailboxId.toHexString(),
    status: record.state,
    to: { name: record.to.name, address: record.to.address },
    subject: record.subject,
    html: record.html,
    text: record.text,
    messageId: record.messageId,
    attempts: record.attempt,
    reason: record.reason,
    dueAt: record.dueAt.toISOString(),
    sentAt: record.sentAt?.toISOString() ?? null,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
  };
}

/** Bodies for the documentation, as somebody would send them. */
export const REPLY_EXAMPLES: { create: CreateReplyRequest } = {
  create: { body: '<p>Thanks, Ada! How about Tuesday at ten?</p>' },
};
