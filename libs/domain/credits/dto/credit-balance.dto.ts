import { ApiProperty } from '@nestjs/swagger';
import { type CreditAccountRecord } from '../schemas/credit-account.record';

export class CreditBalanceResponse {
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Credits that can be spent.' })
  balance!: number;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'Credits reserved for work in progress; not part of the balance.',
  })
  reserved!: number;
}

/** A workspace without an account has zero credits. */
export function toCreditBalance(
  record: Pick<CreditAccountRecord, 'balance' | 'reserved'> | null,
): CreditBalanceResponse {
  return { balance: record?.balance ?? 0, reserved: record?.reserved ?? 0 };
}
