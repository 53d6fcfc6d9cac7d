import {
  type CompiledVariant,
  nextStep,
  type PublishedSequence,
  type SequenceStep,
  stepFor,
  type StepVariant,
} from '@domain/campaigns';
import { pickVariant, seeded } from '../decide/seed';

export interface NextEmail {
  readonly step: SequenceStep;
  readonly variant: StepVariant;
  readonly templates: CompiledVariant;
  /** Whether the following step is due as soon as this one is sent. */
  readonly isFollowedAtOnce: boolean;
}

/**
 * Returns the next email of a lead. The variant depends only on ids: a retry, a preview and a simulation choose the
 * same.
 */
export function nextEmail(
  sequence: PublishedSequence | null,
  lead: { readonly id: string; readonly stepId: { toString(): string } | null },
): NextEmail | null {
  const step = sequence && stepFor(sequence, lead.stepId);
  const variant = step && pickVariant(step.variants, seeded(lead.id, String(step._id), 'variant'));
  if (!sequence || !step || !variant) return null;
  const isFollowedAtOnce = nextStep(sequence.steps, step._id)?.delay.value === 0;
  return { step, variant, templates: sequence.templates(variant._id), isFollowedAtOnce };
}
