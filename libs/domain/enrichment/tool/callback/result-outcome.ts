import { type FilledValue, type FoundValue, valueFault } from '@domain/leads';
import { type FinalOutcome } from '../../item-handlers/item-handler';
import { type UnknownCallbackValue } from './callback-values';

/** What became of a value; `found` where there is no lead for it to land in. */
export type LandedValue = FilledValue | { readonly name: string; readonly value: string; readonly outcome: 'found' };

/** Characters of the fields of one result that are kept with the item, as JSON. */
const MAX_KEPT = 12_000;

interface KeptField {
  readonly name: string;
  readonly outcome: LandedValue['outcome'];
  /** Not of one that was refused. */
  readonly value?: string;
  readonly reason?: string;
}

/** What becomes of a value of an address that is no lead: it is shown with the results of the job. Pure. */
export function landedNowhere(found: FoundValue): LandedValue {
  const reason = valueFault(found);
  return reason === null ? { ...found, outcome: 'found' } : { ...found, outcome: 'refused', reason };
}

/**
 * How an item ends with what its tool found: it is paid for when at least one field can be used, whether the lead had it already or
 * not. Pure.
 */
export function getOutcome(
  values: readonly LandedValue[],
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
    detail: keptDetail([...values.map(keptField), ...strange.map(({ name, reason }) => refused(name, reason))]),
    checkedAt,
  };
}

function keptField(landed: LandedValue): KeptField {
  const { name, value, outcome } = landed;
  return outcome === 'refused' ? refused(name, landed.reason) : { name, outcome, value };
}

function refused(name: string, reason: string): KeptField {
  return { name, outcome: 'refused', reason };
}

/** As many fields as there is room for, and how many there was none for: those landed as well. */
function keptDetail(fields: readonly KeptField[]): { fields: readonly KeptField[]; omitted: number } {
  let room = MAX_KEPT;
  const kept = fields.filter((field) => (room -= JSON.stringify(field).length) >= 0);
  return { fields: kept, omitted: fields.length - kept.length };
}
