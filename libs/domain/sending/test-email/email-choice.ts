import { type PublishedSequence, type SequenceStep, stepById, type StepVariant } from '@domain/campaigns';
import { invalidField } from '@platform/errors';
import { pickVariant, seeded } from '../decide/seed';

/** A caller's choice of an email of a sequence. */
export interface TestEmailInput {
  readonly stepId?: string;
  readonly stepOrder?: number;
  readonly variantId?: string;
}

export interface ChosenEmail {
  readonly step: SequenceStep;
  readonly variant: StepVariant;
}

/**
 * Returns the chosen email. Without `variantId`, a lead gets the same variant as from the engine.
 * @throws VALIDATION_ERROR naming the unknown step or variant
 */
export function chosenEmail({ steps }: PublishedSequence, input: TestEmailInput, leadId: string | null): ChosenEmail {
  const step = chosenStep(steps, input);
  const { variantId } = input;
  if (variantId === undefined) return { step, variant: usualVariant(step, leadId) };
  const variant = step.variants.find(({ _id }) => _id.toHexString() === variantId.toLowerCase());
  if (!variant) throw invalidField('variantId', 'variantId is not a variant of this step');
  return { step, variant };
}

/** Returns the earlier step that began the thread of this step; undefined if this step begins a thread. */
export function threadStarter({ steps }: PublishedSequence, { step, variant }: ChosenEmail): SequenceStep | undefined {
  if (variant.subject.trim() !== '') return undefined;
  const before = steps.slice(0, steps.indexOf(step));
  return before.findLast(({ variants }) => variants.some(({ subject }) => subject.trim() !== ''));
}

/** Returns the variant that the engine picks for a lead; without a lead, the first active variant. */
export function usualVariant(step: SequenceStep, leadId: string | null): StepVariant {
  const used = step.variants.find(({ weight }) => weight > 0) ?? step.variants[0];
  const variant =
    leadId === null ? used : pickVariant(step.variants, seeded(leadId, step._id.toHexString(), 'variant'));
  if (!variant) throw new Error(`Step ${step._id.toHexString()} has no variant`);
  return variant;
}

function chosenStep(steps: readonly SequenceStep[], { stepId, stepOrder }: TestEmailInput): SequenceStep {
  if (stepId !== undefined && stepOrder !== undefined) {
    throw invalidField('stepOrder', 'Set stepId or stepOrder, not both');
  }
  if (stepId !== undefined) {
    const step = stepById(steps, stepId.toLowerCase());
    if (!step) throw invalidField('stepId', 'stepId is not a step of this campaign');
    return step;
  }
  const step = steps[stepOrder ?? 0];
  if (!step) throw invalidField('stepOrder', `stepOrder must be less than ${steps.length}, the number of steps`);
  return step;
}
