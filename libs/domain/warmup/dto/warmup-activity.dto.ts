import { ApiProperty } from '@nestjs/swagger';
import {
  MAIL_DIRECTIONS,
  type MailDirection,
  type Placement,
  PLACEMENTS,
  type WarmupMailRecord,
  type WarmupMailState,
} from '../schemas/warmup-mail.record';

/** What has happened; what is planned has not. */
const SHOWN_STATES = ['sent', 'failed', 'ambiguous', 'received'] as const satisfies readonly WarmupMailState[];
const KINDS = ['opening', 'answer'] as const;

const moment = { type: 'string', format: 'date-time', nullable: true } as const;

export class WarmupActivityResponse {
  @ApiProperty({ type: 'string' })
  _id!: string;

  @ApiProperty({ type: 'string', enum: MAIL_DIRECTIONS })
  direction!: MailDirection;

  @ApiProperty({
    type: 'string',
    enum: SHOWN_STATES,
    description: 'ambiguous: given to the server, and no answer came.',
  })
  status!: WarmupMailState;

  @ApiProperty({ type: 'string', enum: KINDS, description: 'Whether it began a thread or answered.' })
  kind!: (typeof KINDS)[number];

  @ApiProperty({ type: 'string' })
  threadId!: string;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Address at the other end, if it is one of this workspace; null for mailboxes of others.',
  })
  counterpart!: string | null;

  @ApiProperty({ type: 'string' })
  subject!: string;

  @ApiProperty({ type: 'string', format: 'date-time', description: 'When it was sent, given up or found.' })
  at!: string;

  @ApiProperty({
    type: 'string',
    enum: PLACEMENTS,
    nullable: true,
    description: 'Where the receiver found it; null before. unknown: its server does not tell.',
  })
  placement!: Placement | null;

  @ApiProperty({ ...moment, description: 'When the receiver found it.' })
  receivedAt!: string | null;

  @ApiProperty({ ...moment, description: 'When the receiver moved it out of spam.' })
  rescuedAt!: string | null;

  @ApiProperty({ ...moment, description: 'When the receiver opened it.' })
  openedAt!: string | null;

  @ApiProperty({ ...moment, description: 'When the receiver answered it.' })
  answeredAt!: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'Why it was not sent, or what came back.' })
  reason!: string | null;
}

/** @param counterpart its address, if this workspace may see it */
export function toWarmupActivity(record: WarmupMailRecord, counterpart: string | null): WarmupActivityResponse {
  return {
    _id: record._id.toHexString(),
    direction: record.direction,
    status: record.state,
    kind: record.position === 0 ? 'opening' : 'answer',
    threadId: record.threadId.toHexString(),
    counterpart,
    subject: record.subject,
    at: (record.at ?? record.createdAt).toISOString(),
    placement: record.placement,
    receivedAt: record.receivedAt?.toISOString() ?? null,
    rescuedAt: record.rescuedAt?.toISOString() ?? null,
    openedAt: record.openedAt?.toISOString() ?? null,
    answeredAt: record.answeredAt?.toISOString() ?? null,
    reason: counterpart === null ? withoutAddresses(record.reason) : record.reason,
  };
}

/** Servers repeat the address that they refuse. */
function withoutAddresses(reason: string | null): string | null {
  return reason && reason.replaceAll(/[^\s<>"'@:;,]+@[^\s<>"'@:;,]+/g, '…');
}
