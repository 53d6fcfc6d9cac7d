import { ApiProperty } from '@nestjs/swagger';
import { type EnrichmentItemRecord, FAILED } from '../schemas/enrichment-item.record';

export class EnrichmentResultResponse {
  @ApiProperty({ type: 'string' })
  _id!: string;

  @ApiProperty({ type: 'string', description: 'As given.' })
  email!: string;

  @ApiProperty({ type: 'string', nullable: true, description: 'The lead with this address.' })
  leadId!: string | null;

  @ApiProperty({
    type: 'string',
    example: 'valid',
    description: 'Email verification: `valid`, `invalid`, `risky`, `catch_all`, `unknown`; any job: `failed`.',
  })
  result!: string;

  @ApiProperty({ type: 'string', isArray: true, description: 'Reasons, the most important first.' })
  reasons!: string[];

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Charged credits.' })
  creditsUsed!: number;

  @ApiProperty({ type: 'object', additionalProperties: true, description: 'Further findings.' })
  detail!: Record<string, unknown>;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, description: 'Time of the check.' })
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
