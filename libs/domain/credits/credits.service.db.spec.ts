import { type WorkspaceScope } from '@domain/access';
import { rounds } from '@testing';
import { type CreditsService } from './credits.service';
import { CreditsFixture } from './testing/credits-fixture';

const charge = (operation: string, amount = 1) => ({ operation, amount, reason: 'work' });

describe('CreditsService', () => {
  let fixture: CreditsFixture;
  let credits: CreditsService;

  beforeAll(async () => {
    fixture = await CreditsFixture.start();
    credits = fixture.credits;
  });

  afterAll(() => fixture.stop());

  const operations = async (workspace: WorkspaceScope) =>
    (await credits.entriesOf(workspace, { limit: 100 })).items.map(({ operation }) => operation);
  const outcomes = (results: PromiseSettledResult<unknown>[]) => ({
    won: results.filter(({ status }) => status === 'fulfilled').length,
    refused: results.flatMap((result) =>
      result.status === 'rejected' ? [(result.reason as { code?: string }).code] : [],
    ),
  });

  describe('balance', () => {
    it('is zero for a workspace without grants, and reading it creates nothing', async () => {
      const workspace = fixture.workspace();
      expect(await credits.balance(workspace)).toEqual({ balance: 0, reserved: 0 });
      expect(await fixture.stored(workspace, 'credit_accounts')).toEqual([]);
    });

    it('belongs to one workspace', async () => {
      const rich = await fixture.workspaceWith(5);
      expect(await credits.balance(fixture.workspace())).toEqual({ balance: 0, reserved: 0 });
      expect(await credits.balance(rich)).toEqual({ balance: 5, reserved: 0 });
    });
  });

  describe('grant', () => {
    it('returns the entry that it wrote', async () => {
      const workspace = fixture.workspace();
      fixture.clock.freeze(new Date('2026-03-01T12:00:00.000Z'));
      const user: WorkspaceScope = { ...workspace, actor: { kind: 'user', userId: 'u1', keyId: 'k1' } };
      const entry = await credits.grant(user, { amount: 100, reason: 'invoice 7', operation: 'invoice:7' });
      fixture.clock.reset();

      expect(entry).toEqual({
        _id: expect.stringMatching(/^[0-9a-f]{24}$/) as string,
        operation: 'invoice:7',
        kind: 'grant',
        amount: 100,
        balanceAfter: 100,
        reason: 'invoice 7',
        actor: { kind: 'user', userId: 'u1', keyId: 'k1' },
        createdAt: '2026-03-01T12:00:00.000Z',
      });
      expect((await credits.entriesOf(workspace, { limit: 1 })).items).toEqual([entry]);
    });

    it('is audited once, with the balance before and after', async () => {
      const workspace = await fixture.workspaceWith(5);
      const grant = { amount: 7, reason: 'invoice', operation: 'invoice' };
      const { _id } = await credits.grant(workspace, grant);
      await credits.grant(workspace, grant);

      const audited = await fixture.stored(workspace, 'audit_entries');
      expect(audited).toHaveLength(2);
      expect(audited[1]).toMatchObject({
        action: 'credits.granted',
        target: { type: 'credit_entry', id: _id },
        changes: { balance: { from: 5, to: 12 } },
      });
    });

    it('grants once when the same operation is repeated, and returns the first result', async () => {
      const workspace = fixture.workspace();
      const grant = { amount: 7, reason: 'invoice', operation: 'invoice' };
      const first = await credits.grant(workspace, grant);
      await credits.charge(workspace, charge('other', 7));
      expect(await credits.grant(workspace, grant)).toEqual(first);
      expect(await credits.balance(workspace)).toEqual({ balance: 0, reserved: 0 });
    });

    it('is a new grant each time without an operation name', async () => {
      const workspace = fixture.workspace();
      await credits.grant(workspace, { amount: 2, reason: 'gift' });
      await credits.grant(workspace, { amount: 2, reason: 'gift' });
      expect(await credits.balance(workspace)).toEqual({ balance: 4, reserved: 0 });
    });

    it('opens one account under concurrent first grants', async () => {
      const workspace = fixture.workspace();
      const grants = Array.from({ length: 8 }, (_, i) => ({ amount: 1, reason: 'gift', operation: `gift:${i}` }));
      await Promise.all(grants.map((grant) => credits.grant(workspace, grant)));
      expect(await fixture.stored(workspace, 'credit_accounts')).toHaveLength(1);
      expect(await credits.balance(workspace)).toEqual({ balance: 8, reserved: 0 });
    });

    it('refuses the operation name of another grant', async () => {
      const workspace = await fixture.workspaceWith(5);
      const other = credits.grant(workspace, { amount: 6, reason: 'to start with', operation: 'start' });
      await expect(other).rejects.toMatchObject({ code: 'CONFLICT' });
      expect(await credits.balance(workspace)).toEqual({ balance: 5, reserved: 0 });
    });
  });

  describe('charge', () => {
    it('charges an operation once', async () => {
      const workspace = await fixture.workspaceWith(5);
      const first = await credits.charge(workspace, charge('agent', 3));
      expect(first).toMatchObject({ kind: 'charge', amount: -3, balanceAfter: 2 });
      expect(await credits.charge(workspace, charge('agent', 3))).toEqual(first);
      expect(await credits.balance(workspace)).toEqual({ balance: 2, reserved: 0 });
    });

    it('charges nothing when the balance is too low, and reports the balance', async () => {
      const workspace = await fixture.workspaceWith(5);
      const refused = credits.charge(workspace, charge('agent', 6));
      await expect(refused).rejects.toMatchObject({
        code: 'INSUFFICIENT_CREDITS',
        type: { kind: 'payment' },
        message: 'This costs 6 credits and the workspace has 5; missing: 1',
      });
      expect(await credits.balance(workspace)).toEqual({ balance: 5, reserved: 0 });
      expect(await operations(workspace)).toEqual(['start']);
    });

    it('is predicted with the same error, and the prediction charges nothing', async () => {
      const workspace = await fixture.workspaceWith(5);
      await expect(credits.checkBalance(workspace, 6)).rejects.toMatchObject({
        code: 'INSUFFICIENT_CREDITS',
        message: 'This costs 6 credits and the workspace has 5; missing: 1',
      });
      await credits.checkBalance(workspace, 5);
      expect(await credits.balance(workspace)).toEqual({ balance: 5, reserved: 0 });
    });

    it('succeeds later with enough credits: a refusal leaves the operation name unused', async () => {
      const workspace = fixture.workspace();
      await expect(credits.charge(workspace, charge('agent'))).rejects.toMatchObject({ code: 'INSUFFICIENT_CREDITS' });
      await credits.grant(workspace, { amount: 1, reason: 'gift' });
      await credits.charge(workspace, charge('agent'));
      expect(await credits.balance(workspace)).toEqual({ balance: 0, reserved: 0 });
    });

    it('leaves no charge when the charged work fails in the same transaction', async () => {
      const workspace = await fixture.workspaceWith(5);
      const crash = fixture.transactions.run(async () => {
        await credits.charge(workspace, charge('agent', 3));
        throw new Error('crash');
      });
      await expect(crash).rejects.toThrow('crash');
      expect(await credits.balance(workspace)).toEqual({ balance: 5, reserved: 0 });
      expect(await operations(workspace)).toEqual(['start']);
      expect((await credits.verify(workspace)).ok).toBe(true);
    });

    it('sees its own transaction: credits granted in it can be spent in it', async () => {
      const workspace = fixture.workspace();
      await fixture.transactions.run(async () => {
        await credits.grant(workspace, { amount: 3, reason: 'gift' });
        await credits.charge(workspace, charge('one', 2));
        await expect(credits.charge(workspace, charge('two', 2))).rejects.toMatchObject({
          code: 'INSUFFICIENT_CREDITS',
        });
      });
      expect(await credits.balance(workspace)).toEqual({ balance: 1, reserved: 0 });
    });
  });

  describe('under parallel debits', () => {
    it('gives the last credit to exactly one of two', async () => {
      for (let round = 0; round < rounds(10, 2); round += 1) {
        const workspace = await fixture.workspaceWith(1);
        const race = [credits.charge(workspace, charge('a')), credits.charge(workspace, charge('b'))];
        expect(outcomes(await Promise.allSettled(race))).toEqual({ won: 1, refused: ['INSUFFICIENT_CREDITS'] });
        expect(await credits.balance(workspace)).toEqual({ balance: 0, reserved: 0 });
      }
    });

    it('accepts five of twenty debits when the balance is five', async () => {
      const workspace = await fixture.workspaceWith(5);
      const race = Array.from({ length: 20 }, (_, i) => credits.charge(workspace, charge(`job:${i}`)));
      const { won, refused } = outcomes(await Promise.allSettled(race));
      expect(won).toBe(5);
      expect(refused).toEqual(Array.from({ length: 15 }, () => 'INSUFFICIENT_CREDITS'));
      expect(await credits.verify(workspace)).toMatchObject({
        ok: true,
        entries: 6,
        balance: { stored: 0, counted: 0 },
      });
    });

    it('charges one operation once under concurrent requests, with the same response for all', async () => {
      const workspace = await fixture.workspaceWith(1);
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => credits.charge(workspace, charge('callback'))),
      );
      expect(new Set(answers.map(({ _id }) => _id)).size).toBe(1);
      expect(await operations(workspace)).toEqual(['callback', 'start']);
    });

    it('retries the whole transaction after a conflict, so that its other changes are decided again', async () => {
      const workspace = await fixture.workspaceWith(10);
      const both = (name: string) =>
        fixture.transactions.run(async () => {
          await credits.charge(workspace, charge(`${name}:1`, 3));
          await credits.charge(workspace, charge(`${name}:2`, 3));
        });
      const { won, refused } = outcomes(await Promise.allSettled([both('a'), both('b'), both('c')]));
      expect({ won, refused }).toEqual({ won: 1, refused: ['INSUFFICIENT_CREDITS', 'INSUFFICIENT_CREDITS'] });
      expect(await credits.balance(workspace)).toEqual({ balance: 4, reserved: 0 });
      expect((await credits.verify(workspace)).ok).toBe(true);
    });
  });

  describe('entriesOf', () => {
    it('lists newest first, page by page', async () => {
      const workspace = await fixture.workspaceWith(5);
      for (const name of ['a', 'b']) await credits.charge(workspace, charge(name));
      const first = await credits.entriesOf(workspace, { limit: 2 });
      expect(first.items.map(({ operation }) => operation)).toEqual(['b', 'a']);
      expect(first.pagination).toMatchObject({ limit: 2, total: 3, hasMore: true });
      const cursor = first.pagination.nextCursor ?? '';
      const second = await credits.entriesOf(workspace, { limit: 2, cursor });
      expect(second.items.map(({ operation }) => operation)).toEqual(['start']);
      const elsewhere = credits.entriesOf(fixture.workspace(), { limit: 2, cursor });
      await expect(elsewhere).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field: 'cursor' }] });
    });

    it('filters by kind and operation', async () => {
      const workspace = await fixture.workspaceWith(5);
      for (const name of ['a', 'b']) await credits.charge(workspace, charge(name));
      const listed = async (filter: object) =>
        (await credits.entriesOf(workspace, { limit: 25, ...filter })).items.map(({ operation }) => operation);
      expect(await listed({ kind: 'charge' })).toEqual(['b', 'a']);
      expect(await listed({ operation: 'a' })).toEqual(['a']);
      expect(await listed({ kind: 'grant', operation: 'a' })).toEqual([]);
    });
  });
});
