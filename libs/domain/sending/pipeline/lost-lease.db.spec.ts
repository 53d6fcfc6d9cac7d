import { type LeaseHeartbeat, LeaseLostError, LeaseRenewalService } from '@platform/database';
import { SuppressionsService } from '@domain/suppressions';
import { refused } from '../testing/scripted-server';
import { SendingFixture } from '../testing/sending-fixture';
import { QueuedReplies } from '../testing/queued-replies';

const LEAD = 'ann@acme.test';

let engine: SendingFixture;
let mailboxId: string;

beforeAll(async () => {
  engine = await SendingFixture.open();
});
afterAll(() => engine.close());
beforeEach(async () => {
  await engine.fresh();
  mailboxId = await engine.mailbox();
  // The worker stalls at the server until its lease has expired, and another worker runs the mailbox.
  engine.server.onHandover = async () => {
    engine.server.onHandover = () => undefined;
    await engine.expire(mailboxId);
    await engine.run(mailboxId);
  };
});

describe('the server’s reply to a worker that has lost its lease meanwhile', () => {
  it('is the outcome of the email if the server accepted it', async () => {
    const campaignId = await engine.campaign([mailboxId], [LEAD]);
    await engine.run(mailboxId);
    expect(await engine.sends(LEAD)).toMatchObject([{ state: 'sent', attempt: 1, resolveAt: null }]);
    expect((await engine.sums(campaignId)).stats).toMatchObject({ sent: 1 });
  });

  it('is the outcome if the address does not exist: the lead is bounced and the address suppressed', async () => {
    const campaignId = await engine.campaign([mailboxId], [LEAD]);
    engine.server.answers.push(refused('permanent', 'handover', '550 5.1.1 user unknown'));
    await engine.run(mailboxId);
    expect(await engine.sends(LEAD)).toMatchObject([{ state: 'failed', resolveAt: null, lastReply: { code: '550' } }]);
    expect(await engine.lead(LEAD)).toMatchObject({ status: 'bounced', sendId: null });
    expect(await engine.get(SuppressionsService).isSuppressed(engine.workspaceId, LEAD)).toBe(true);
    expect((await engine.sums(campaignId)).stats).toMatchObject({ sent: 0, bounced: 1 });
  });

  it('is the outcome if the email is to be retried', async () => {
    await engine.campaign([mailboxId], [LEAD], { dailyLimit: 5 });
    engine.server.answers.push(refused('temporary', 'handover', '451 4.3.0 later'));
    await engine.run(mailboxId);
    expect(await engine.sends(LEAD)).toMatchObject([{ state: 'retry', attempt: 1, resolveAt: null }]);
    expect(await engine.lead(LEAD)).toMatchObject({ status: 'active', sendId: null });
    engine.clock.advance(2 * 60_000);
    await engine.run(mailboxId);
    expect(await engine.sends(LEAD)).toMatchObject([{ state: 'sent', attempt: 2 }]);
  });

  it('is the outcome of a reply too', async () => {
    const replies = new QueuedReplies(engine);
    const reply = await replies.queued(mailboxId, 'ada@elsewhere.test');
    engine.clock.advance(60_000);
    engine.server.answers.push(refused('permanent', 'handover', '550 5.1.1 user unknown'));
    await engine.run(mailboxId);
    expect(await replies.stateOf(reply)).toBe('failed');
  });
});

describe('a run that throws', () => {
  it('releases the lease, and the next run is due after 2, 4 and 8 seconds, until one succeeds', async () => {
    const owned = await engine.mailbox();
    await engine.campaign([owned], [LEAD]);
    engine.server.onHandover = () => undefined;
    const waits: number[] = [];
    for (let attempt = 0; attempt < 3; attempt += 1) {
      engine.server.beforeHandover = () => Promise.reject(new Error('out of memory'));
      await expect(engine.run(owned)).rejects.toThrow('out of memory');
      const { holder, nextAt } = await engine.leaseOf(owned);
      expect(holder).toBe('');
      waits.push(nextAt!.getTime() - engine.clock.now().getTime());
    }
    expect(waits).toEqual([2_000, 4_000, 8_000]);
    engine.server.beforeHandover = () => undefined;
    await engine.run(owned);
    expect(await engine.sends(LEAD)).toMatchObject([{ state: 'sent' }]);
    expect(await engine.leaseOf(owned)).not.toHaveProperty('failedRuns');
  });
});

describe('a run whose lease is not renewed any more', () => {
  it('begins no further email', async () => {
    const owned = await engine.mailbox();
    await engine.campaign([owned], [LEAD, 'bob@acme.test', 'cyd@acme.test']);
    const expired = new AbortController();
    jest
      .spyOn(engine.get(LeaseRenewalService), 'keep')
      .mockReturnValueOnce({ signal: expired.signal, isExpired: true, end: () => undefined } as LeaseHeartbeat);
    engine.server.onHandover = () => expired.abort(new LeaseLostError());
    await engine.run(owned);
    expect(engine.server.given).toHaveLength(1);
    engine.server.onHandover = () => undefined;
    await engine.run(owned);
    expect(engine.server.given).toHaveLength(3);
  });
});
