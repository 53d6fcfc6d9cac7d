import { LedgerReplay, type ReplayedEntry } from './ledger-replay';

const granted: ReplayedEntry = {
  sequence: 1,
  operation: 'g',
  phase: 'opening',
  kind: 'grant',
  amount: 10,
  balanceAfter: 10,
};
const reserved: ReplayedEntry = {
  sequence: 2,
  operation: 'r',
  phase: 'opening',
  kind: 'reserve',
  amount: -4,
  balanceAfter: 6,
};
const settled: ReplayedEntry = {
  sequence: 3,
  operation: 'r',
  phase: 'closing',
  kind: 'settle',
  amount: 3,
  balanceAfter: 9,
};

function replay(...entries: ReplayedEntry[]): LedgerReplay {
  const result = new LedgerReplay();
  for (const entry of entries) result.add(entry);
  return result;
}

describe('LedgerReplay', () => {
  it('recomputes balance and reserved after each entry', () => {
    expect(replay(granted, reserved)).toMatchObject({ balance: 6, reserved: 4, entries: 2, problems: [] });
    expect(replay(granted, reserved, settled)).toMatchObject({ balance: 9, reserved: 0, problems: [] });
  });

  it.each<[string, ReplayedEntry[], string]>([
    ['a missing entry', [granted, settled], 'number 2 in its order'],
    ['a wrong balance', [granted, { ...reserved, balanceAfter: 7 }], 'says balance 7, the sum is 6'],
    ['a balance below zero', [{ ...granted, kind: 'charge', amount: -1, balanceAfter: -1 }], 'the balance is -1'],
    ['a grant that takes', [granted, { ...granted, sequence: 2, amount: -1, balanceAfter: 9 }], 'its amount is -1'],
    ['a charge that gives', [{ ...granted, kind: 'charge' }], 'its amount is 10'],
    ['a wrong phase', [{ ...granted, phase: 'closing' }], 'its phase is closing'],
    [
      'closing what was never opened',
      [granted, { ...settled, sequence: 2, balanceAfter: 13 }],
      'closes an operation that is not open',
    ],
    [
      'closing twice',
      [granted, reserved, settled, { ...settled, sequence: 4, kind: 'release', balanceAfter: 12 }],
      'closes an operation that is not open',
    ],
    [
      'giving back more than was held',
      [granted, reserved, { ...settled, amount: 5, balanceAfter: 11 }],
      'returns 5 of 4',
    ],
    ['releasing less than was held', [granted, reserved, { ...settled, kind: 'release' }], 'returns 3 of 4'],
  ])('notices %s', (_what, entries, problem) => {
    expect(replay(...entries).problems.join('\n')).toContain(problem);
  });

  it('reports the first hundred problems of a ledger with many', () => {
    const wrong = Array.from({ length: 150 }, () => granted);
    expect(replay(...wrong).problems).toHaveLength(100);
  });
});
