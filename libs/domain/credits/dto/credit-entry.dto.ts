import { ActorResponse, toActor } from '@domain/audit';
import { ApiProperty } from '@nestjs/swagger';
import { IntegerField, OneOfField, PageQuery, TextField } from '@platform/validation';
import { ENTRY_KINDS, type EntryKind, MAX_AMOUNT, MAX_OPERATION_LENGTH, MAX_REASON_LENGTH } from '../ledger-command';
import { type CreditEntryRecord } from '../schemas/credit-entry.record';

/** Query of the ledger; all given conditions apply. */
export class LedgerQuery extends PageQuery {
  @OneOfField(ENTRY_KINDS, { optional: true, about: 'Only entries of this kind.' })
  kind?: EntryKind;

  @TextField({ max: MAX_OPERATION_LENGTH, optional: true, about: 'Only entries of this operation.' })
  operation?: string;
}

export class GrantCreditsRequest {
  @IntegerField({ min: 1, max: MAX_AMOUNT, about: 'Credits to add.', example: 100 })
  amount!: number;

  @TextField({ max: MAX_REASON_LENGTH, about: 'Reason, for readers of the ledger.', example: 'Paid invoice 2026-041' })
  reason!: string;

  @TextField({
    max: MAX_OPERATION_LENGTH,
    optional: true,
    about:
      'Idempotency name of this grant in the workspace: repeated with the same amount and reason, it grants nothing more. Without it each request is a new grant.',
    example: 'invoice:2026-041',
  })
  operation?: string;
}

export class CreditEntryResponse {
  @ApiProperty({ type: 'string' })
  _id!: string;

  @ApiProperty({
    type: 'string',
    description: 'Name of the paid operation; at most one entry opens it and one closes it.',
  })
  operation!: string;

  @ApiProperty({
    type: 'string',
    enum: ENTRY_KINDS,
    description:
      'grant adds credits; charge takes them; reserve sets them apart, then settle returns the unused part or release returns all.',
  })
  kind!: EntryKind;

  @ApiProperty({ type: 'integer', description: 'Signed change of the balance; the sum of all entries is the balance.' })
  amount!: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Balance after this entry.' })
  balanceAfter!: number;

  @ApiProperty({ type: 'string' })
  reason!: string;

  @ApiProperty({ type: ActorResponse, description: 'The actor.' })
  actor!: ActorResponse;

  @ApiProperty({ type: 'string', format: 'date-time' })
  createdAt!: string;
}

export function toCreditEntry(record: CreditEntryRecord): CreditEntryResponse {
  const { _id, operation, kind, amount, balanceAfter, reason, actor, createdAt } = record;
  return {
    _id: _id.toHexString(),
    operation,
    kind,
    amount,
    balanceAfter,
    reason,
    actor: toActor(actor),
    createdAt: createdAt.toISOString(),
  };
}
