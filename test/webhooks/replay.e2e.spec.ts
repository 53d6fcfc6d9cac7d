import { QueuesService } from '@platform/queues';
import { accepts, answers, TestReceiver } from '../../libs/domain/webhooks/testing';
import { expectFormA, expectFormB, inEachRow, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { auditedActions, dataOf, ID, ISO, MALFORMED_IDS, newMember, UNKNOWN_ID } from '../workspaces/people';
import { happened, recordsOf, storedDelivery } from './webhook-records';
import { Hook } from './webhooks';
import { type Replay } from './webhook-responses';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

describe('POST /v1/webhooks/:webhookId/replay', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;
  let receiver: TestReceiver;
  let hook: Hook;

  beforeAll(async () => {
    platform = await sharedPlatform({ worker: true });
  });
  beforeEach(async () => {
    platform.clock.reset();
    receiver = await TestReceiver.start();
    workspace = await platform.seed.workspace();
    hook = await Hook.make(platform, workspace, { url: receiver.url, retryAttempts: 0 });
  });
  afterEach(() => receiver.close());
  afterAll(() => platform.close());

  const ago = (ms: number) => platform.clock.in(-ms).toISOString();
  const post = (body: object) => hook.api.post(`${hook.path}/replay`).send(body);
  /** Replays everything so far, and waits for its end. */
  async function replayed(more: object = {}): Promise<Replay> {
    const { _id } = dataOf<Replay>(await post({ from: ago(DAY_MS), to: ago(0), ...more }).expect(202));
    await platform.drain();
    const { replay } = await hook.health();
    expect(replay).toMatchObject({ _id, completedAt: ISO });
    return replay!;
  }
  async function sent(count: number, answer = accepts): Promise<string[]> {
    receiver.answer = answer;
    const ids = await hook.happen(count);
    await hook.deliver();
    receiver.answer = accepts;
    return ids;
  }
  const received = () => receiver.ids.toSorted();
  /** Records events at these times without deliveries to the webhook. */
  async function unheard(...times: (Date | undefined)[]): Promise<string[]> {
    await hook.update({ status: 'inactive' });
    platform.clock.advance(10);
    const ids: string[] = [];
    for (const at of times) ids.push(...(await hook.happen(1, 'email.sent', at)));
    await hook.deliver();
    platform.clock.advance(10);
    await hook.update({ status: 'active' });
    return ids;
  }
  const NOW = undefined;

  it('answers 202 with the replay, which the webhook’s health shows', async () => {
    const [from, to] = [ago(DAY_MS), ago(MINUTE_MS)];
    const response = await post({ from, to });
    expect({ status: response.status, body: response.body as unknown }).toEqual({
      status: 202,
      body: {
        success: true,
        data: {
          _id: ID,
          webhookId: hook.made._id,
          from,
          to,
          scope: 'failed',
          scheduled: 0,
          startedAt: ISO,
          completedAt: null,
        },
      },
    });
    await platform.drain();
    const { replay } = await hook.health();
    expect(replay).toEqual({ ...dataOf<Replay>(response), completedAt: ISO });
    expect(await auditedActions(platform, workspace)).toContain('webhook.replayed');
    // The webhook itself is unchanged.
    expect(await hook.read()).toEqual(hook.made);
  });

  it('restarts failed deliveries, sends undelivered events for the first time, and skips delivered ones', async () => {
    const delivered = await sent(2);
    const failed = await sent(3, answers(500));
    const untold = await unheard(NOW, NOW);
    expect(await hook.stats()).toMatchObject({ totalDelivered: 2, totalFailed: 3 });
    const log = await hook.deliveries();
    expect(log).toHaveLength(5);
    receiver.received.length = 0;
    expect(await replayed()).toMatchObject({ scope: 'failed', scheduled: 5 });
    expect(received()).toEqual([...failed, ...untold].toSorted());
    expect(await hook.stats()).toMatchObject({ totalDelivered: 7, totalFailed: 0 });
    const after = await hook.deliveries();
    // An undelivered event gets a delivery; a delivered one keeps its own.
    const known = after.filter(({ eventId }) => !untold.includes(eventId));
    expect(known.map(({ _id }) => _id)).toEqual(log.map(({ _id }) => _id));
    const attempts = new Map(after.map(({ eventId, attemptCount, state }) => [eventId, { attemptCount, state }]));
    for (const id of [...delivered, ...untold])
      expect(attempts.get(id)).toEqual({ attemptCount: 1, state: 'delivered' });
    for (const id of failed) expect(attempts.get(id)).toEqual({ attemptCount: 2, state: 'delivered' });
    expect(attempts.size).toBe(7);
  });

  it('sends everything again on request, and counts each delivery once, by its final outcome', async () => {
    const all = [...(await sent(2)), ...(await sent(1, answers(500)))];
    receiver.received.length = 0;
    expect(await replayed({ scope: 'all' })).toMatchObject({ scope: 'all', scheduled: 3 });
    expect(received()).toEqual(all.toSorted());
    expect(await hook.stats()).toMatchObject({ totalDelivered: 3, totalFailed: 0 });
    // A delivered event that is rejected this time has failed.
    receiver.answer = answers(500);
    await replayed({ scope: 'all' });
    expect(await hook.stats()).toMatchObject({ totalDelivered: 0, totalFailed: 3 });
    receiver.answer = accepts;
    await replayed();
    expect(await hook.stats()).toMatchObject({ totalDelivered: 3, totalFailed: 0 });
  });

  it('leaves pending deliveries unchanged, and gives restarted ones all their attempts, by the schedule', async () => {
    await hook.update({ retryAttempts: 1 });
    const [id] = await sent(1, answers(500));
    const [delivery] = await hook.deliveries();
    receiver.received.length = 0;
    expect(await replayed({ scope: 'all' })).toMatchObject({ scheduled: 0 });
    expect(await hook.deliveries()).toEqual([delivery]);
    expect(receiver.received).toEqual([]);

    receiver.answer = answers(500);
    await hook.attemptNext(delivery!._id);
    expect(await hook.deliveries('?state=failed')).toMatchObject([{ eventId: id }]);
    await replayed();
    expect(await hook.delivery(delivery!._id)).toMatchObject({ state: 'pending', nextAttemptAt: ISO });
    expect(await hook.attemptNext(delivery!._id)).toMatchObject({ state: 'failed', nextAttemptAt: null });
    expect(await hook.stats()).toMatchObject({ totalDelivered: 0, totalFailed: 1 });
  });

  it('covers its window, start included and end excluded, and the webhook’s event types', async () => {
    const at = platform.clock.in(-10 * MINUTE_MS);
    const before = new Date(at.getTime() - 1);
    const until = new Date(at.getTime() + MINUTE_MS);
    await happened(platform, workspace, { type: 'email.bounced', at });
    const [earlier, first, last, later] = await unheard(before, at, new Date(until.getTime() - 1), until);
    const replay = await replayed({ from: at.toISOString(), to: until.toISOString() });
    expect(replay).toMatchObject({ scheduled: 2, from: at.toISOString(), to: until.toISOString() });
    expect(received()).toEqual([first!, last!].toSorted());

    // It ends at the present: later events are delivered anyway.
    receiver.received.length = 0;
    const { to, scheduled } = await replayed({ to: platform.clock.in(DAY_MS).toISOString() });
    expect(Date.parse(to)).toBeLessThanOrEqual(platform.clock.now().getTime());
    expect(scheduled).toBe(2);
    expect(received()).toEqual([earlier!, later!].toSorted());
  });

  it('runs one at a time', async () => {
    await storedDelivery(platform, hook.made);
    const { workspaceId } = workspace;
    const all = await Promise.all(Array.from({ length: 3 }, () => post({ from: ago(DAY_MS), to: ago(0) })));
    await platform.drain();
    // Another may begin after the first is done.
    for (const response of all.filter(({ status }) => status !== 202)) expectFormB(response, 409, 'CONFLICT');
    const openSince = platform.clock.now();
    await recordsOf(platform, 'WebhookReplayRecord').updateOne(
      { _id: hook.made._id, workspaceId },
      { $set: { openSince } },
    );
    expectFormB(await post({ from: ago(DAY_MS), to: ago(0) }), 409, 'CONFLICT');
    const other = await Hook.make(platform, workspace);
    await other.api
      .post(`${other.path}/replay`)
      .send({ from: ago(DAY_MS), to: ago(0) })
      .expect(202);
  });

  it('completes although its job was lost from Redis', async () => {
    await unheard(NOW, NOW);
    const queue = platform.app.get(QueuesService).get('webhook-replay');
    const add = jest.spyOn(queue, 'addBulk').mockRejectedValue(new Error('Redis was restarted'));
    await post({ from: ago(DAY_MS), to: ago(0) }).expect(202);
    add.mockRestore();
    await platform.tick();
    await platform.drain();
    expect((await hook.health()).replay).toMatchObject({ scheduled: 2, completedAt: ISO });
    expect(receiver.received).toHaveLength(2);
  });

  it('refuses an invalid window, and names the field', async () => {
    const cases: [object, string][] = [
      [{ from: undefined }, 'from'],
      [{ to: undefined }, 'to'],
      [{ from: '2026-11-20' }, 'from'],
      [{ to: 'now' }, 'to'],
      [{ from: ago(0), to: ago(MINUTE_MS) }, 'to'],
      [{ from: ago(30 * DAY_MS + MINUTE_MS) }, 'from'],
      [{ from: ago(-MINUTE_MS), to: ago(-2 * MINUTE_MS) }, 'from'],
      [{ scope: 'everything' }, 'scope'],
      [{ events: ['email.sent'] }, 'events'],
    ];
    await inEachRow(cases, async ([more, field]) => {
      expectFormB(await post({ from: ago(DAY_MS), to: ago(0), ...more }), 400, 'VALIDATION_ERROR', field);
    });
    const same = ago(MINUTE_MS);
    expectFormB(await post({ from: same, to: same }), 400, 'VALIDATION_ERROR', 'to');
    expect((await hook.health()).replay).toBeNull();
    await post({ from: ago(30 * DAY_MS - MINUTE_MS), to: ago(0) }).expect(202);
  });

  it('answers 409 while the webhook is inactive, 404 Form A to an unknown and a malformed id, and 403 to an unauthorised key', async () => {
    const body = { from: ago(DAY_MS), to: ago(0) };
    await hook.update({ status: 'inactive' });
    expectFormB(await post(body), 409, 'CONFLICT');
    expect((await hook.health()).replay).toBeNull();
    for (const id of [UNKNOWN_ID, ...MALFORMED_IDS]) {
      expectFormA(await hook.api.post(`/v1/webhooks/${id}/replay`).send(body), 404);
    }
    const member = await newMember(platform, workspace);
    const asMember = platform.api.as(member.key).in(workspace.workspaceId);
    expectFormA(await asMember.post(`${hook.path}/replay`).send(body), 403, 'permission');
  });
});
