import fc from 'fast-check';
import { Types } from 'mongoose';
import { chooseDefault } from './default-agent';

const agent = (days: number, isActive = true, isDefault = false) => ({
  _id: new Types.ObjectId(),
  createdAt: new Date(days * 86_400_000),
  isActive,
  isDefault,
});

describe('the default agent', () => {
  it('does not exist without agents', () => {
    expect(chooseDefault([])).toBeNull();
  });

  it('is the first one', () => {
    const only = agent(1);
    expect(chooseDefault([only])).toBe(only);
  });

  it('stays the same when more agents are created', () => {
    const current = agent(2, true, true);
    expect(chooseDefault([agent(1), current, agent(3)])).toBe(current);
  });

  it('is the explicitly chosen one', () => {
    const named = agent(3);
    expect(chooseDefault([agent(1, true, true), named], named._id)).toBe(named);
  });

  it('is the oldest active one after the previous default is deleted', () => {
    const oldest = agent(2);
    expect(chooseDefault([agent(3), agent(1, false), oldest])).toBe(oldest);
  });

  it('changes when the default is inactive and another agent is active', () => {
    const other = agent(5);
    expect(chooseDefault([agent(1, false, true), other])).toBe(other);
  });

  it('stays the same when all agents are inactive', () => {
    const current = agent(2, false, true);
    expect(chooseDefault([agent(1, false), current])).toBe(current);
  });

  it('is an inactive one when no other agent exists', () => {
    const left = agent(1, false);
    expect(chooseDefault([agent(2, false), left])).toBe(left);
  });

  it('always exists when there are agents, and is active when any is, in every order', () => {
    const agents = fc.array(fc.record({ days: fc.nat(5), isActive: fc.boolean() }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(agents, fc.nat(8), (drawn, at) => {
        const all = drawn.map(({ days, isActive }, index) => agent(days, isActive, index === at));
        const chosen = chooseDefault(all);
        expect(chosen).not.toBeNull();
        expect(chosen?.isActive).toBe(all.some(({ isActive }) => isActive));
        expect(chooseDefault(all.toReversed())?._id).toEqual(chosen?._id);
      }),
    );
  });
});
