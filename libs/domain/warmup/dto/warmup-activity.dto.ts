import { ApiProperty } from '@nestjs/swagger';
import {
  MAIL_DIRECTIONS,
  type MailDirection,
  type Placement,
  PLACEMENTS,
  type WarmupMailRecord,
  type WarmupMailState,
} from '../schemas/warmup-mail.record';

/** States of mail that was sent or given up; planned mail is not activity. */
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
    description: 'ambiguous: handed over to the server, which gave no answer.',
  })
  status!: WarmupMailState;

  @ApiProperty({ type: 'string', enum: KINDS, description: 'Whether it opened a thread or answered.' })
  kind!: (typeof KINDS)[number];

  @ApiProperty({ type: 'string' })
  threadId!: string;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Address of the other mailbox, if it belongs to this workspace; null otherwise.',
  })
  counterpart!: string | null;

  @ApiProperty({ type: 'string' })
  subject!: string;

  @ApiProperty({ type: 'string', format: 'date-time', description: 'When it was sent, abandoned or found.' })
  at!: string;

  @ApiProperty({
    type: 'string',
    enum: PLACEMENTS,
    nullable: true,
    description: 'Folder in which the receiver found it; null before. unknown: the server does not report it.',
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

  @ApiProperty({ type: 'string', nullable: true, description: 'Why it was not sent, or the diagnostic of its return.' })
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

/** Servers repeat the refused address in their answer. */
function withoutAddresses(reason: string | null): string | null {
  return reason && reason.replaceAll(/[^\s<>"'@:;,]+@[^\s<>"'@:;,]+/g, '…');
}
