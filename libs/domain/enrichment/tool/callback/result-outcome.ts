import { type FilledValue, type FoundValue, valueFault } from '@domain/leads';
import { type FinalOutcome } from '../../item-handlers/item-handler';
import { type UnknownCallbackValue } from './callback-values';

/** What became of a value; `found` where there is no lead for it to land in. */
export type AppliedValue = FilledValue | { readonly name: string; readonly value: string; readonly outcome: 'found' };

/** Characters of the fields of one result that are kept with the item, as JSON. */
const MAX_STORED = 12_000;

interface StoredField {
  readonly name: string;
  readonly outcome: AppliedValue['outcome'];
  /** Not of one that was refused. */
  readonly value?: string;
  readonly reason?: string;
}

/** What becomes of a value of an address that is no lead: it is shown with the results of the job. Pure. */
export function toUnassignedValue(found: FoundValue): AppliedValue {
  const reason = valueFault(found);
  return reason === null ? { ...found, outcome: 'found' } : { ...found, outcome: 'refused', reason };
}

/**
 * How an item ends with what its tool found: it is paid for when at least one field can be used, whether the lead had it already or
 * not. Pure.
 */
export function decideOutcome(
  values: readonly AppliedValue[],
  strange: readonly UnknownCallbackValue[],
  checkedAt: Date,
): FinalOutcome {
  const isRefused = strange.length > 0 || values.some(({ outcome }) => outcome === 'refused');
  const isDecisive = values.some(({ outcome }) => outcome !== 'refused');
  return {
    kind: 'done',
    result: isDecisive ? 'enriched' : 'unknown',
    reasons: [
      ...(isDecisive ? ['found'] : []),
      ...(isRefused ? ['refused'] : []),
      ...(isDecisive || isRefused ? [] : ['not_found']),
    ],
    isDecisive,
    detail: toStoredDetail([
      ...values.map(toStoredField),
      ...strange.map(({ name, reason }) => toRefusedField(name, reason)),
    ]),
    checkedAt,
  };
}

function toStoredField(landed: AppliedValue): StoredField {
  const { name, value, outcome } = landed;
  return outcome === 'refused' ? toRefusedField(name, landed.reason) : { name, outcome, value };
}

function toRefusedField(name: string, reason: string): StoredField {
  return { name, outcome: 'refused', reason };
}

/** As many fields as there is room for, and how many there was none for: those landed as well. */
function toStoredDetail(fields: readonly StoredField[]): { fields: readonly StoredField[]; omitted: number } {
  let room = MAX_STORED;
  const kept = fields.filter((field) => (room -= JSON.stringify(field).length) >= 0);
  return { fields: kept, omitted: fields.length - kept.length };
}
