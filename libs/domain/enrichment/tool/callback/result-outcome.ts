import { type FilledValue, type FoundValue, findValueFault } from '@domain/leads';
import { type FinalOutcome } from '../../item-handlers/item-handler';
import { type UnknownCallbackValue } from './callback-values';

/** The outcome of a value; `found` for an address without a lead. */
export type AppliedValue = FilledValue | { readonly name: string; readonly value: string; readonly outcome: 'found' };

/** Maximum characters of the stored fields of one result, as JSON. */
const MAX_STORED = 12_000;

interface StoredField {
  readonly name: string;
  readonly outcome: AppliedValue['outcome'];
  /** Absent for a refused value. */
  readonly value?: string;
  readonly reason?: string;
}

/** The outcome of a value for an address without a lead: it appears in the results of the job. Pure. */
export function toUnassignedValue(found: FoundValue): AppliedValue {
  const reason = findValueFault(found);
  return reason === null ? { ...found, outcome: 'found' } : { ...found, outcome: 'refused', reason };
}

/**
 * Decides the outcome of an item by its result. It is charged when at least one value is usable, whether the lead had
 * it before or not. Pure.
 */
export function decideResultOutcome(
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

/** Keeps as many fields as fit, and counts the others; those were written into the lead, too. */
function toStoredDetail(fields: readonly StoredField[]): { fields: readonly StoredField[]; omitted: number } {
  let room = MAX_STORED;
  const fitting = fields.filter((field) => (room -= JSON.stringify(field).length) >= 0);
  return { fields: fitting, omitted: fields.length - fitting.length };
}
