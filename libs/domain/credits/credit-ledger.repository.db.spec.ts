import { type WorkspaceScope } from '@domain/access';
import { rounds } from '@testing';
import fc from 'fast-check';
import { MAX_AMOUNT, type LedgerCommand } from './ledger-command';
import { CreditsFixture } from './testing/credits-fixture';
import { anyCommand, LedgerModel } from './testing/ledger-model';

/** Expected refusals; any other error is a fault of the ledger. */
const REFUSALS = ['CONFLICT', 'INSUFFICIENT_CREDITS', 'NOT_FOUND', 'VALIDATION_ERROR'];

const CODE_OF = {
  'other-arguments': 'CONFLICT',
  closed: 'CONFLICT',
  'too-few': 'INSUFFICIENT_CREDITS',
  'too-many': 'LIMIT_EXCEEDED',
  unknown: 'NOT_FOUND',
  'too-much-used': 'VALIDATION_ERROR',
} as const;

describe('the stored ledger', () => {
  let fixture: CreditsFixture;

  beforeAll(async () => {
    fixture = await CreditsFixture.start();
  });

  afterAll(() => fixture.stop());

  async function give(workspace: WorkspaceScope, command: LedgerCommand): Promise<unknown> {
    const { credits, reservations } = fixture;
    switch (command.kind) {
      case 'grant':
        return credits.grant(workspace, command);
      case 'charge':
        return credits.charge(workspace, command);
      case 'reserve':
        return reservations.reserve(workspace, command);
      case 'settle':
        return reservations.settle(workspace, command.operation, command.used);
      case 'release':
        return reservations.release(workspace, command.operation);
    }
  }

  /** 'done' or the code of the refusal. */
  const outcome = (workspace: WorkspaceScope, command: LedgerCommand) =>
    give(workspace, command).then(
      () => 'done',
      (error: { code?: unknown }) => error.code,
    );

  async function expectSound(workspace: WorkspaceScope): Promise<void> {
    const checked = await fixture.credits.verify(workspace);
    expect(checked.problems).toEqual([]);
    expect(checked.balance.stored).toBeGreaterThanOrEqual(0);
    const entries = await fixture.stored(workspace, 'credit_entries');
    const sum = entries.reduce((total, { amount }) => total + Number(amount), 0);
    expect(await fixture.credits.balance(workspace)).toEqual({ balance: sum, reserved: checked.reserved.open });
    const names = entries.map(({ operation, phase }) => `${String(operation)} ${String(phase)}`);
    expect(new Set(names).size).toBe(names.length);
  }

  it('matches the model after each sequential command, with the same account and entries', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyCommand, { minLength: 1, maxLength: 25 }), async (commands) => {
        const workspace = fixture.workspace();
        const model = new LedgerModel();
        for (const command of commands) {
          const decision = model.give(command);
          expect(await outcome(workspace, command)).toBe(decision.do === 'refuse' ? CODE_OF[decision.because] : 'done');
        }
        expect(await fixture.credits.balance(workspace)).toEqual(model.account);
        const entries = await fixture.stored(workspace, 'credit_entries');
        expect(entries.map(({ kind, amount }) => [kind, amount])).toEqual(
          model.entries.map(({ kind, amount }) => [kind, amount]),
        );
        await expectSound(workspace);
      }),
      { numRuns: 12 },
    );
  });

  it('stays consistent under parallel commands, repeats included', async () => {
    const threads = fc.array(fc.array(anyCommand, { minLength: 1, maxLength: 6 }), { minLength: 2, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(threads, fc.integer({ min: 1, max: 12 }), async (commands, start) => {
        const workspace = await fixture.workspaceWith(start);
        const runRow = async (row: LedgerCommand[]) => {
          const outcomes: unknown[] = [];
          for (const command of row) outcomes.push(await outcome(workspace, command));
          return outcomes;
        };
        // The first row runs twice concurrently, so each of its commands meets its own repetition.
        const outcomes = (await Promise.all([...commands, ...commands.slice(0, 1)].map(runRow))).flat();
        expect(['done', ...REFUSALS]).toEqual(expect.arrayContaining([...new Set(outcomes)]));
        await expectSound(workspace);
      }),
      { numRuns: 12 },
    );
  });

  it('is consistent in every read during changes', async () => {
    const workspace = await fixture.workspaceWith(50);
    const jobs = rounds(20, 8);
    const spending = Array.from({ length: jobs }, async (_, i) => {
      const operation = `job:${i}`;
      const kept = await outcome(workspace, { kind: 'reserve', operation, amount: 2, reason: 'work', ttlMs: 60_000 });
      return [kept, await outcome(workspace, { kind: 'settle', operation, used: 1 })];
    });
    const checks = Array.from({ length: 5 }, () => fixture.credits.verify(workspace));
    for (const { problems } of await Promise.all(checks)) expect(problems).toEqual([]);
    expect(new Set((await Promise.all(spending)).flat())).toEqual(new Set(['done']));
    expect(await fixture.credits.balance(workspace)).toEqual({ balance: 50 - jobs, reserved: 0 });
  });

  it('counts large amounts exactly', async () => {
    const workspace = fixture.workspace();
    for (let i = 0; i < 5; i += 1) {
      await fixture.credits.grant(workspace, { amount: MAX_AMOUNT, reason: 'a lot', operation: `grant:${i}` });
    }
    await fixture.credits.charge(workspace, { amount: 1, reason: 'a little', operation: 'charge' });
    expect(await fixture.credits.balance(workspace)).toEqual({ balance: 4_999_999_999, reserved: 0 });
    await expectSound(workspace);
  });

  describe('verified', () => {
    const breakIt: [string, string, (workspace: WorkspaceScope) => Promise<unknown>][] = [
      [
        'a balance that was changed by hand',
        'The balance is 99, its entries make 5',
        (workspace) => updateFirst(workspace, 'credit_accounts', { balance: 99 }),
      ],
      [
        'an account that forgot what is reserved',
        'Reserved is 0, its entries make 4',
        (workspace) => updateFirst(workspace, 'credit_accounts', { reserved: 0 }),
      ],
      [
        'a reservation that was closed by hand',
        'the open reservations make 0',
        (workspace) => updateFirst(workspace, 'credit_reservations', { state: 'settled' }),
      ],
      [
        'an entry that was changed',
        'it says balance 9, the sum is 8',
        (workspace) => updateFirst(workspace, 'credit_entries', { amount: 8 }),
      ],
      [
        'an account that was lost',
        'The account knows 0 entries, the last one is number 2',
        (workspace) => dropFirst(workspace, 'credit_accounts'),
      ],
      ['an entry that was lost', 'it is number 1 in its order', (workspace) => dropFirst(workspace, 'credit_entries')],
    ];

    it.each(breakIt)('reports the problem of %s', async (_what, problem, damage) => {
      const workspace = await fixture.workspaceWith(9);
      await give(workspace, { kind: 'reserve', operation: 'job', amount: 4, reason: 'work', ttlMs: 60_000 });
      expect(await fixture.credits.verify(workspace)).toMatchObject({
        ok: true,
        entries: 2,
        balance: { stored: 5, counted: 5 },
        reserved: { stored: 4, counted: 4, open: 4 },
      });
      await damage(workspace);
      const checked = await fixture.credits.verify(workspace);
      expect(checked.ok).toBe(false);
      expect(checked.problems.join('\n')).toContain(problem);
    });

    it('is not repaired silently: a ledger without its account refuses every change', async () => {
      const workspace = await fixture.workspaceWith(9);
      await dropFirst(workspace, 'credit_accounts');
      const grant = fixture.credits.grant(workspace, { amount: 1, reason: 'gift', operation: 'gift' });
      await expect(grant).rejects.toMatchObject({ code: 11000 });
      expect(await fixture.stored(workspace, 'credit_accounts')).toEqual([]);
    });

    it('is empty for a workspace without an account', async () => {
      expect(await fixture.credits.verify(fixture.workspace())).toEqual({
        ok: true,
        entries: 0,
        balance: { stored: 0, counted: 0 },
        reserved: { stored: 0, counted: 0, open: 0 },
        problems: [],
      });
    });

    type Raw = Parameters<CreditsFixture['raw']>[0];

    async function updateFirst(workspace: WorkspaceScope, collection: Raw, change: object) {
      const [first] = await fixture.stored(workspace, collection);
      return fixture.raw(collection).updateOne({ _id: first?.['_id'] as never }, { $set: change });
    }

    async function dropFirst(workspace: WorkspaceScope, collection: Raw) {
      const [first] = await fixture.stored(workspace, collection);
      return fixture.raw(collection).deleteOne({ _id: first?.['_id'] as never });
    }
  });
});
