import { type MailAddress } from '@adapters/mail';
import { type SendRecord } from '@domain/sends';
import { ApiProperty } from '@nestjs/swagger';
import { toSafeFileName, toSafeMediaType } from '../attachments/file-name';
import {
  type ConversationMessageRecord,
  MESSAGE_KINDS,
  type MessageKind,
} from '../schemas/conversation-message.record';
import { type MessageDirection } from '../schemas/conversation.record';

const SHOWN_KINDS = [...MESSAGE_KINDS, 'campaign'] as const;

class MessageAddressResponse {
  @ApiProperty({ type: 'string', description: 'Empty where there is none.' })
  name!: string;

  @ApiProperty({ type: 'string' })
  address!: string;
}

export class MessageAttachmentResponse {
  @ApiProperty({ type: 'integer', description: 'Number among all attachments of the conversation, from 0; it stays.' })
  index!: number;

  @ApiProperty({ type: 'string' })
  name!: string;

  @ApiProperty({ type: 'string' })
  contentType!: string;

  @ApiProperty({ type: 'integer', description: 'Bytes; an estimate where the provider gives none.' })
  size!: number;

  @ApiProperty({ type: 'string', format: 'uri' })
  downloadUrl!: string;
}

export class ConversationMessageResponse {
  @ApiProperty({ type: 'string' })
  _id!: string;

  @ApiProperty({ type: 'string', enum: ['received', 'sent'] })
  direction!: MessageDirection;

  @ApiProperty({ type: 'string', enum: SHOWN_KINDS, description: '`campaign`: an email of the campaign.' })
  kind!: MessageKind | 'campaign';

  @ApiProperty({ type: 'string', format: 'date-time', description: 'When it was received or sent.' })
  at!: string;

  @ApiProperty({ type: 'string' })
  mailboxId!: string;

  @ApiProperty({
    type: MessageAddressResponse,
    nullable: true,
    description: 'null for campaign emails: see mailboxId.',
  })
  from!: MessageAddressResponse | null;

  @ApiProperty({ type: MessageAddressResponse, isArray: true })
  to!: MessageAddressResponse[];

  @ApiProperty({ type: MessageAddressResponse, isArray: true })
  cc!: MessageAddressResponse[];

  @ApiProperty({
    type: MessageAddressResponse,
    isArray: true,
    description: 'Where its author wants answers to go; empty where that is not said.',
  })
  replyTo!: MessageAddressResponse[];

  @ApiProperty({ type: 'string' })
  subject!: string;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description:
      'What was newly written, without quotes and signature; null for campaign emails, whose body is not kept.',
  })
  text!: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'All of its text, quotes included.' })
  fullText!: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'Its HTML, sanitised for display.' })
  html!: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'Message-ID, with angle brackets.' })
  messageId!: string | null;

  @ApiProperty({ type: 'string', nullable: true })
  inReplyTo!: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'The rule that decided what a received message is.' })
  rule!: string | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Campaign emails: place of their step, from 0.' })
  step!: number | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'Replies of ours: the reply.' })
  replyId!: string | null;

  @ApiProperty({ type: MessageAttachmentResponse, isArray: true })
  attachments!: MessageAttachmentResponse[];
}

/** @param urlOf where an attachment is, by its number in the conversation */
export function toMessage(
  record: ConversationMessageRecord,
  urlOf: (index: number) => string,
): ConversationMessageResponse {
  const first = record.firstAttachment ?? 0;
  return {
    _id: record._id.toHexString(),
    direction: record.direction,
    kind: record.kind,
    at: record.at.toISOString(),
    mailboxId: record.mailboxId.toHexString(),
    from: record.from && toAddress(record.from),
    to: record.to.map(toAddress),
    cc: record.cc.map(toAddress),
    // Messages from before this was kept have none.
    replyTo: (record.replyTo ?? []).map(toAddress),
    subject: record.subject,
    text: record.text,
    fullText: record.fullText,
    html: record.html,
    messageId: record.messageId,
    inReplyTo: record.inReplyTo,
    rule: record.rule,
    step: null,
    replyId: record.replyId?.toHexString() ?? null,
    attachments: record.attachments.map(({ name, contentType, size }, at) => ({
      index: first + at,
      name: toSafeFileName(name),
      contentType: toSafeMediaType(contentType),
      size,
      downloadUrl: urlOf(first + at),
    })),
  };
}

/** An email of the campaign, of which the body is not kept. */
export function toCampaignMessage(send: SendRecord): ConversationMessageResponse {
  return {
    _id: send._id.toHexString(),
    direction: 'sent',
    kind: 'campaign',
    at: (send.sentAt ?? send.wireAt ?? send.claimedAt).toISOString(),
    mailboxId: send.mailboxId.toHexString(),
    from: null,
    to: [{ name: '', address: send.email }],
    cc: [],
    replyTo: [],
    subject: send.subject,
    text: null,
    fullText: null,
    html: null,
    messageId: send.messageId,
    inReplyTo: null,
    rule: null,
    step: send.stepOrder,
    replyId: null,
    attachments: [],
  };
}

function toAddress({ name, address }: MailAddress): MessageAddressResponse {
  return { name, address };
}
