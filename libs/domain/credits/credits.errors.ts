import { AppError, conflict, defineError, invalidField, limitExceeded, notFound } from '@platform/errors';
import { type LedgerCommand } from './ledger-command';
import { type LedgerFacts, MAX_BALANCE, type Refusal } from './ledger-decision';

const INSUFFICIENT_CREDITS = defineError(
  'INSUFFICIENT_CREDITS',
  'payment',
  'The workspace has fewer credits than this costs; nothing was changed.',
);

/** The error for a refused command. */
export function toLedgerRefusal(
  because: Refusal,
  command: LedgerCommand,
  { account, reservation }: LedgerFacts,
): AppError {
  switch (because) {
    case 'too-few':
      return insufficientCredits('amount' in command ? command.amount : 0, account.balance);
    case 'too-many':
      return limitExceeded(`A workspace can hold at most ${MAX_BALANCE} credits`);
    case 'unknown':
      return notFound('Reservation');
    case 'too-much-used':
      return invalidField('used', `used must be at most the reserved ${reservation?.amount ?? 0}`);
    case 'other-arguments':
      return conflict('This operation was already carried out with other arguments');
    case 'closed':
      return conflict(`This reservation was already ${reservation?.state ?? 'closed'}`);
  }
}

/** States the missing amount, so that the reader knows how much to buy. */
export function insufficientCredits(needed: number, balance: number): AppError {
  const missing = needed - balance;
  const message = `This costs ${needed} credits and the workspace has ${balance}; missing: ${missing}`;
  return new AppError(INSUFFICIENT_CREDITS, message);
}
