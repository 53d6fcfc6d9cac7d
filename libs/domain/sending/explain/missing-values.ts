import { type TemplateNeed } from '@domain/campaigns';
import { type LeadRecord } from '@domain/leads';
import { describeMissingValue } from '../render/missing-value-message';
import { type LeadContext, getNeeds } from '../pipeline/lead-facts';
import { type NextEmail } from '../pipeline/next-email';

/** A missing value of a lead's next email, and the place that requires it. */
export interface MissingValue {
  readonly need: TemplateNeed;
  readonly part: 'subject' | 'body';
  readonly step: NextEmail['step'];
  readonly variant: NextEmail['variant'];
}

/** Lists missing values in the order of their places in the email. */
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

/**
 * `Missing: a value for {{city}} in the body of step 2, variant A.`; empty if nothing is missing. Step numbers shown to
 * people start at 1.
 */
export function saidOfMissing(missing: readonly MissingValue[]): string {
  const places = missing.map(
    ({ need, part, step, variant }) =>
      `a ${describeMissingValue(need)} in the ${part} of step ${step.order + 1}, variant ${variant.name}`,
  );
  return places.length > 0 ? ` Missing: ${places.join('; ')}.` : '';
}
