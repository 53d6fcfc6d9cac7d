import { type WorkspaceScope } from '@domain/access';
import { rounds } from '@testing';
import { type CreditsService } from './credits.service';
import { CreditsFixture } from './testing/credits-fixture';

const MINUTE_MS = 60_000;
const request = (operation: string, amount = 4) => ({ operation, amount, reason: 'a job', ttlMs: MINUTE_MS });

describe('CreditsService', () => {
  let fixture: CreditsFixture;
  let credits: CreditsService;
  let reservations: CreditsService;
  let workspace: WorkspaceScope;

  beforeAll(async () => {
    fixture = await CreditsFixture.start();
    ({ credits, reservations } = fixture);
  });

  afterAll(() => fixture.stop());

  beforeEach(async () => {
    fixture.clock.reset();
    workspace = await fixture.workspaceWith(10);
  });

  afterEach(async () => {
    expect((await credits.verify(workspace)).problems).toEqual([]);
    await fixture.raw('credit_reservations').deleteMany({});
  });

  const balance = () => credits.balance(workspace);
  const kinds = async () =>
    (await credits.entriesOf(workspace, { limit: 100 })).items.map(({ kind }) => kind).toReversed();

  it('reserves credits, settles the used part and returns the unused part', async () => {
    const now = fixture.clock.now();
    fixture.clock.freeze(now);
    expect(await reservations.reserve(workspace, request('job'))).toEqual({
      operation: 'job',
      amount: 4,
      used: 0,
      state: 'open',
      expiresAt: new Date(now.getTime() + MINUTE_MS),
    });
    expect(await balance()).toEqual({ balance: 6, reserved: 4 });
    expect(await fixture.series('outreach_credits_total{kind="reserve"}')).toBe(4);
    await expect(reservations.reserve(workspace, { ...request('more'), amount: 7 })).rejects.toThrow('missing: 1');
    expect(await fixture.series('outreach_credit_refusals_total')).toBe(1);

    expect(await reservations.settle(workspace, 'job', 3)).toMatchObject({ used: 3, state: 'settled' });
    expect(await balance()).toEqual({ balance: 7, reserved: 0 });
    expect(await kinds()).toEqual(['grant', 'reserve', 'settle']);
  });

  it('writes an entry of zero when the whole reservation was used', async () => {
    await reservations.reserve(workspace, request('job'));
    await reservations.settle(workspace, 'job', 4);
    const { items } = await credits.entriesOf(workspace, { limit: 1 });
    expect(items[0]).toMatchObject({ kind: 'settle', amount: 0, balanceAfter: 6, reason: 'a job' });
  });

  it('returns the whole reservation on release', async () => {
    await reservations.reserve(workspace, request('job'));
    expect(await reservations.release(workspace, 'job')).toMatchObject({ used: 0, state: 'released' });
    expect(await balance()).toEqual({ balance: 10, reserved: 0 });
  });

  it('reserves nothing when the balance is too low', async () => {
    await expect(reservations.reserve(workspace, request('job', 11))).rejects.toMatchObject({
      code: 'INSUFFICIENT_CREDITS',
    });
    expect(await balance()).toEqual({ balance: 10, reserved: 0 });
    expect(await fixture.stored(workspace, 'credit_reservations')).toEqual([]);
  });

  it('executes each step once, and answers a repeated step with the current reservation', async () => {
    const first = await reservations.reserve(workspace, request('job'));
    expect(await reservations.reserve(workspace, request('job'))).toEqual(first);
    expect(await balance()).toEqual({ balance: 6, reserved: 4 });

    const settled = await reservations.settle(workspace, 'job', 1);
    expect(await reservations.settle(workspace, 'job', 1)).toEqual(settled);
    expect(await reservations.reserve(workspace, request('job'))).toEqual(settled);
    expect(await balance()).toEqual({ balance: 9, reserved: 0 });
    expect(await kinds()).toEqual(['grant', 'reserve', 'settle']);
  });

  it('refuses to close a reservation in a second way', async () => {
    await reservations.reserve(workspace, request('job'));
    await reservations.settle(workspace, 'job', 1);
    await expect(reservations.settle(workspace, 'job', 2)).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(reservations.release(workspace, 'job')).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await balance()).toEqual({ balance: 9, reserved: 0 });
  });

  it('refuses another amount or expiry for the same operation', async () => {
    await reservations.reserve(workspace, request('job'));
    await expect(reservations.reserve(workspace, request('job', 5))).rejects.toMatchObject({ code: 'CONFLICT' });
    const longer = { ...request('job'), ttlMs: 2 * MINUTE_MS };
    await expect(reservations.reserve(workspace, longer)).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('refuses to settle more than the reservation, and names the argument', async () => {
    await reservations.reserve(workspace, request('job'));
    const refused = reservations.settle(workspace, 'job', 5);
    await expect(refused).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field: 'used' }] });
    expect(await balance()).toEqual({ balance: 6, reserved: 4 });
  });

  it('finds no reservation of another workspace or operation', async () => {
    await reservations.reserve(workspace, request('job'));
    const missing = { code: 'NOT_FOUND', message: 'Reservation not found' };
    await expect(reservations.settle(fixture.workspace(), 'job', 1)).rejects.toMatchObject(missing);
    await expect(reservations.release(workspace, 'other')).rejects.toMatchObject(missing);
  });

  it('is either settled or released when both run concurrently', async () => {
    for (let round = 0; round < rounds(8, 2); round += 1) {
      const name = `job:${round}`;
      await reservations.reserve(workspace, request(name, 1));
      const race = await Promise.allSettled([
        reservations.settle(workspace, name, 1),
        reservations.release(workspace, name),
      ]);
      const lost = race.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
      expect(lost).toEqual([expect.objectContaining({ code: 'CONFLICT' })]);
    }
  });

  it('allows one way to close in the data itself: the index refuses a release beside a settlement', async () => {
    await reservations.reserve(workspace, request('job'));
    await reservations.settle(workspace, 'job', 1);
    const settlement = (await fixture.stored(workspace, 'credit_entries')).find(({ kind }) => kind === 'settle');
    const { _id, ...rest } = settlement ?? {};
    expect(_id).toBeDefined();
    const forged = fixture.raw('credit_entries').insertOne({ ...rest, kind: 'release', sequence: 99 });
    await expect(forged).rejects.toMatchObject({ code: 11000 });
  });

  it('allows one history in the data itself: the index refuses two entries after the same one', async () => {
    const [first] = await fixture.stored(workspace, 'credit_entries');
    const { _id, ...rest } = first ?? {};
    expect(_id).toBeDefined();
    const forged = fixture.raw('credit_entries').insertOne({ ...rest, operation: 'another' });
    await expect(forged).rejects.toMatchObject({ code: 11000 });
  });

  describe('expire', () => {
    it('releases expired open reservations of every workspace, and keeps the others', async () => {
      const other = await fixture.workspaceWith(10);
      await reservations.reserve(workspace, request('late'));
      await reservations.reserve(other, request('late'));
      await reservations.reserve(workspace, { ...request('in time'), ttlMs: 2 * MINUTE_MS });
      await reservations.reserve(workspace, request('done', 1));
      await reservations.settle(workspace, 'done', 1);
      fixture.clock.advance(MINUTE_MS);

      expect(await reservations.expire(100)).toBe(2);
      expect(await balance()).toEqual({ balance: 5, reserved: 4 });
      expect(await credits.balance(other)).toEqual({ balance: 10, reserved: 0 });
      const { items } = await credits.entriesOf(workspace, { limit: 1 });
      expect(items[0]).toMatchObject({
        kind: 'release',
        operation: 'late',
        reason: 'The reservation was not settled in time',
        actor: { kind: 'system', userId: null, keyId: null },
      });
      expect(await reservations.expire(100)).toBe(0);
    });

    it('releases at most the requested number, longest expired first', async () => {
      await reservations.reserve(workspace, { ...request('second', 1), ttlMs: MINUTE_MS });
      await reservations.reserve(workspace, { ...request('first', 1), ttlMs: 1000 });
      fixture.clock.advance(MINUTE_MS);
      expect(await reservations.expire(1)).toBe(1);
      const { items } = await credits.entriesOf(workspace, { limit: 1 });
      expect(items[0]).toMatchObject({ kind: 'release', operation: 'first' });
      expect(await reservations.expire(1)).toBe(1);
    });

    it('is final: a late settlement fails with an error', async () => {
      await reservations.reserve(workspace, request('job'));
      fixture.clock.advance(MINUTE_MS);
      await reservations.expire(100);
      await expect(reservations.settle(workspace, 'job', 4)).rejects.toMatchObject({
        code: 'CONFLICT',
        message: 'This reservation was already released',
      });
      expect(await reservations.reserve(workspace, request('job'))).toMatchObject({ state: 'released' });
      expect(await balance()).toEqual({ balance: 10, reserved: 0 });
    });

    it('keeps a settlement that comes before the release, however late', async () => {
      await reservations.reserve(workspace, request('job'));
      fixture.clock.advance(MINUTE_MS);
      await reservations.settle(workspace, 'job', 4);
      expect(await reservations.expire(100)).toBe(0);
      expect(await balance()).toEqual({ balance: 6, reserved: 0 });
    });

    it('is consistent with a concurrent settlement', async () => {
      for (let round = 0; round < rounds(5, 2); round += 1) {
        const name = `job:${round}`;
        await reservations.reserve(workspace, request(name, 1));
        fixture.clock.advance(MINUTE_MS);
        const [settled, expired] = await Promise.allSettled([
          reservations.settle(workspace, name, 1),
          reservations.expire(100),
        ]);
        expect(expired).toEqual({ status: 'fulfilled', value: settled.status === 'fulfilled' ? 0 : 1 });
      }
    });

    it('releases the others when one fails, and then reports the error', async () => {
      const broken = await fixture.workspaceWith(10);
      await reservations.reserve(broken, { ...request('broken'), ttlMs: 1 });
      await fixture
        .raw('credit_accounts')
        .deleteOne({ _id: (await fixture.stored(broken, 'credit_accounts'))[0]?._id as never });
      await reservations.reserve(workspace, request('late'));
      fixture.clock.advance(MINUTE_MS);

      await expect(reservations.expire(100)).rejects.toThrow('less than minimum allowed value (0)');
      expect(await balance()).toEqual({ balance: 10, reserved: 0 });
    });
  });
});
