import { PublishedSequence } from '@domain/campaigns';
import { Types } from 'mongoose';
import { nextEmail } from './next-email';

const id = () => new Types.ObjectId();
const LEADS = Array.from({ length: 400 }, () => id().toHexString());

function step(order: number, weights: number[] = [1]) {
  return {
    _id: id(),
    type: 'email' as const,
    name: '',
    order,
    delay: {
      value: 0,
      unit: 'days' as const,
      workingDaysOnly: false,
    },
    variants: weights.map((weight, at) => ({
      _id: id(),
      name: String.fromCharCode(65 + at),
      weight,
      subject: `S${order}`,
      body: '<p>x</p>',
    })),
  };
}

function sequence(
  steps: ReturnType<typeof step>[],
  removed: { stepId: Types.ObjectId; nextStepId: Types.ObjectId | null }[] = [],
) {
  const record = {
    _id: id(),
    workspaceId: id(),
    campaignId: id(),
    version: 1,
    steps,
    removed,
    createdBy: null,
    createdAt: new Date(0),
  };
  return new PublishedSequence(record);
}

const [one, two, three] = [step(0), step(1, [3, 1, 0]), step(2)] as const;
const removed = id();
const published = sequence(
  [one, two, three],
  [
    { stepId: removed, nextStepId: two._id },
    { stepId: lastOne(), nextStepId: null },
  ],
);

function lastOne(): Types.ObjectId {
  return new Types.ObjectId('f'.repeat(24));
}

const stepOf = (stepId: Types.ObjectId | null, of: PublishedSequence | null = published) =>
  nextEmail(of, { id: LEADS[0]!, stepId })?.step.order ?? null;

describe('the next email of a lead', () => {
  it.each([
    ['that of the first step before the first send', stepOf(null), 0],
    ['that of the lead’s current step', stepOf(three._id), 2],
    ['that of the step after a removed one', stepOf(removed), 1],
    ['none if no step follows a removed one', stepOf(lastOne()), null],
    ['none for a step that never existed', stepOf(id()), null],
    ['none without a sequence', stepOf(null, null), null],
    ['none without steps', stepOf(null, sequence([])), null],
  ])('is %s', (_name, order, expected) => {
    expect(order).toBe(expected);
  });

  it('has the variant that its ids determine, in proportion to the weights', () => {
    const chosen = (lead: string) => nextEmail(published, { id: lead, stepId: two._id })!.variant.name;
    const names = LEADS.map(chosen);
    expect(LEADS.map(chosen)).toEqual(names);
    const share = (name: string) => names.filter((one) => one === name).length / names.length;
    expect(share('A')).toBeGreaterThan(0.65);
    expect(share('B')).toBeGreaterThan(0.15);
    expect(share('C')).toBe(0);
  });

  it('has the templates of that variant', () => {
    const { variant, templates } = nextEmail(published, { id: LEADS[0]!, stepId: three._id })!;
    expect(templates).toBe(published.templates(variant._id));
  });
});
