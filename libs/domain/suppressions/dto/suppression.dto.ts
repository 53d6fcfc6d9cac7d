import { ActorResponse, toActor } from '@domain/audit';
import { ApiProperty } from '@nestjs/swagger';
import { OneOfField, SearchPageQuery, TextField } from '@platform/validation';
import {
  SUPPRESSION_KINDS,
  SUPPRESSION_SOURCES,
  type SuppressionKind,
  type SuppressionRecord,
  type SuppressionSource,
} from '../schemas/suppression.record';
import { EntriesField } from './suppression-fields.decorator';

/** Query of the list; all given conditions apply. */
export class SuppressionQuery extends SearchPageQuery {
  @OneOfField(SUPPRESSION_KINDS, { optional: true, about: 'Only addresses, or only domains.' })
  kind?: SuppressionKind;

  @OneOfField(SUPPRESSION_SOURCES, { optional: true, about: 'Only suppressions with this source.' })
  source?: SuppressionSource;
}

/** `addresses` and `domains` have 1 to 1000 entries in total. */
export class AddSuppressionsRequest {
  @EntriesField({ about: 'E-mail addresses.', example: ['ada@example.com'] })
  addresses?: string[];

  @EntriesField({ about: 'Domains; each covers its subdomains too.', example: ['example.org'] })
  domains?: string[];

  @TextField({ max: 500, optional: true, about: 'The reason, shown in the list.', example: 'Asked us by phone' })
  reason?: string;
}

export class SuppressionsAddedResponse {
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Entries that were added.' })
  added!: number;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'Entries that existed or were duplicates; they are unchanged.',
  })
  existing!: number;
}

export class SuppressionResponse {
  @ApiProperty({ type: 'string' })
  _id!: string;

  @ApiProperty({ type: 'string', enum: SUPPRESSION_KINDS })
  kind!: SuppressionKind;

  @ApiProperty({
    type: 'string',
    description: 'The address or the domain, in lower case; international domains in A-labels (xn--…).',
    example: 'ada@example.com',
  })
  value!: string;

  @ApiProperty({
    type: 'string',
    enum: SUPPRESSION_SOURCES,
    description:
      'manual: a member added it; unsubscribe, bounce, complaint: a message caused it; import: a file; crm: an opt-out in a CRM.',
  })
  source!: SuppressionSource;

  @ApiProperty({ type: 'string', nullable: true })
  reason!: string | null;

  @ApiProperty({ type: ActorResponse, description: 'Who added it.' })
  createdBy!: ActorResponse;

  @ApiProperty({ type: 'string', format: 'date-time' })
  createdAt!: string;
}

export function toSuppression(record: SuppressionRecord): SuppressionResponse {
  const { _id, kind, value, source, reason, createdBy, createdAt } = record;
  return {
    _id: _id.toHexString(),
    kind,
    value,
    source,
    reason,
    createdBy: toActor(createdBy),
    createdAt: createdAt.toISOString(),
  };
}
