import {
  fitsPlace,
  PERSON_FIELDS,
  type PublishedSequence,
  SENDER_VARIABLES,
  type SequenceStep,
  stepFor,
} from '@domain/campaigns';
import { type LeadRecord } from './schemas/lead.record';

type Person = Pick<LeadRecord, 'email' | 'variables' | (typeof PERSON_FIELDS)[number]>;

const FIELDS: ReadonlySet<string> = new Set(['email', ...PERSON_FIELDS]);
const OF_SENDER: readonly string[] = SENDER_VARIABLES;

/** The value of a placeholder; undefined when the lead has none. Inherited property names of objects do not count. */
function findLeadVariable(lead: Person, name: string): string | undefined {
  if (FIELDS.has(name)) return lead[name as keyof Omit<Person, 'variables'>];
  return Object.hasOwn(lead.variables, name) ? lead.variables[name] : undefined;
}

/** The next step of a lead; undefined without one. */
export function getStep(
  sequence: PublishedSequence | null,
  { status, stepId }: Pick<LeadRecord, 'status' | 'stepId'>,
): SequenceStep | undefined {
  const goesOn = status === 'active' || status === 'paused';
  return sequence && goesOn ? stepFor(sequence, stepId) : undefined;
}

/** Whether at least one variant of the step has all its values. The engine checks the variant again that it selects. */
export function canBeFilledIn(sequence: PublishedSequence, step: SequenceStep, lead: Person): boolean {
  return step.variants
    .filter(({ weight }) => weight > 0)
    .some(({ _id }) => {
      const { subject, body } = sequence.templates(_id);
      return [...subject.needs, ...body.needs].every(
        ({ name, place }) => OF_SENDER.includes(name) || fitsPlace(place, findLeadVariable(lead, name)),
      );
    });
}
