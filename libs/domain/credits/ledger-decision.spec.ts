import fc from 'fast-check';
import { type LedgerCommand } from './ledger-command';
import { decideLedgerCommand, type LedgerFacts, MAX_BALANCE } from './ledger-decision';
import { LedgerReplay } from './ledger-replay';
import { anyCommand, LedgerModel } from './testing/ledger-model';

const untouched: LedgerFacts = { account: { balance: 10, reserved: 4 }, opening: null, reservation: null };
const opening = { operation: 'x', amount: 3, reason: 'because' };
const ttlMs = 1000;

describe('decide', () => {
  it('adds granted credits', () => {
    expect(decideLedgerCommand(untouched, { kind: 'grant', ...opening })).toEqual({
      do: 'apply',
      amount: 3,
      account: { balance: 13, reserved: 4 },
      reservation: null,
    });
  });

  it('subtracts charged credits', () => {
    expect(decideLedgerCommand(untouched, { kind: 'charge', ...opening })).toMatchObject({
      amount: -3,
      account: { balance: 7, reserved: 4 },
    });
  });

  it('moves reserved credits out of the balance', () => {
    expect(decideLedgerCommand(untouched, { kind: 'reserve', ...opening, ttlMs })).toEqual({
      do: 'apply',
      amount: -3,
      account: { balance: 7, reserved: 7 },
      reservation: { amount: 3, ttlMs, used: 0, state: 'open' },
    });
  });

  it.each(['charge', 'reserve'] as const)('spends the last credit and nothing beyond it: %s', (kind) => {
    const command = (amount: number) => ({ kind, ...opening, ttlMs, amount }) as LedgerCommand;
    expect(decideLedgerCommand(untouched, command(10))).toMatchObject({ do: 'apply', account: { balance: 0 } });
    expect(decideLedgerCommand(untouched, command(11))).toEqual({ do: 'refuse', because: 'too-few' });
  });

  it('refuses a grant that an account could not count exactly', () => {
    const account = { balance: MAX_BALANCE - 5, reserved: 2 };
    const grant = (amount: number) =>
      decideLedgerCommand({ ...untouched, account }, { kind: 'grant', ...opening, amount });
    expect(grant(3)).toMatchObject({ do: 'apply' });
    expect(grant(4)).toEqual({ do: 'refuse', because: 'too-many' });
  });

  describe('of an operation that was opened before', () => {
    const charged: LedgerFacts = { ...untouched, opening: { kind: 'charge', amount: -3, reason: 'because' } };

    it('repeats the result for the same arguments, even when the credits are spent', () => {
      const empty = { ...charged, account: { balance: 0, reserved: 0 } };
      expect(decideLedgerCommand(empty, { kind: 'charge', ...opening })).toEqual({ do: 'repeat' });
    });

    it.each<[string, LedgerCommand]>([
      ['another amount', { kind: 'charge', ...opening, amount: 4 }],
      ['another reason', { kind: 'charge', ...opening, reason: 'just so' }],
      ['another kind', { kind: 'grant', ...opening }],
      ['a reservation', { kind: 'reserve', ...opening, ttlMs }],
    ])('refuses %s', (_what, command) => {
      expect(decideLedgerCommand(charged, command)).toEqual({ do: 'refuse', because: 'other-arguments' });
    });

    it('refuses a reservation with another expiry', () => {
      const reserved: LedgerFacts = {
        ...untouched,
        opening: { kind: 'reserve', amount: -3, reason: 'because' },
        reservation: { amount: 3, ttlMs, used: 0, state: 'open' },
      };
      expect(decideLedgerCommand(reserved, { kind: 'reserve', ...opening, ttlMs })).toEqual({ do: 'repeat' });
      expect(decideLedgerCommand(reserved, { kind: 'reserve', ...opening, ttlMs: 2 })).toMatchObject({
        because: 'other-arguments',
      });
    });

    it('cannot close an operation without a reservation', () => {
      expect(decideLedgerCommand(charged, { kind: 'settle', operation: 'x', used: 1 })).toEqual({
        do: 'refuse',
        because: 'unknown',
      });
      expect(decideLedgerCommand(charged, { kind: 'release', operation: 'x' })).toEqual({
        do: 'refuse',
        because: 'unknown',
      });
    });
  });

  describe('of a reservation', () => {
    const facts = (state: 'open' | 'settled' | 'released', used = 0): LedgerFacts => ({
      account: { balance: 10, reserved: 4 },
      opening: { kind: 'reserve', amount: -4, reason: 'because' },
      reservation: { amount: 4, ttlMs, used, state },
    });
    const settle = (used: number): LedgerCommand => ({ kind: 'settle', operation: 'x', used });
    const release: LedgerCommand = { kind: 'release', operation: 'x' };

    it.each([
      [0, 14],
      [1, 13],
      [4, 10],
    ])('settles the %i used credits and returns the others', (used, balance) => {
      expect(decideLedgerCommand(facts('open'), settle(used))).toEqual({
        do: 'apply',
        amount: 4 - used,
        account: { balance, reserved: 0 },
        reservation: { amount: 4, ttlMs, used, state: 'settled' },
      });
    });

    it('returns all credits on release', () => {
      expect(decideLedgerCommand(facts('open'), release)).toMatchObject({
        amount: 4,
        account: { balance: 14, reserved: 0 },
      });
    });

    it('never settles more than the reservation', () => {
      expect(decideLedgerCommand(facts('open'), settle(5))).toEqual({ do: 'refuse', because: 'too-much-used' });
    });

    it('closes once: the same command is a repeat, any other is refused', () => {
      expect(decideLedgerCommand(facts('settled', 2), settle(2))).toEqual({ do: 'repeat' });
      expect(decideLedgerCommand(facts('settled', 2), settle(1))).toEqual({ do: 'refuse', because: 'closed' });
      expect(decideLedgerCommand(facts('settled', 0), release)).toEqual({ do: 'refuse', because: 'closed' });
      expect(decideLedgerCommand(facts('released'), release)).toEqual({ do: 'repeat' });
      expect(decideLedgerCommand(facts('released'), settle(0))).toEqual({ do: 'refuse', because: 'closed' });
    });
  });
});

describe('a ledger that follows decide', () => {
  it('never goes below zero, equals its entries, and executes each operation once', () => {
    fc.assert(
      fc.property(fc.array(anyCommand, { maxLength: 60 }), (commands) => {
        const ledger = new LedgerModel();
        for (const command of commands) ledger.give(command);

        const replay = new LedgerReplay();
        for (const entry of ledger.entries) replay.add(entry);
        expect(replay.problems).toEqual([]);
        expect({ balance: replay.balance, reserved: replay.reserved }).toEqual(ledger.account);
        const open = [...ledger.reservations.values()].filter(({ state }) => state === 'open');
        expect(ledger.account.reserved).toBe(open.reduce((sum, { amount }) => sum + amount, 0));
        const names = ledger.entries.map(({ operation, phase }) => `${operation} ${phase}`);
        expect(new Set(names).size).toBe(names.length);
      }),
    );
  });

  it('changes nothing when a command is repeated at once', () => {
    fc.assert(
      fc.property(fc.array(anyCommand, { maxLength: 30 }), (commands) => {
        const once = new LedgerModel();
        const twice = new LedgerModel();
        for (const command of commands) {
          once.give(command);
          twice.give(command);
          expect(twice.give(command).do).not.toBe('apply');
        }
        expect(twice.account).toEqual(once.account);
        expect(twice.entries).toEqual(once.entries);
      }),
    );
  });
});
