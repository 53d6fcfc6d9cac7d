import { type TemplateNeed } from '@domain/campaigns';
import { type LeadRecord } from '@domain/leads';
import { describeMissingValue } from '../render/missing-value-message';
import { type LeadContext, getNeeds } from '../pipeline/lead-facts';
import { type NextEmail } from '../pipeline/next-email';

/** What the next email of a lead cannot do without and does not have, and where. */
export interface MissingValue {
  readonly need: TemplateNeed;
  readonly part: 'subject' | 'body';
  readonly step: NextEmail['step'];
  readonly variant: NextEmail['variant'];
}

/** In the order in which they stand in the email. */
export function missingValues(
  lead: LeadRecord,
  email: NextEmail | null,
  sender: LeadContext['sender'],
): MissingValue[] {
  if (!email) return [];
  const { step, variant, templates } = email;
  return (['subject', 'body'] as const).flatMap((part) =>
    getNeeds(templates[part], lead, sender).map((need) => ({ need, part, step, variant })),
  );
}

/** `Missing: a value for {{city}} in the body of step 2, variant A.`; empty when nothing is. Steps count from 1, as for people. */
export function saidOfMissing(missing: readonly MissingValue[]): string {
  const places = missing.map(
    ({ need, part, step, variant }) =>
      `a ${describeMissingValue(need)} in the ${part} of step ${step.order + 1}, variant ${variant.name}`,
  );
  return places.length > 0 ? ` Missing: ${places.join('; ')}.` : '';
}
