import { answers, TestReceiver } from '../../libs/domain/webhooks/testing';
import { expectFormA, expectFormB, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { dataOf, ID, ISO, MALFORMED_IDS, newMember, UNKNOWN_ID } from '../workspaces/people';
import { type Delivery, type DeliveryDetail } from './webhook-responses';
import { Hook } from './webhooks';
import { storedDelivery } from './webhook-records';

const DAY_MS = 86_400_000;

describe('the deliveries of a webhook', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;
  let receiver: TestReceiver;
  let hook: Hook;

  beforeAll(async () => {
    platform = await sharedPlatform({ worker: true });
    receiver = await TestReceiver.start();
    workspace = await platform.seed.workspace();
    hook = await Hook.make(platform, workspace, { url: receiver.url });
  });
  afterAll(async () => {
    await platform.close();
    await receiver.close();
  });

  describe('after their creation', () => {
    let delivered: Delivery;
    let waiting: Delivery;

    beforeAll(async () => {
      receiver.next.push(answers(200, {}, 'thanks'));
      const [first] = await hook.happen();
      await hook.deliver();
      receiver.next.push(answers(500, {}, 'x'.repeat(30_000)));
      const [second] = await hook.happen(1, 'email.replied');
      await hook.deliver();
      const listed = await hook.deliveries();
      expect(listed.map(({ eventId }) => eventId)).toEqual([second, first]);
      [waiting, delivered] = listed as [Delivery, Delivery];
    });

    it('are listed with their outcome, without request and response', () => {
      const made = { _id: ID, webhookId: hook.made._id, eventId: ID, createdAt: ISO, redeliveryRequestedAt: null };
      expect(delivered).toEqual({
        ...made,
        event: 'email.sent',
        state: 'delivered',
        attemptCount: 1,
        lastStatus: 200,
        lastError: null,
        nextAttemptAt: null,
        deliveredAt: ISO,
      });
      expect(waiting).toEqual({
        ...made,
        event: 'email.replied',
        state: 'pending',
        attemptCount: 1,
        lastStatus: 500,
        lastError: { code: 'status', message: expect.stringContaining('500') as unknown },
        nextAttemptAt: ISO,
        deliveredAt: null,
      });
    });

    it('are read with the exact bytes of the request, and each attempt with its response', async () => {
      const detail = await hook.delivery(waiting._id);
      const { body, attempts, ...rest } = detail;
      expect(rest).toEqual(waiting);
      expect(body).toBe(receiver.received.at(-1)!.body);
      expect(attempts).toEqual([
        {
          at: ISO,
          trigger: 'automatic',
          durationMs: expect.any(Number) as unknown,
          status: 500,
          error: waiting.lastError,
          response: 'x'.repeat(20_000),
          truncated: true,
        },
      ]);
      expect((await hook.delivery(delivered._id)).attempts).toMatchObject([
        { status: 200, error: null, response: 'thanks' },
      ]);
    });

    it('are listed for their own webhook only', async () => {
      const other = await Hook.make(platform, workspace);
      expect(await other.deliveries()).toEqual([]);
      expectFormA(await other.api.get(`${other.path}/deliveries/${delivered._id}`), 404, /^Delivery not found$/);
      expectFormA(await other.redeliver(delivered._id), 404, /^Delivery not found$/);
    });
  });

  describe('are filtered by', () => {
    let log: Hook;
    /** Oldest first. */
    const ids: string[] = [];
    let from: Date;
    const daysAfter = (days: number) => new Date(from.getTime() + days * DAY_MS);

    beforeAll(async () => {
      log = await Hook.make(platform, workspace);
      from = platform.clock.in(-10 * DAY_MS);
      const rows = [
        { state: 'delivered', type: 'email.sent' },
        { state: 'failed', type: 'email.sent' },
        { state: 'pending', type: 'email.replied', nextAttemptAt: platform.clock.in(DAY_MS) },
        { state: 'failed', type: 'email.replied' },
      ];
      for (const [days, row] of rows.entries()) {
        ids.push(await storedDelivery(platform, log.made, { ...row, createdAt: daysAfter(days) }));
      }
    });

    const found = async (query: string) => (await log.deliveries(query)).map(({ _id }) => ids.indexOf(_id));

    it('no filter: all of them, newest first', async () => {
      expect(await found('')).toEqual([3, 2, 1, 0]);
    });

    it.each([
      ['?state=failed', [3, 1]],
      ['?state=pending', [2]],
      ['?state=delivered', [0]],
      ['?event=email.replied', [3, 2]],
      ['?event=email.sent&state=failed', [1]],
      ['?event=email.bounced', []],
    ])('%s', async (query, indexes) => {
      expect(await found(query)).toEqual(indexes);
    });

    it('their earliest time', async () => {
      const [second, fourth] = [daysAfter(1).toISOString(), daysAfter(3).toISOString()];
      expect(await found(`?from=${second}`)).toEqual([3, 2, 1]);
      expect(await found(`?to=${fourth}`)).toEqual([2, 1, 0]);
      expect(await found(`?from=${second}&to=${fourth}&state=failed`)).toEqual([1]);
    });

    it('page after page', async () => {
      const first = await log.api.get(`${log.path}/deliveries?limit=3`);
      const { pagination } = first.body as { pagination: { total: number; nextCursor: string } };
      expect(pagination).toMatchObject({ total: 4, hasMore: true });
      const cursor = encodeURIComponent(pagination.nextCursor);
      expect(await found(`?limit=3&cursor=${cursor}`)).toEqual([0]);
      const elsewhere = await log.api.get(`${hook.path}/deliveries?limit=3&cursor=${cursor}`);
      expectFormB(elsewhere, 400, 'VALIDATION_ERROR', 'cursor');
    });

    it.each([
      ['?state=gone', 'state'],
      ['?event=email.forwarded', 'event'],
      ['?from=yesterday', 'from'],
      ['?to=2026-11-21', 'to'],
      ['?from=2026-11-21T00:00:00Z&to=2026-11-21T00:00:00Z', 'to'],
      ['?limit=101', 'limit'],
      ['?webhookId=x', 'webhookId'],
    ])('known filters only, not by %s', async (query, field) => {
      expectFormB(await log.api.get(`${log.path}/deliveries${query}`), 400, 'VALIDATION_ERROR', field);
    });
  });

  it('are without an error before the first attempt', async () => {
    const fresh = await Hook.make(platform, workspace);
    const nextAttemptAt = platform.clock.in(DAY_MS);
    const state = { state: 'pending', attemptCount: 0, attemptsMade: 0, countedAs: null, nextAttemptAt };
    const id = await storedDelivery(platform, fresh.made, state);
    const detail = dataOf<DeliveryDetail>(await fresh.api.get(`${fresh.path}/deliveries/${id}`));
    expect(detail).toMatchObject({ attemptCount: 0, lastStatus: null, lastError: null, attempts: [] });
  });

  it('answer 404 Form A to an unknown and a malformed id, and 403 to an unauthorised key', async () => {
    for (const id of [UNKNOWN_ID, ...MALFORMED_IDS]) {
      expectFormA(await hook.api.get(`/v1/webhooks/${id}/deliveries`), 404, /^Webhook not found$/);
      expectFormA(await hook.api.get(`${hook.path}/deliveries/${id}`), 404, /^Delivery not found$/);
      expectFormA(await hook.api.get(`/v1/webhooks/${id}/deliveries/${UNKNOWN_ID}`), 404, /^Webhook not found$/);
    }
    const member = await newMember(platform, workspace);
    const asMember = platform.api.as(member.key).in(workspace.workspaceId);
    expectFormA(await asMember.get(`${hook.path}/deliveries`), 403, 'permission');
  });
});
