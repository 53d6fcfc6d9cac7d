import { ApiProperty } from '@nestjs/swagger';
import { type EnrichmentItemRecord, FAILED } from '../schemas/enrichment-item.record';

export class EnrichmentResultResponse {
  @ApiProperty({ type: 'string' })
  _id!: string;

  @ApiProperty({ type: 'string', description: 'As it was given.' })
  email!: string;

  @ApiProperty({ type: 'string', nullable: true, description: 'The lead whose address it is.' })
  leadId!: string | null;

  @ApiProperty({
    type: 'string',
    example: 'valid',
    description: 'Of email verification: `valid`, `invalid`, `risky`, `catch_all`, `unknown`; of any: `failed`.',
  })
  result!: string;

  @ApiProperty({ type: 'string', isArray: true, description: 'Why, the most important first.' })
  reasons!: string[];

  @ApiProperty({ type: 'integer', minimum: 0, description: 'What it cost.' })
  creditsUsed!: number;

  @ApiProperty({ type: 'object', additionalProperties: true, description: 'What else was found out.' })
  detail!: Record<string, unknown>;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, description: 'When it was looked at.' })
  checkedAt!: string | null;
}

/** Converts an ended item. */
export function toEnrichmentResult(item: EnrichmentItemRecord, price: number): EnrichmentResultResponse {
  const { _id, email, leadId, result = FAILED, reasons, charged, detail, checkedAt } = item;
  return {
    _id: _id.toHexString(),
    email,
    leadId: leadId?.toHexString() ?? null,
    result,
    reasons: [...reasons],
    creditsUsed: charged ? price : 0,
    detail: JSON.parse(detail) as Record<string, unknown>,
    checkedAt: checkedAt?.toISOString() ?? null,
  };
}
