import { MailSessionPool } from '@adapters/mail';
import { EventRecord } from '@domain/events';
import { InboxRepliesService, MailIntakeService } from '@domain/inbox';
import { MailboxRecord } from '@domain/mailboxes';
import { FakeMailDriver } from '../../../adapters/mail/testing';
import { HOUR, MINUTE, SendingFixture } from '../testing/sending-fixture';

const LEAD = 'ann@acme.test';

let engine: SendingFixture;
let driver: FakeMailDriver;
let mailboxId: string;
let campaignId: string;
let serial = 0;

beforeAll(async () => {
  engine = await SendingFixture.open();
  driver = new FakeMailDriver();
  // Incoming mail comes from a mailbox; outgoing mail gets the replies of the spec.
  jest.spyOn(engine.get(MailSessionPool), 'use').mockImplementation(({ id, revision, email }, work) => {
    const scripted = engine.server.session();
    const inbox = driver.open({ kind: 'fake', id, revision, email });
    const session = new Proxy(inbox, {
      get: (target, key: keyof typeof inbox) => {
        const owner = key === 'send' || key === 'findSent' ? scripted : target;
        const member: unknown = owner[key];
        return typeof member === 'function' ? (member.bind(owner) as unknown) : member;
      },
    });
    return work(session);
  });
});
afterAll(() => engine.close());

beforeEach(async () => {
  await engine.fresh();
  mailboxId = await engine.mailbox();
  await read();
  const more = { body: '<p>More</p>', delay: { value: 1, unit: 'days' as const, workingDaysOnly: false } };
  campaignId = await engine.campaign([mailboxId], [LEAD], {
    sequence: [
      { subject: 'Your roadmap', body: '<p>First</p>' },
      { subject: '', ...more },
      { subject: '', ...more },
    ],
  });
  await engine.run(mailboxId);
  expect(engine.recipients()).toEqual([LEAD]);
  engine.clock.advance(24 * HOUR);
});

const mailbox = () =>
  engine
    .model<MailboxRecord>(MailboxRecord)
    .findOne({ _id: mailboxId, workspaceId: engine.workspaceId })
    .orFail()
    .lean<MailboxRecord>();

/** The lead answers; the mailbox has not been read since. */
async function answers(text = 'Who else uses it?', more = ''): Promise<void> {
  const { email } = await mailbox();
  serial += 1;
  const [first] = await engine.sends(LEAD);
  const raw =
    `From: Ann <${LEAD}>\nTo: ${email}\nMessage-ID: <a-${serial}@acme.test>\nSubject: Re: Your roadmap\n${more}` +
    `In-Reply-To: ${first!.messageId}\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n${text}\n`;
  const at = engine.clock.now();
  await driver.mailbox(email).deliver(Buffer.from(raw.replaceAll('\n', '\r\n')), 'inbox', at);
}

async function read(): Promise<void> {
  engine.clock.advance(1_000);
  await engine.get(MailIntakeService).ensureFresh(await mailbox(), 0, AbortSignal.timeout(10_000));
}

const countEvents = async (type: EventRecord['type']) =>
  engine.model<EventRecord>(EventRecord).countDocuments({ workspaceId: engine.workspaceId, type });

describe('an answer that arrives before a follow-up', () => {
  it('stops the follow-up, although the mailbox has not been read since', async () => {
    await answers();
    await engine.run(mailboxId);
    expect(engine.recipients()).toEqual([LEAD]);
    expect(await engine.lead(LEAD)).toMatchObject({ status: 'completed', stopReason: 'replied' });
    expect(await engine.stateOf(LEAD)).toBe('planned');
    expect(await engine.leaseOf(mailboxId)).toMatchObject({ dayUsed: 0 });
  });

  it('stops the follow-up if the answer is read while the server is contacted', async () => {
    engine.server.beforeHandover = async () => {
      await answers();
      await read();
    };
    await engine.run(mailboxId);
    expect(engine.recipients()).toEqual([LEAD]);
    expect(await engine.lead(LEAD)).toMatchObject({ status: 'completed', stopReason: 'replied' });
  });

  it('does not stop the follow-up if it is an auto-reply', async () => {
    await answers('Ticket 4711 was opened', 'Auto-Submitted: auto-replied\nX-Auto-Response-Suppress: All\n');
    await engine.run(mailboxId);
    engine.clock.advance(24 * HOUR);
    await engine.run(mailboxId);
    expect(engine.server.given.length).toBeGreaterThan(1);
  });
});

describe('an answer that arrives during the handover of the follow-up', () => {
  it('is too late for this follow-up: events record both, and no further email follows', async () => {
    engine.server.onHandover = async () => {
      engine.server.onHandover = () => undefined;
      await answers();
      await read();
    };
    await engine.run(mailboxId);
    expect(engine.recipients()).toEqual([LEAD, LEAD]);
    expect(await engine.sends(LEAD)).toMatchObject([{ state: 'sent' }, { state: 'sent' }]);
    expect(await engine.lead(LEAD)).toMatchObject({ status: 'completed', stopReason: 'replied', sentCount: 2 });
    expect([
      await countEvents('email.sent'),
      await countEvents('email.replied'),
      await countEvents('lead.completed'),
    ]).toEqual([2, 1, 1]);
    expect((await engine.sums(campaignId)).stats).toMatchObject({ sent: 2, replied: 1 });
    engine.clock.advance(48 * HOUR);
    await engine.run(mailboxId);
    expect(engine.server.given).toHaveLength(2);
  });
});

it('a reply of a person is sent although the campaign sends nothing more', async () => {
  await answers();
  await read();
  const conversations = engine.model<{ _id: unknown }>({ name: 'ConversationRecord' });
  const { _id } = await conversations.findOne({ workspaceId: engine.workspaceId }).orFail();
  await engine.get(InboxRepliesService).create(engine.workspace, String(_id), { text: 'Everybody does' });
  engine.clock.advance(MINUTE);
  await engine.run(mailboxId);
  expect(engine.server.given.slice(1)).toMatchObject([{ to: LEAD }]);
  expect(engine.server.given[1]?.text).toContain('Everybody does');
  expect((await engine.sums(campaignId)).stats).toMatchObject({ sent: 1 });
});
