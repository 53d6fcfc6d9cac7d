import { type ErrorDetail } from '@platform/errors';
import { Types } from 'mongoose';
import { type StepRequest, type StepVariantRequest } from './dto/sequence-requests.dto';
import { type SequenceStep, type StepDelay, type StepVariant } from './schemas/campaign-sequence.record';

const NO_DELAY: StepDelay = { value: 0, unit: 'days', workingDaysOnly: false };
const FOLLOW_UP_DELAY: StepDelay = { value: 3, unit: 'days', workingDaysOnly: false };
const MAX_DAYS = 365;

/** Variants by step, of every version that the campaign has published. Requests reuse these ids and cannot invent others. */
export type KnownIds = ReadonlyMap<string, ReadonlySet<string>>;

/** A requested sequence as steps, with its errors by field. */
export interface DraftedSequence {
  steps: SequenceStep[];
  errors: ErrorDetail[];
}

/**
 * Converts a request to steps. An `_id` selects an existing step or variant; without one, a new id is created.
 * @param known ids that an `_id` may name
 */
export function draftSequence(requests: readonly StepRequest[], known: KnownIds): DraftedSequence {
  const errors: ErrorDetail[] = [];
  const taken = new Set<string>();
  const steps = requests.map((request, at) => {
    const field = `sequence.${at}`;
    const _id = takenId(request._id, { known, taken, field, what: 'step of this campaign' }, errors);
    if (request.order !== undefined && request.order !== at) {
      errors.push({ field: `${field}.order`, message: `${field}.order must be ${at}, the place in the list` });
    }
    const variants = createVariants(request, known.get(_id.toHexString()) ?? new Set(), field, errors);
    const delay = parseDelay(request, at, errors);
    return { _id, type: 'email' as const, name: request.name || `Step ${at + 1}`, order: at, delay, variants };
  });
  return { steps, errors };
}

/**
 * Applies the simple form of the contract, a list without ids, to the published list. Fields that a step omits keep their
 * published value. A list that names ids is returned unchanged.
 */
export function placedByOrder(requests: readonly StepRequest[], published: readonly SequenceStep[]): StepRequest[] {
  if (requests.some(({ _id }) => _id !== undefined)) return [...requests];
  return requests.map((request: Partial<StepRequest>, at) => {
    const step = published[at];
    if (!step) return request;
    const { name, delay } = step;
    return { name, delay, ...request, _id: step._id.toHexString(), ...pickWording(request, step) };
  });
}

/** The simple form changes only the first variant; the others stay. */
function pickWording({ subject, body, variants }: StepRequest, step: SequenceStep): Partial<StepRequest> {
  if (variants) return {};
  const [first, ...others] = step.variants.map((variant) => ({ ...variant, _id: variant._id.toHexString() }));
  if (!first) return {};
  const said = {
    ...first,
    ...(subject === undefined ? {} : { subject }),
    ...(body === undefined ? {} : { body }),
  };
  return { subject: undefined, body: undefined, variants: [said, ...others] };
}

function createVariants(
  { subject, body, variants }: StepRequest,
  known: ReadonlySet<string>,
  field: string,
  errors: ErrorDetail[],
): StepVariant[] {
  if (variants && (subject !== undefined || body !== undefined)) {
    errors.push({ field: `${field}.variants`, message: `${field} takes either variants, or subject and body` });
  }
  if (!variants && body === undefined) {
    errors.push({ field: `${field}.body`, message: `${field}.body is missing` });
  }
  const requested: StepVariantRequest[] = variants ?? [{ subject: subject ?? '', body: body ?? '' }];
  const taken = new Set<string>();
  return requested.map((variant, at) => {
    const own = `${field}.variants.${at}`;
    const { name = String.fromCodePoint(65 + at), weight = 1 } = variant;
    const _id = takenId(variant._id, { known, taken, field: own, what: 'variant of this step' }, errors);
    return { _id, name, subject: variant.subject ?? '', body: variant.body, weight };
  });
}

function parseDelay({ delay }: StepRequest, at: number, errors: ErrorDetail[]): StepDelay {
  const usual = at === 0 ? NO_DELAY : FOLLOW_UP_DELAY;
  if (!delay) return { ...usual };
  const { value, unit = 'days', workingDaysOnly = false } = delay;
  const field = `sequence.${at}.delay.value`;
  if (at === 0 && value !== 0)
    errors.push({ field, message: `${field} must be 0: nothing is sent before the first step` });
  if (unit === 'days' && value > MAX_DAYS) errors.push({ field, message: `${field} must be at most ${MAX_DAYS} days` });
  return { value, unit, workingDaysOnly };
}

function takenId(
  requestedId: string | undefined,
  {
    known,
    taken,
    field,
    what,
  }: { known: { has(id: string): boolean }; taken: Set<string>; field: string; what: string },
  errors: ErrorDetail[],
): Types.ObjectId {
  if (requestedId === undefined) return new Types.ObjectId();
  const id = requestedId.toLowerCase();
  const message = known.has(id) ? (taken.has(id) ? 'is given twice' : null) : `is not a ${what}`;
  taken.add(id);
  if (message === null) return new Types.ObjectId(id);
  errors.push({ field: `${field}._id`, message: `${field}._id ${message}` });
  return new Types.ObjectId();
}
