import {
  type CompiledVariant,
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
}

/** The email that a lead gets next. The variant follows from ids alone: a retry, a preview and a simulation choose alike. */
export function nextEmail(
  sequence: PublishedSequence | null,
  lead: { readonly id: string; readonly stepId: { toString(): string } | null },
): NextEmail | null {
  const step = sequence && stepFor(sequence, lead.stepId);
  const variant = step && pickVariant(step.variants, seeded(lead.id, String(step._id), 'variant'));
  return sequence && step && variant ? { step, variant, templates: sequence.templates(variant._id) } : null;
}
