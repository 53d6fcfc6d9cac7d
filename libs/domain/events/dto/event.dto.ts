import { ApiProperty } from '@nestjs/swagger';
import { IdField, InstantField, OneOfField, PageQuery } from '@platform/validation';
import { EVENT_TYPES, type EventType } from '../event-types';
import { type EventRecord } from '../schemas/event.record';

/** Query of the event log; all conditions given must hold. */
export class EventQuery extends PageQuery {
  @OneOfField(EVENT_TYPES, { optional: true, about: 'Only events of this type.' })
  type?: EventType;

  @IdField({ optional: true, about: 'Only what happened in this campaign.' })
  campaignId?: string;

  @IdField({ optional: true, about: 'Only what happened to this lead.' })
  leadId?: string;

  @InstantField({ optional: true, about: 'Only what happened at or after this time.' })
  from?: string;

  @InstantField({ optional: true, about: 'Only what happened before this time; later than `from`.' })
  to?: string;
}

export class EventResponse {
  @ApiProperty({ type: 'string' })
  _id!: string;

  @ApiProperty({ type: 'string', enum: EVENT_TYPES, description: 'What happened.' })
  type!: EventType;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    description: 'When it happened, which may be before it was noticed.',
  })
  at!: string;

  @ApiProperty({ type: 'string', nullable: true, description: 'The mailbox that it is about.' })
  mailboxId!: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'The campaign that it is about.' })
  campaignId!: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'The lead that it is about.' })
  leadId!: string | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'What there is to say of it; by type, see docs/reference/events.md. Fields may be added.',
  })
  data!: Record<string, unknown>;
}

export function toEvent({ _id, type, at, mailboxId, campaignId, leadId, data }: EventRecord): EventResponse {
  return {
    _id: _id.toHexString(),
    type,
    at: at.toISOString(),
    mailboxId: mailboxId?.toHexString() ?? null,
    campaignId: campaignId?.toHexString() ?? null,
    leadId: leadId?.toHexString() ?? null,
    data,
  };
}
