import { MailboxFiguresService } from '@domain/mailboxes';
import { Types } from 'mongoose';
import { HOUR, MINUTE, SendingFixture } from '../../testing/sending-fixture';
import { QueuedReplies } from '../../testing/queued-replies';

const ADA = 'ada@elsewhere.test';
const LEAD = 'ann@acme.test';

let engine: SendingFixture;
let replies: QueuedReplies;
let mailboxId: string;

beforeAll(async () => {
  engine = await SendingFixture.open();
  replies = new QueuedReplies(engine);
});
afterAll(() => engine.close());
beforeEach(() => engine.fresh());

describe('limits of replies', () => {
  it('a reply observes the gap and the limits of its mailbox, and its run is scheduled for their end', async () => {
    mailboxId = await engine.mailbox({ sendGapSeconds: 60, dailySendLimit: 2 });
    for (const email of [ADA, 'bob@elsewhere.test', 'eve@elsewhere.test']) await replies.queued(mailboxId, email);
    await engine.run(mailboxId);
    expect(engine.server.given).toHaveLength(1);
    expect((await engine.leaseOf(mailboxId)).nextAt).toEqual(engine.clock.in(MINUTE));
    engine.clock.advance(MINUTE - 1);
    await engine.run(mailboxId);
    expect(engine.server.given).toHaveLength(1);
    engine.clock.advance(1);
    await engine.run(mailboxId);
    engine.clock.advance(HOUR);
    await engine.run(mailboxId);
    expect(engine.server.given).toHaveLength(2);
    expect((await engine.leaseOf(mailboxId)).nextAt).not.toBeNull();
    engine.clock.advance(25 * HOUR);
    await engine.run(mailboxId);
    expect(engine.server.given).toHaveLength(3);
  });

  it('replies use the same budget as campaigns', async () => {
    mailboxId = await engine.mailbox({ dailySendLimit: 2 });
    await engine.campaign([mailboxId], [LEAD, 'bob@acme.test']);
    await replies.queued(mailboxId, ADA);
    await engine.run(mailboxId);
    expect(engine.recipients()).toEqual([ADA, LEAD]);
    const sent = await engine
      .get(MailboxFiguresService)
      .sentToday(engine.workspace, [{ _id: new Types.ObjectId(mailboxId), timezone: 'UTC' }]);
    expect([...sent.values()]).toEqual([2]);
  });

  it('a reply may use warmup’s share as soon as the gap is over', async () => {
    mailboxId = await engine.mailbox({ dailySendLimit: 3, sendGapSeconds: 60 });
    await engine.changeMailbox(mailboxId, { 'warmup.share': { mails: 2, weekdaysOnly: false } });
    await engine.campaign([mailboxId], [LEAD, 'bob@acme.test']);
    await engine.run(mailboxId);
    expect(engine.recipients()).toEqual([LEAD]);
    await replies.queued(mailboxId, ADA);
    await engine.run(mailboxId);
    expect((await engine.leaseOf(mailboxId)).nextAt).toEqual(engine.clock.in(MINUTE));
    engine.clock.advance(MINUTE);
    await engine.run(mailboxId);
    expect(engine.recipients()).toEqual([LEAD, ADA]);
  });
});
