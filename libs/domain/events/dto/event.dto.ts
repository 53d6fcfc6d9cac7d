import { ApiProperty } from '@nestjs/swagger';
import { IdField, InstantField, OneOfField, PageQuery } from '@platform/validation';
import { EVENT_TYPES, type EventType } from '../event-types';
import { type EventRecord } from '../schemas/event.record';

/** Query of the event log; all given conditions apply. */
export class EventQuery extends PageQuery {
  @OneOfField(EVENT_TYPES, { optional: true, about: 'Only events of this type.' })
  type?: EventType;

  @IdField({ optional: true, about: 'Only events of this campaign.' })
  campaignId?: string;

  @IdField({ optional: true, about: 'Only events of this lead.' })
  leadId?: string;

  @InstantField({ optional: true, about: 'Only events at or after this time.' })
  from?: string;

  @InstantField({ optional: true, about: 'Only events before this time; must be later than `from`.' })
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
    description: 'When it happened, which may be earlier than when it was detected.',
  })
  at!: string;

  @ApiProperty({ type: 'string', nullable: true, description: 'The mailbox of the event.' })
  mailboxId!: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'The campaign of the event.' })
  campaignId!: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'The lead of the event.' })
  leadId!: string | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'Data of the event, by type; see docs/reference/events.md. Later releases may add fields.',
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
