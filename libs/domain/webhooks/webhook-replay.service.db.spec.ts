import { systemScope } from '@domain/access';
import { DEEP } from '@testing';
import { type Model } from 'mongoose';
import { WebhookReplayRecord } from './schemas/webhook-replay.record';
import { type WebhookRecord } from './schemas/webhook.record';
import { WebhooksFixture } from './testing/webhooks-fixture';
import { WebhookDeliveryRepository } from './delivery/webhook-delivery.repository';
import { WebhookReplayService } from './webhook-replay.service';
import { WebhooksService } from './webhooks.service';

const MINUTE_MS = 60_000;
/** More events than one step holds, or two. */
const MANY = DEEP ? 1_201 : 501;
const FEW = 5;

describe('a replay', () => {
  let fixture: WebhooksFixture;
  let replays: Model<WebhookReplayRecord>;
  let webhook: WebhookRecord;
  let ids: string[];

  beforeAll(async () => {
    fixture = await WebhooksFixture.open();
    replays = fixture.model<WebhookReplayRecord>(WebhookReplayRecord);
  });
  afterAll(() => fixture.close());

  /** Creates a webhook that received none of the `count` events of its workspace. */
  async function undelivered(count: number): Promise<void> {
    fixture.deleted.clear();
    fixture.clock.reset();
    webhook = await fixture.webhook('http://127.0.0.1:9/', { periods: [] });
    // Many events have the same timestamp: only the ids order them.
    ids = await fixture.recordEvents(webhook.workspaceId, count);
    await fixture.relay();
  }

  const scope = () => systemScope(webhook.workspaceId.toHexString());
  const payload = async () => ({
    workspaceId: webhook.workspaceId.toHexString(),
    webhookId: webhook._id.toHexString(),
    replayId: (await stored()).replayId.toHexString(),
  });
  const stored = () =>
    replays
      .findOne({ _id: webhook._id, workspaceId: webhook.workspaceId })
      .orFail()
      .lean<WebhookReplayRecord>()
      .orFail();
  const begin = () =>
    fixture.get(WebhookReplayService).start(scope(), webhook._id.toHexString(), {
      from: fixture.clock.in(-2 * MINUTE_MS).toISOString(),
      to: fixture.clock.now().toISOString(),
      scope: 'all',
    });
  const run = async (signal = new AbortController().signal) =>
    fixture.get(WebhookReplayService).run(await payload(), signal);
  const made = async () => (await fixture.log(webhook)).map(({ eventId }) => eventId.toHexString()).toSorted();

  describe('of many events', () => {
    beforeEach(() => undelivered(MANY));

    it('delivers each event once and schedules the work partition', async () => {
      await begin();
      expect(await fixture.nextAt(webhook)).toBeNull();
      await run();
      expect(await made()).toEqual(ids.toSorted());
      expect(await stored()).toMatchObject({ scheduled: MANY, completedAt: expect.any(Date) as unknown });
      expect((await stored()).openSince).toBeUndefined();
      expect((await fixture.nextAt(webhook))! <= fixture.clock.now()).toBe(true);
      await run();
      expect(await stored()).toMatchObject({ scheduled: MANY });
    });

    it('resumes after an interruption without counting an event twice', async () => {
      await begin();
      const deliveries = fixture.get(WebhookDeliveryRepository);
      const stop = new AbortController();
      const created = jest.spyOn(deliveries, 'createForReplay').mockImplementationOnce((...step) => {
        created.mockRestore();
        stop.abort();
        return deliveries.createForReplay(...step);
      });
      await expect(run(stop.signal)).rejects.toThrow('aborted');
      expect(await stored()).toMatchObject({ scheduled: 500, completedAt: null });
      await run();
      expect(await stored()).toMatchObject({ scheduled: MANY });
      expect(await made()).toEqual(ids.toSorted());
    });

    it('runs once with several concurrent workers', async () => {
      await begin();
      await Promise.all([run(), run(), run()]);
      // A worker that loses a step leaves the replay to the other worker.
      await run();
      expect(await stored()).toMatchObject({ scheduled: MANY, completedAt: expect.any(Date) as unknown });
      expect(await made()).toEqual(ids.toSorted());
    });
  });

  describe('of some events', () => {
    beforeEach(() => undelivered(FEW));

    it('restarts ended deliveries and keeps their attempts', async () => {
      await fixture.deliveries.insertMany(
        ids.slice(0, 3).map((eventId, at) => ({
          workspaceId: webhook.workspaceId,
          webhookId: webhook._id,
          eventId,
          type: 'email.sent',
          body: `body ${at}`,
          state: ['delivered', 'failed', 'pending'][at],
          attemptsMade: 4,
          attemptCount: 7,
          attempts: [],
          countedAs: ['delivered', 'failed', null][at],
          ...(at === 2 && { nextAttemptAt: fixture.clock.in(MINUTE_MS) }),
        })),
      );
      await begin();
      await run();
      expect(await stored()).toMatchObject({ scheduled: FEW - 1 });
      const log = await fixture.deliveries
        .find({ workspaceId: webhook.workspaceId, eventId: { $in: ids.slice(0, 3) } })
        .sort({ body: 1 })
        .lean();
      const due = (await stored()).startedAt;
      expect(log).toMatchObject([
        { body: 'body 0', state: 'pending', attemptsMade: 0, attemptCount: 7, countedAs: 'delivered' },
        { body: 'body 1', state: 'pending', attemptsMade: 0, attemptCount: 7, countedAs: 'failed' },
        { body: 'body 2', state: 'pending', attemptsMade: 4, attemptCount: 7, countedAs: null },
      ]);
      expect(log.map(({ nextAttemptAt }) => nextAttemptAt! < new Date(due.getTime() + MINUTE_MS / 2))).toEqual([
        true,
        true,
        false,
      ]);
    });

    it('ends when its webhook is deleted', async () => {
      await begin();
      const job = await payload();
      await fixture.get(WebhooksService).delete(scope(), webhook._id.toHexString());
      await fixture.get(WebhookReplayService).run(job, new AbortController().signal);
      expect(await made()).toEqual([]);
    });

    it('does not run with the job of an earlier replay or for a deleted workspace', async () => {
      await begin();
      const job = await payload();
      const forever = new AbortController().signal;
      const other = fixture.get(WebhookReplayService).run({ ...job, replayId: webhook._id.toHexString() }, forever);
      await other;
      fixture.deleted.add(webhook.workspaceId.toHexString());
      await run();
      expect(await stored()).toMatchObject({ scheduled: 0, completedAt: null });
    });

    it('is found by the sweep through an index while it is open', async () => {
      await begin();
      const { openSince } = await stored();
      expect(openSince).toBeInstanceOf(Date);
      const plan = await replays
        .find({ openSince: { $gt: new Date(0) } })
        .setOptions({ allWorkspaces: 'a test' })
        .explain();
      expect(JSON.stringify(plan)).toContain('"indexName":"openSince_1"');
      await run();
      expect(await fixture.get(WebhookReplayService).sweep()).toBe(0);
    });
  });
});
