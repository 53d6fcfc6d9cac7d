import fc from 'fast-check';
import { getDigest, getSnapshotKey } from '../links/remote-snapshot';
import { type MappingRule } from '../mapping/field-rule';
import { toLeadValue } from '../mapping/field-value';
import {
  type IncomingSide,
  hasLocalChange,
  type OutgoingSide,
  decidePull,
  decidePush,
  getSnapshotAfterPull,
  getSnapshotAfterPush,
} from './field-merge';

type Of = Partial<Pick<MappingRule, 'direction' | 'overwrite'>>;

function ruleOf(of: Of = {}): MappingRule {
  const field = { values: null, type: null, options: null, maxLength: null };
  return { lead: 'firstName', crm: 'first', direction: 'both', overwrite: 'always', ...field, ...of };
}

const seenOf = (rule: MappingRule, before: readonly [string, string] | null) =>
  before === null ? {} : { [getSnapshotKey(rule)]: [getDigest(before[0]), getDigest(before[1])] as const };
const incoming = (rule: MappingRule, local: string, remote: string): IncomingSide => {
  return { rule, here: local, local, remote, incoming: remote };
};
const outgoing = (rule: MappingRule, local: string, remote: string): OutgoingSide => {
  return { rule, local, remote, outgoing: local === '' ? null : local };
};
const USUAL = { isFull: false, isEcho: false };

describe('a pulled field', () => {
  it.each([
    ['is taken at the first meeting', {}, '', 'Ada', null, 'move'],
    ['takes the place of another one at the first meeting', {}, 'Augusta', 'Ada', null, 'move'],
    ['takes nothing away at the first meeting', {}, 'Augusta', '', null, 'leave'],
    ['takes away what was taken away since', {}, 'Ada', '', ['Ada', 'Ada'], 'move'],
    ['is left as it is', {}, 'Ada', 'Ada', null, 'leave'],
    ['is left when only this side changed', {}, 'Augusta', 'Ada', ['Ada', 'Ada'], 'leave'],
    ['is taken when only that side changed', {}, 'Ada', 'A.', ['Ada', 'Ada'], 'move'],
    ['is a conflict when both changed', {}, 'Augusta', 'A.', ['Ada', 'Ada'], 'conflict'],
    ['is none when both changed to the same', {}, 'A.', 'A.', ['Ada', 'Ada'], 'leave'],
    ['is none of a rule of one direction', { direction: 'pull' }, 'Augusta', 'A.', ['Ada', 'Ada'], 'move'],
    ['is left of a rule that pushes', { direction: 'push' }, '', 'Ada', null, 'leave'],
    ['fills a gap', { overwrite: 'when_empty' }, '', 'Ada', null, 'move'],
    ['fills gaps only', { overwrite: 'when_empty' }, 'Augusta', 'Ada', null, 'leave'],
  ] as const)('%s', (_what, of, local, remote, before, expected) => {
    const rule = ruleOf(of);
    expect(decidePull(incoming(rule, local, remote), seenOf(rule, before), USUAL)).toBe(expected);
  });

  it('stays when the remote value is the CRM’s form of our own change', () => {
    const rule = ruleOf();
    const side = incoming(rule, 'acme.example', 'https://acme.example');
    expect(decidePull(side, seenOf(rule, ['acme.example', 'acme.example']), { isFull: false, isEcho: true })).toBe(
      'leave',
    );
  });
});

describe('a pushed field', () => {
  it.each([
    ['is written at the first meeting', {}, 'Ada', '', null, 'move'],
    ['takes nothing away at the first meeting', {}, '', 'Ada', null, 'leave'],
    ['takes away what was taken away since', {}, '', 'Ada', ['Ada', 'Ada'], 'move'],
    ['is left when only that side changed', {}, 'Ada', 'A.', ['Ada', 'Ada'], 'leave'],
    ['is written when only this side changed', {}, 'Augusta', 'Ada', ['Ada', 'Ada'], 'move'],
    ['is a conflict when both changed', {}, 'Augusta', 'A.', ['Ada', 'Ada'], 'conflict'],
    ['is none of a rule of one direction', { direction: 'push' }, 'Augusta', 'A.', ['Ada', 'Ada'], 'move'],
    ['is left of a rule that pulls', { direction: 'pull' }, 'Ada', '', null, 'leave'],
    ['fills gaps only', { overwrite: 'when_empty' }, 'Augusta', 'Ada', null, 'leave'],
  ] as const)('%s', (_what, of, local, remote, before, expected) => {
    const rule = ruleOf(of);
    expect(decidePush(outgoing(rule, local, remote), seenOf(rule, before), false)).toBe(expected);
  });
});

describe('any values on both sides', () => {
  const text = fc.constantFrom('', 'Ada', 'Augusta', 'A.');
  const rules = fc.record({
    direction: fc.constantFrom('pull' as const, 'push' as const, 'both' as const),
    overwrite: fc.constantFrom('always' as const, 'when_empty' as const),
  });
  const before = fc.option(fc.tuple(text, text));

  it('a second pull changes nothing and reports the same conflicts as the first', () => {
    fc.assert(
      fc.property(rules, text, text, before, (of, local, remote, known) => {
        const rule = ruleOf(of);
        const seen = seenOf(rule, known);
        const side = incoming(rule, local, remote);
        const move = decidePull(side, seen, USUAL);
        const after = getSnapshotAfterPull(side, move, seen);
        const now = move === 'move' ? remote : local;
        const again = decidePull(incoming(rule, now, remote), after ? { [getSnapshotKey(rule)]: after } : {}, USUAL);
        return again === (move === 'conflict' ? 'conflict' : 'leave');
      }),
    );
  });

  it('a pulled value causes no push', () => {
    fc.assert(
      fc.property(rules, text, text, before, (of, local, remote, known) => {
        const rule = ruleOf(of);
        const seen = seenOf(rule, known);
        const side = incoming(rule, local, remote);
        if (decidePull(side, seen, USUAL) !== 'move') return true;
        const after = getSnapshotAfterPull(side, 'move', seen);
        return !hasLocalChange([{ rule, local: remote }], after ? { [getSnapshotKey(rule)]: after } : {});
      }),
    );
  });

  it('a pushed value causes no further push and no pull', () => {
    fc.assert(
      fc.property(rules, text, text, before, (of, local, remote, known) => {
        const rule = ruleOf(of);
        const seen = seenOf(rule, known);
        const side = outgoing(rule, local, remote);
        if (decidePush(side, seen, false) !== 'move') return true;
        const after = getSnapshotAfterPush(side, 'move', seen);
        const seenNow = after ? { [getSnapshotKey(rule)]: after } : {};
        const isQuiet = !hasLocalChange([{ rule, local }], seenNow);
        return isQuiet && decidePull(incoming(rule, local, local), seenNow, USUAL) === 'leave';
      }),
    );
  });

  it('a value that a lead cannot have is not stored', () => {
    const rule = ruleOf();
    const value = toLeadValue(rule, 'x'.repeat(1_000));
    expect(value.ok).toBe(false);
    const side = { ...incoming(rule, '', 'x'.repeat(1_000)), incoming: null };
    expect(decidePull(side, {}, USUAL)).toBe('leave');
  });
});
