import { type PublishedSequence, SENDER_VARIABLES, SIGNATURE, type StepVariant } from '@domain/campaigns';

/** What a campaign says, as far as a start depends on it. */
export interface LaunchSequence {
  readonly steps: number;
  readonly faults: readonly string[];
  /** Names of placeholders without a default that a lead has to have a value for. */
  readonly ofLeads: readonly string[];
  /** The same of the sending mailbox. */
  readonly ofSenders: readonly string[];
}

/** Always there: an email has a link of its own, and a signature may be empty. */
const GIVEN: ReadonlySet<string> = new Set([SIGNATURE, 'unsubscribeLink', 'email', 'senderEmail']);
const OF_SENDER: readonly string[] = SENDER_VARIABLES;

/** Looks through the wordings that are used. Pure. */
export function launchSequence(sequence: PublishedSequence | null): LaunchSequence {
  if (!sequence) return { steps: 0, faults: [], ofLeads: [], ofSenders: [] };
  const faults: string[] = [];
  const needed = new Set<string>();
  sequence.steps.forEach((step, order) => {
    const used = step.variants.filter(({ weight }) => weight > 0);
    if (used.length === 0) faults.push(`Step ${order + 1} has no wording that is used`);
    for (const variant of used) {
      faults.push(...faultsOf(variant, order));
      for (const name of neededBy(sequence, variant, order, faults)) needed.add(name);
    }
  });
  const names = [...needed].filter((name) => !GIVEN.has(name));
  return {
    steps: sequence.steps.length,
    faults,
    ofLeads: names.filter((name) => !OF_SENDER.includes(name)),
    ofSenders: names.filter((name) => OF_SENDER.includes(name)),
  };
}

function faultsOf({ name, subject, body }: StepVariant, order: number): string[] {
  const where = `Step ${order + 1}, wording ${name}`;
  return [
    ...(order === 0 && subject.trim() === '' ? [`${where} has no subject`] : []),
    ...(body.trim() === '' ? [`${where} has no text`] : []),
  ];
}

function neededBy(sequence: PublishedSequence, { _id, name }: StepVariant, order: number, faults: string[]): string[] {
  try {
    const { subject, body } = sequence.templates(_id);
    return [...subject.variables, ...body.variables].filter(({ hasDefault }) => !hasDefault).map((used) => used.name);
  } catch (error) {
    // Nothing is published that does not compile; a stricter compiler may come later, and then a start says so.
    faults.push(`Step ${order + 1}, wording ${name}: ${error instanceof Error ? error.message : String(error)}`);
    return [];
  }
}
