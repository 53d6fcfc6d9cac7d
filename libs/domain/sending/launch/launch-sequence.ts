import {
  type PublishedSequence,
  SENDER_VARIABLES,
  SIGNATURE,
  type StepVariant,
  type TemplateNeed,
} from '@domain/campaigns';

/** The parts of a sequence that affect a start. */
export interface LaunchSequence {
  readonly steps: number;
  readonly faults: readonly string[];
  /** Placeholders without a default that need a value of the lead, each once per kind of place. */
  readonly ofLeads: readonly TemplateNeed[];
  /** The same for values of the sending mailbox. */
  readonly ofSenders: readonly TemplateNeed[];
}

/** Always present: an email has its own unsubscribe link, and a signature may be empty. */
const PROVIDED: ReadonlySet<string> = new Set([SIGNATURE, 'unsubscribeLink']);
/** Always present, and never a link. */
const ADDRESSES: ReadonlySet<string> = new Set(['email', 'senderEmail']);
const OF_SENDER: readonly string[] = SENDER_VARIABLES;

/** Inspects the variants in use. Pure. */
export function launchSequence(sequence: PublishedSequence | null): LaunchSequence {
  if (!sequence) return { steps: 0, faults: [], ofLeads: [], ofSenders: [] };
  const faults: string[] = [];
  const needed = new Map<string, TemplateNeed>();
  sequence.steps.forEach((step, order) => {
    const used = step.variants.filter(({ weight }) => weight > 0);
    if (used.length === 0) faults.push(`Step ${order + 1} has no wording that is used`);
    for (const variant of used) {
      faults.push(...listFaults(variant, order));
      for (const need of neededBy(sequence, variant, order, faults)) needed.set(`${need.place} ${need.name}`, need);
    }
  });
  const needs = [...needed.values()].filter(
    ({ name, place }) => !(PROVIDED.has(name) || (ADDRESSES.has(name) && place !== 'link')),
  );
  return {
    steps: sequence.steps.length,
    faults,
    ofLeads: needs.filter(({ name }) => !OF_SENDER.includes(name)),
    ofSenders: needs.filter(({ name }) => OF_SENDER.includes(name)),
  };
}

function listFaults({ name, subject, body }: StepVariant, order: number): string[] {
  const where = `Step ${order + 1}, wording ${name}`;
  return [
    ...(order === 0 && subject.trim() === '' ? [`${where} has no subject`] : []),
    ...(body.trim() === '' ? [`${where} has no text`] : []),
  ];
}

function neededBy(
  sequence: PublishedSequence,
  { _id, name }: StepVariant,
  order: number,
  faults: string[],
): TemplateNeed[] {
  try {
    const { subject, body } = sequence.templates(_id);
    return [...subject.needs, ...body.needs];
  } catch (error) {
    // Only sequences that compile are published. If a later compiler is stricter, the start reports it.
    faults.push(`Step ${order + 1}, wording ${name}: ${error instanceof Error ? error.message : String(error)}`);
    return [];
  }
}
