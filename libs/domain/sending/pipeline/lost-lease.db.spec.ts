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
  // The worker stalls with the server until its lease is over, and another one takes the mailbox's turn.
  engine.server.onWire = async () => {
    engine.server.onWire = () => undefined;
    await engine.expire(mailboxId);
    await engine.turn(mailboxId);
  };
});

describe('the answer of a server to a worker that has lost its turn meanwhile', () => {
  it('is what became of the email when it was taken', async () => {
    const campaignId = await engine.campaign([mailboxId], [LEAD]);
    await engine.turn(mailboxId);
    expect(await engine.sends(LEAD)).toMatchObject([{ state: 'sent', attempt: 1, resolveAt: null }]);
    expect((await engine.sums(campaignId)).stats).toMatchObject({ sent: 1 });
  });

  it('is so when there is nobody: the lead is bounced and the address suppressed', async () => {
    const campaignId = await engine.campaign([mailboxId], [LEAD]);
    engine.server.answers.push(refused('permanent', 'handover', '550 5.1.1 user unknown'));
    await engine.turn(mailboxId);
    expect(await engine.sends(LEAD)).toMatchObject([{ state: 'failed', resolveAt: null, lastReply: { code: '550' } }]);
    expect(await engine.lead(LEAD)).toMatchObject({ status: 'bounced', sendId: null });
    expect(await engine.get(SuppressionsService).isSuppressed(engine.workspaceId, LEAD)).toBe(true);
    expect((await engine.sums(campaignId)).stats).toMatchObject({ sent: 0, bounced: 1 });
  });

  it('is so when it is to be tried again', async () => {
    await engine.campaign([mailboxId], [LEAD], { dailyLimit: 5 });
    engine.server.answers.push(refused('temporary', 'handover', '451 4.3.0 later'));
    await engine.turn(mailboxId);
    expect(await engine.sends(LEAD)).toMatchObject([{ state: 'retry', attempt: 1, resolveAt: null }]);
    expect(await engine.lead(LEAD)).toMatchObject({ status: 'active', sendId: null });
    engine.clock.advance(2 * 60_000);
    await engine.turn(mailboxId);
    expect(await engine.sends(LEAD)).toMatchObject([{ state: 'sent', attempt: 2 }]);
  });

  it('is so for a reply, too', async () => {
    const replies = new QueuedReplies(engine);
    const reply = await replies.queued(mailboxId, 'ada@elsewhere.test');
    engine.clock.advance(60_000);
    engine.server.answers.push(refused('permanent', 'handover', '550 5.1.1 user unknown'));
    await engine.turn(mailboxId);
    expect(await replies.stateOf(reply)).toBe('failed');
  });
});
