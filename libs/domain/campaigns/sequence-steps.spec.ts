import { Types } from 'mongoose';
import { type RemovedStep, type SequenceStep } from './schemas/campaign-sequence.record';
import { getImpact } from './sequence-impact';
import { nextStep, removedSteps, stepById, stepFor } from './sequence-steps';

const ids = Object.fromEntries(Array.from('abcde').map((name) => [name, new Types.ObjectId()]));

/** Steps by letters: 'abc'. */
function version(letters: string): SequenceStep[] {
  return Array.from(letters).map((name, order) => ({
    _id: ids[name]!,
    type: 'email',
    name,
    order,
    delay: { value: order === 0 ? 0 : 3, unit: 'days', workingDaysOnly: false },
    variants: [{ _id: ids[name]!, name: 'A', subject: name, body: name, weight: 1 }],
  }));
}

const told = (removed: readonly RemovedStep[]) =>
  Object.fromEntries(removed.map(({ stepId, nextStepId }) => [nameOf(stepId), nextStepId && nameOf(nextStepId)]));
const nameOf = (id: Types.ObjectId) => Object.keys(ids).find((name) => ids[name]!.equals(id));

describe('the steps of a sequence', () => {
  const steps = version('abc');

  it('are found by id, each with its next step', () => {
    expect(stepById(steps, ids['b']!)?.name).toBe('b');
    expect(stepById(steps, ids['d']!)).toBeUndefined();
    expect(nextStep(steps, null)?.name).toBe('a');
    expect(nextStep(steps, ids['a']!.toHexString())?.name).toBe('b');
    expect(nextStep(steps, ids['c']!)).toBeUndefined();
    expect(nextStep(steps, ids['d']!)).toBeUndefined();
    expect(nextStep([], null)).toBeUndefined();
  });

  it.each([
    ['abc', 'abc', {}],
    ['abc', 'ac', { b: 'c' }],
    ['abc', 'ab', { c: null }],
    ['abc', 'c', { a: 'c', b: 'c' }],
    ['abc', 'd', { a: null, b: null, c: null }],
    ['abc', 'ca', { b: 'c' }],
    ['abc', 'adbc', {}],
  ])('that change from %s to %s are followed by the step after them', (before, after, expected) => {
    expect(told(removedSteps({ steps: version(before), removed: [] }, version(after)))).toEqual(expected);
  });

  it('that were removed are tracked through further versions, until they return', () => {
    const second = {
      steps: version('acd'),
      removed: removedSteps({ steps: version('abcd'), removed: [] }, version('acd')),
    };
    expect(told(second.removed)).toEqual({ b: 'c' });
    const third = { steps: version('ad'), removed: removedSteps(second, version('ad')) };
    expect(told(third.removed)).toEqual({ b: 'd', c: 'd' });
    expect(stepFor(third, ids['b']!)?.name).toBe('d');
    const fourth = { steps: version('a'), removed: removedSteps(third, version('a')) };
    expect(told(fourth.removed)).toEqual({ b: null, c: null, d: null });
    expect(stepFor(fourth, ids['c']!)).toBeUndefined();
    expect(told(removedSteps(third, version('abd')))).toEqual({ c: 'd' });
  });

  it('are found for a lead at any position', () => {
    const second = { steps: version('ac'), removed: removedSteps({ steps, removed: [] }, version('ac')) };
    expect(stepFor(second, null)?.name).toBe('a');
    expect(stepFor(second, ids['a']!)?.name).toBe('a');
    expect(stepFor(second, ids['b']!)?.name).toBe('c');
    expect(stepFor(second, ids['e']!)).toBeUndefined();
  });
});

describe('the impact of a new version', () => {
  const before = { steps: version('abc'), removed: [] };
  const leads = new Map([
    [ids['a']!.toHexString(), 1],
    [ids['b']!.toHexString(), 20],
    [ids['c']!.toHexString(), 300],
  ]);
  const impact = (after: SequenceStep[]) =>
    getImpact(before, after, leads).map(({ name, change, leads }) => `${name} ${change} ${leads}`);

  it('reports unchanged steps as kept', () => {
    expect(impact(version('abc'))).toEqual(['a kept 1', 'b kept 20', 'c kept 300']);
  });

  it('reports added, changed, moved and removed steps', () => {
    const changed = version('abc').map((step, at) => (at === 1 ? { ...step, name: 'other' } : step));
    expect(impact(changed)).toEqual(['a kept 1', 'other changed 20', 'c kept 300']);
    expect(impact(version('abdc'))).toEqual(['a kept 1', 'b kept 20', 'd added 0', 'c changed 300']);
    expect(impact(version('ac'))).toEqual(['a kept 1', 'c changed 300', 'b removed 20']);
  });

  it('reports where leads at a removed step continue', () => {
    const effect = (after: string, name: string) =>
      getImpact(before, version(after), leads).find((step) => step.name === name)?.effect;
    expect(effect('ac', 'b')).toBe('They go on with “c”.');
    expect(effect('ab', 'c')).toBe('The sequence is finished for them.');
  });

  it('counts leads of an earlier removed step at the step where they continue', () => {
    const second = { steps: version('ac'), removed: removedSteps(before, version('ac')) };
    const counts = getImpact(second, version('ac'), leads).map(({ leads }) => leads);
    expect(counts).toEqual([1, 320]);
  });

  it('contains only new steps without an earlier version', () => {
    const first = getImpact({ steps: [], removed: [] }, version('ab'), new Map());
    expect(first.map(({ change, stepId }) => [change, stepId])).toEqual([
      ['added', null],
      ['added', null],
    ]);
  });
});
