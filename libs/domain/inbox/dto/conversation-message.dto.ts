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
  @ApiProperty({ type: 'string', description: 'Empty when there is none.' })
  name!: string;

  @ApiProperty({ type: 'string' })
  address!: string;
}

export class MessageAttachmentResponse {
  @ApiProperty({
    type: 'integer',
    description: 'Index among all attachments of the conversation, from 0; it never changes.',
  })
  index!: number;

  @ApiProperty({ type: 'string' })
  name!: string;

  @ApiProperty({ type: 'string' })
  contentType!: string;

  @ApiProperty({ type: 'integer', description: 'Bytes; an estimate when the provider does not report them.' })
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
    description: 'Reply-To addresses of the author; may be empty.',
  })
  replyTo!: MessageAddressResponse[];

  @ApiProperty({ type: 'string' })
  subject!: string;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'The new text without quotes and signature; null for campaign emails, whose body is not stored.',
  })
  text!: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'The whole text, quotes included.' })
  fullText!: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'The HTML, sanitised for display.' })
  html!: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'Message-ID, with angle brackets.' })
  messageId!: string | null;

  @ApiProperty({ type: 'string', nullable: true })
  inReplyTo!: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'The rule that classified a received message.' })
  rule!: string | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'For campaign emails: index of the step, from 0.' })
  step!: number | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'For replies of the workspace: the id of the reply.' })
  replyId!: string | null;

  @ApiProperty({ type: MessageAttachmentResponse, isArray: true })
  attachments!: MessageAttachmentResponse[];
}

/** @param getUrl returns the URL of an attachment by its index in the conversation */
export function toMessage(
  record: ConversationMessageRecord,
  getUrl: (index: number) => string,
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
    // Older messages have no such field.
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
      downloadUrl: getUrl(first + at),
    })),
  };
}

/** Converts an email of the campaign, whose body is not stored. */
export function toCampaignMessage(send: SendRecord): ConversationMessageResponse {
  return {
    _id: send._id.toHexString(),
    direction: 'sent',
    kind: 'campaign',
    at: (send.sentAt ?? send.handoverAt ?? send.claimedAt).toISOString(),
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
