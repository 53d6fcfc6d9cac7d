import { ApiProperty } from '@nestjs/swagger';
import { IntegerField, PageQuery } from '@platform/validation';
import {
  type CampaignSequenceRecord,
  DELAY_UNITS,
  type DelayUnit,
  type SequenceStep,
} from '../schemas/campaign-sequence.record';
import { type StepImpact, STEP_CHANGES, type StepChange } from '../sequence-impact';

export class SequenceQuery {
  @IntegerField({ min: 1, max: 1_000_000, optional: true, query: true, about: 'Default: the published one.' })
  version?: number;
}

export class SequenceVersionsQuery extends PageQuery {}

class StepDelayResponse {
  @ApiProperty({ type: 'integer' })
  value!: number;

  @ApiProperty({ type: 'string', enum: DELAY_UNITS })
  unit!: DelayUnit;

  @ApiProperty({ type: 'boolean', description: 'Whether only days on which the campaign sends count.' })
  workingDaysOnly!: boolean;
}

class StepVariantResponse {
  @ApiProperty({ type: 'string' })
  _id!: string;

  @ApiProperty({ type: 'string' })
  name!: string;

  @ApiProperty({ type: 'string', description: 'Empty: it continues the thread.' })
  subject!: string;

  @ApiProperty({ type: 'string', description: 'HTML.' })
  body!: string;

  @ApiProperty({ type: 'integer', description: 'Its share of the leads relative to the others; 0: none.' })
  weight!: number;
}

class StepResponse {
  @ApiProperty({ type: 'string', description: 'The same in all versions.' })
  _id!: string;

  @ApiProperty({ type: 'string', enum: ['email'] })
  type!: 'email';

  @ApiProperty({ type: 'string' })
  name!: string;

  @ApiProperty({ type: 'integer', description: 'From 0.' })
  order!: number;

  @ApiProperty({ type: StepDelayResponse, description: 'Counted from when the step before was really sent.' })
  delay!: StepDelayResponse;

  @ApiProperty({ type: StepVariantResponse, isArray: true })
  variants!: StepVariantResponse[];
}

export class SequenceResponse {
  @ApiProperty({ type: 'string' })
  campaignId!: string;

  @ApiProperty({ type: 'integer', description: '0: none was published yet.' })
  version!: number;

  @ApiProperty({ type: StepResponse, isArray: true })
  sequence!: StepResponse[];

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  publishedAt!: string | null;
}

export class SequenceVersionResponse {
  @ApiProperty({ type: 'integer' })
  version!: number;

  @ApiProperty({ type: 'string', nullable: true, description: 'Who published it; null for a key of the workspace.' })
  publishedBy!: string | null;

  @ApiProperty({ type: 'string', format: 'date-time' })
  publishedAt!: string;
}

class StepImpactResponse {
  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'null: a new step, whose id is given when it is published.',
  })
  stepId!: string | null;

  @ApiProperty({ type: 'string' })
  name!: string;

  @ApiProperty({ type: 'string', enum: STEP_CHANGES })
  change!: StepChange;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Place now; null: it is not in the sequence.' })
  orderNow!: number | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Place then; null: it will not be in the sequence.' })
  orderThen!: number | null;

  @ApiProperty({ type: 'integer', description: 'Leads whose next step it is.' })
  leads!: number;

  @ApiProperty({ type: 'string', description: 'The effect on them, in one sentence.' })
  effect!: string;
}

export class SequenceImpactResponse {
  @ApiProperty({ type: 'integer', description: 'The version that is published now; 0: none.' })
  version!: number;

  @ApiProperty({ type: 'integer', description: 'Leads whose next step is changed or removed.' })
  leadsAffected!: number;

  @ApiProperty({ type: StepImpactResponse, isArray: true, description: 'In the order to come; removed steps last.' })
  steps!: StepImpactResponse[];
}

export function toSequence(campaignId: string, record: CampaignSequenceRecord | null): SequenceResponse {
  return {
    campaignId,
    version: record?.version ?? 0,
    sequence: (record?.steps ?? []).map(toStep),
    publishedAt: record?.createdAt.toISOString() ?? null,
  };
}

export function toSequenceVersion({
  version,
  createdBy,
  createdAt,
}: Pick<CampaignSequenceRecord, 'version' | 'createdBy' | 'createdAt'>): SequenceVersionResponse {
  return { version, publishedBy: createdBy?.toHexString() ?? null, publishedAt: createdAt.toISOString() };
}

export function toSequenceImpact(version: number, steps: readonly StepImpact[]): SequenceImpactResponse {
  const affected = steps.filter(({ change }) => change === 'changed' || change === 'removed');
  return {
    version,
    leadsAffected: affected.reduce((sum, { leads }) => sum + leads, 0),
    steps: steps.map(({ stepId, name, change, orderNow, orderThen, leads, effect }) => ({
      stepId,
      name,
      change,
      orderNow,
      orderThen,
      leads,
      effect,
    })),
  };
}

function toStep({ _id, type, name, order, delay, variants }: SequenceStep): StepResponse {
  const { value, unit, workingDaysOnly } = delay;
  return {
    _id: _id.toHexString(),
    type,
    name,
    order,
    delay: { value, unit, workingDaysOnly },
    variants: variants.map(({ _id, name, subject, body, weight }) => ({
      _id: _id.toHexString(),
      name,
      subject,
      body,
      weight,
    })),
  };
}
