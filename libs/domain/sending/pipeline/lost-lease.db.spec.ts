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
