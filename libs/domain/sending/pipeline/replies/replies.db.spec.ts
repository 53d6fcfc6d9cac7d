import { InboxRepliesService, InboxReplyRecord } from '@domain/inbox';
import { MailboxDeletionService, MailboxUpdateService, MailboxRecord } from '@domain/mailboxes';
import { SuppressionsService } from '@domain/suppressions';
import { Types } from 'mongoose';
import { SendResolverService } from '../send-resolver.service';
import { refused } from '../../testing/scripted-server';
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
beforeEach(async () => {
  await engine.fresh();
  mailboxId = await engine.mailbox();
});

const figures = async () => {
  const { workspaceId } = engine;
  const model = engine.model<MailboxRecord>(MailboxRecord);
  const { totalSent, totalBounced } = await model
    .findOne({ _id: mailboxId, workspaceId })
    .orFail()
    .lean<MailboxRecord>();
  return { totalSent, totalBounced };
};
const resolve = async () => {
  const failures: unknown[] = [];
  await engine.get(SendResolverService).resolve(new AbortController().signal, (error) => failures.push(error));
  expect(failures).toEqual([]);
};

describe('a reply', () => {
  it('is sent in the mailbox’s run, in its thread, without tracking', async () => {
    const reply = await replies.queued(mailboxId, ADA);
    expect(reply).toMatchObject({ status: 'queued', to: { address: ADA }, subject: 'Re: Your roadmap', attempts: 0 });
    await engine.run(mailboxId);
    expect(engine.server.given).toMatchObject([{ to: ADA, messageId: reply.messageId }]);
    const { text } = engine.server.given[0]!;
    expect(text).toMatch(/^In-Reply-To: <answer-\d+@elsewhere\.test>\r$/m);
    expect(text).toMatch(/^References: <first@senders\.test>\s+<answer-\d+@elsewhere\.test>\r$/m);
    expect(text).not.toMatch(/List-Unsubscribe|<img|http/i);
    expect(text).toMatch(/Content-Type: text\/plain[^]*Gladly[^]*Content-Type: text\/html[^]*<p>Gladly<\/p>/);
    expect(await replies.of(reply)).toMatchObject({ state: 'sent', attempt: 1, sentAt: engine.clock.now() });
  });

  it('is then in its conversation, and counts for the mailbox and for no campaign', async () => {
    await engine.campaign([mailboxId], []);
    const reply = await replies.queued(mailboxId, ADA);
    await engine.run(mailboxId);
    expect(await replies.messages(reply)).toMatchObject([
      { kind: 'manual', replyId: new Types.ObjectId(reply._id), messageId: reply.messageId, text: 'Gladly' },
    ]);
    const conversations = engine.model<Record<string, unknown>>({ name: 'ConversationRecord' });
    const of = { _id: reply.conversationId, workspaceId: engine.workspaceId };
    expect(await conversations.findOne(of).lean()).toMatchObject({ lastDirection: 'sent', messageCount: 2 });
    expect(await figures()).toEqual({ totalSent: 1, totalBounced: 0 });
    expect(await engine.leaseOf(mailboxId)).toMatchObject({ dayUsed: 1 });
    expect(await engine.events()).not.toContain('email.sent');
  });

  it('is sent before any campaign email, regardless of sending windows', async () => {
    const sendingSchedule = { timezone: 'UTC', startTime: '13:00', endTime: '14:00', workingDays: [3] };
    await engine.campaign([mailboxId], [LEAD], { sendingSchedule });
    await replies.queued(mailboxId, ADA);
    await engine.run(mailboxId);
    expect(engine.recipients()).toEqual([ADA]);
    engine.clock.advance(HOUR);
    await replies.queued(mailboxId, 'bob@elsewhere.test');
    await engine.run(mailboxId);
    expect(engine.recipients()).toEqual([ADA, 'bob@elsewhere.test', LEAD]);
  });

  it('schedules a run of its mailbox, after which no further run is scheduled', async () => {
    await replies.queued(mailboxId, ADA);
    expect((await engine.leaseOf(mailboxId)).nextAt).toEqual(engine.clock.now());
    await engine.run(mailboxId);
    expect((await engine.leaseOf(mailboxId)).nextAt).toBeUndefined();
  });

  it('is sent in its order among several concurrent ones', async () => {
    for (const email of [ADA, 'bob@elsewhere.test', 'eve@elsewhere.test']) {
      await replies.queued(mailboxId, email);
      engine.clock.advance(1);
    }
    await engine.run(mailboxId);
    expect(engine.recipients()).toEqual([ADA, 'bob@elsewhere.test', 'eve@elsewhere.test']);
  });
});

describe('a reply whose worker crashes', () => {
  it('after its claim: is sent by the next run, and counted once', async () => {
    const reply = await replies.queued(mailboxId, ADA);
    await engine.crash(mailboxId, 'beforeHandover');
    expect(await replies.stateOf(reply)).toBe('claimed');
    expect(await engine.leaseOf(mailboxId)).toMatchObject({ dayUsed: 1 });
    engine.clock.advance(MINUTE);
    await engine.run(mailboxId);
    expect(engine.server.given).toMatchObject([{ to: ADA, messageId: reply.messageId }]);
    expect(await replies.of(reply)).toMatchObject({ state: 'sent', attempt: 1 });
    expect(await engine.leaseOf(mailboxId)).toMatchObject({ dayUsed: 1 });
  });

  it('during its handover: is resolved, and never handed over again', async () => {
    const reply = await replies.queued(mailboxId, ADA);
    await engine.crash(mailboxId, 'onHandover');
    expect(await replies.stateOf(reply)).toBe('sending');
    engine.clock.advance(MINUTE);
    await engine.run(mailboxId);
    expect(await replies.of(reply)).toMatchObject({ state: 'ambiguous', resolveAt: engine.clock.now() });
    engine.server.found = { state: 'sent', providerMessageId: 'p1', providerThreadId: null };
    await resolve();
    await engine.run(mailboxId);
    expect(engine.server.given).toHaveLength(1);
    expect(await replies.of(reply)).toMatchObject({ state: 'sent', providerMessageId: 'p1' });
    expect(await replies.messages(reply)).toMatchObject([{ messageId: reply.messageId, providerMessageId: 'p1' }]);
    expect(await figures()).toMatchObject({ totalSent: 1 });
  });

  it('and that was withheld meanwhile: returns its token', async () => {
    const reply = await replies.queued(mailboxId, ADA);
    await engine.crash(mailboxId, 'beforeHandover');
    await engine.get(SuppressionsService).add(engine.workspace, { addresses: [ADA] }, { source: 'manual' });
    expect(await replies.stateOf(reply)).toBe('withheld');
    await engine.run(mailboxId);
    expect(engine.server.given).toEqual([]);
    expect(await replies.stateOf(reply)).toBe('cancelled');
    expect(await engine.leaseOf(mailboxId)).toMatchObject({ dayUsed: 0, lastSentAt: null });
  });
});

describe('an ambiguous reply', () => {
  const ambiguous = async () => {
    const reply = await replies.queued(mailboxId, ADA);
    engine.server.answers.push(refused('ambiguous', 'handover'));
    await engine.run(mailboxId);
    expect(await replies.stateOf(reply)).toBe('ambiguous');
    engine.clock.advance(MINUTE);
    return reply;
  };

  it('counts as sent after six hours without proof', async () => {
    const reply = await ambiguous();
    await resolve();
    expect(await replies.stateOf(reply)).toBe('ambiguous');
    engine.clock.advance(6 * HOUR);
    await resolve();
    expect(await replies.stateOf(reply)).toBe('sent_unconfirmed');
    expect(await replies.messages(reply)).toHaveLength(1);
    await engine.run(mailboxId);
    expect(engine.server.given).toHaveLength(1);
  });

  it('is retried as the same message if it was provably not sent', async () => {
    const reply = await ambiguous();
    engine.server.found = { state: 'not_sent' };
    await resolve();
    expect(await replies.stateOf(reply)).toBe('retry');
    await engine.run(mailboxId);
    expect(engine.server.given.map(({ messageId }) => messageId)).toEqual([reply.messageId, reply.messageId]);
    expect(await replies.of(reply)).toMatchObject({ state: 'sent', attempt: 2 });
  });

  it('counts as sent if the person answers it', async () => {
    const reply = await ambiguous();
    const { workspaceId, mailboxId: mailbox, conversationId } = await replies.of(reply);
    const at = engine.clock.now();
    const answer = { workspaceId, mailboxId: mailbox, conversationId, direction: 'received', kind: 'reply', at };
    await engine.model({ name: 'ConversationMessageRecord' }).create({ ...answer, inReplyTo: reply.messageId });
    await resolve();
    expect(await replies.stateOf(reply)).toBe('sent');
    expect(engine.server.lookups).toBe(0);
  });
});

describe('a reply that its server does not accept', () => {
  it('is retried later as the same message after a temporary refusal', async () => {
    const reply = await replies.queued(mailboxId, ADA);
    engine.server.answers.push(refused('temporary', 'recipient', '451 4.3.0 Later'));
    await engine.run(mailboxId);
    const { state, dueAt } = await replies.of(reply);
    expect(state).toBe('retry');
    expect((await engine.leaseOf(mailboxId)).nextAt).toEqual(dueAt);
    engine.clock.freeze(dueAt);
    await engine.run(mailboxId);
    expect(await replies.of(reply)).toMatchObject({ state: 'sent', attempt: 2, messageId: reply.messageId });
  });

  it('fails if the address does not exist, and the address is suppressed', async () => {
    const reply = await replies.queued(mailboxId, ADA);
    engine.server.answers.push(refused('permanent', 'recipient', '550 5.1.1 No such user'));
    await engine.run(mailboxId);
    expect(await replies.of(reply)).toMatchObject({ state: 'failed', reason: '550 5.1.1 No such user' });
    expect(await engine.get(SuppressionsService).isSuppressed(engine.workspaceId, ADA)).toBe(true);
    expect(await figures()).toEqual({ totalSent: 0, totalBounced: 1 });
    expect(await replies.messages(reply)).toEqual([]);
  });

  it('waits after a refusal of the sender, and the mailbox is stopped', async () => {
    const reply = await replies.queued(mailboxId, ADA);
    engine.server.answers.push(refused('permanent', 'recipient', '550 5.7.1 Your mail is blocked as spam'));
    await engine.run(mailboxId);
    expect(await replies.stateOf(reply)).toBe('retry');
    expect((await engine.leaseOf(mailboxId)).stopped).not.toBeNull();
    expect(await engine.events()).toEqual(['mailbox.sending_stopped']);
    engine.clock.advance(MINUTE);
    await engine.run(mailboxId);
    expect(engine.server.given).toHaveLength(0);
  });

  it('waits unchanged if the server cannot be reached, without use of the budget', async () => {
    const reply = await replies.queued(mailboxId, ADA);
    engine.server.answers.push(refused('temporary', 'connect'));
    await engine.run(mailboxId);
    expect(await replies.of(reply)).toMatchObject({ state: 'queued', attempt: 0 });
    expect(await engine.leaseOf(mailboxId)).toMatchObject({ dayUsed: 0 });
  });
});

describe('a reply that must not be sent any more', () => {
  it.each([
    [
      'its address is suppressed',
      () => engine.get(SuppressionsService).add(engine.workspace, { addresses: [ADA] }, MANUAL),
    ],
    [
      'its domain is suppressed',
      () => engine.get(SuppressionsService).add(engine.workspace, { domains: ['elsewhere.test'] }, MANUAL),
    ],
    ['its mailbox is deleted', () => engine.get(MailboxDeletionService).delete(engine.workspace, mailboxId, {})],
  ])('is cancelled at once while it waits: %s', async (_what, act) => {
    const reply = await replies.queued(mailboxId, ADA);
    await act();
    expect(await replies.stateOf(reply)).toBe('cancelled');
    if (_what !== 'its mailbox is deleted') await engine.run(mailboxId);
    expect(engine.server.given).toEqual([]);
  });

  it.each([
    [
      'its address is suppressed',
      'cancelled',
      () => engine.get(SuppressionsService).add(engine.workspace, { addresses: [ADA] }, MANUAL),
    ],
    ['its mailbox is paused', 'queued', () => engine.get(MailboxUpdateService).pause(engine.workspace, mailboxId)],
    [
      'its mailbox is deleted',
      'cancelled',
      () => engine.get(MailboxDeletionService).delete(engine.workspace, mailboxId, {}),
    ],
  ])('is not handed over if it is already claimed: %s', async (_what, state, act) => {
    const reply = await replies.queued(mailboxId, ADA);
    engine.server.beforeHandover = async () => {
      engine.server.beforeHandover = () => undefined;
      await act();
    };
    await engine.run(mailboxId);
    engine.clock.advance(MINUTE);
    if (state === 'queued' || _what.includes('address')) await engine.run(mailboxId);
    expect(engine.server.given).toEqual([]);
    expect(await replies.stateOf(reply)).toBe(state);
  });

  it('is sent after all when its mailbox is resumed', async () => {
    const reply = await replies.queued(mailboxId, ADA);
    await engine.get(MailboxUpdateService).pause(engine.workspace, mailboxId);
    await engine.run(mailboxId);
    expect(await replies.stateOf(reply)).toBe('queued');
    await engine.get(MailboxUpdateService).resume(engine.workspace, mailboxId);
    await engine.run(mailboxId);
    expect(await replies.stateOf(reply)).toBe('sent');
  });

  it('is resolved if its mailbox is deleted before the server’s reply is known', async () => {
    const reply = await replies.queued(mailboxId, ADA);
    await engine.crash(mailboxId, 'onHandover');
    await engine.get(MailboxDeletionService).delete(engine.workspace, mailboxId, {});
    expect(await replies.stateOf(reply)).toBe('ambiguous');
    engine.clock.advance(7 * HOUR);
    await resolve();
    expect(await replies.stateOf(reply)).toBe('sent_unconfirmed');
    expect(engine.server.given).toHaveLength(1);
  });

  it('counts as sent if its mailbox is deleted while the server accepts it', async () => {
    const reply = await replies.queued(mailboxId, ADA);
    engine.server.onHandover = async () => {
      engine.server.onHandover = () => undefined;
      await engine.get(MailboxDeletionService).delete(engine.workspace, mailboxId, {});
    };
    await engine.run(mailboxId);
    expect(await replies.stateOf(reply)).toBe('sent');
    expect(engine.server.given).toHaveLength(1);
  });
});

describe('cancelling a reply', () => {
  const cancel = ({ conversationId, _id }: { conversationId: string; _id: string }) =>
    engine.get(InboxRepliesService).cancel(engine.workspace, conversationId, _id);

  it('withdraws a waiting reply, and has no further effect when repeated', async () => {
    const reply = await replies.queued(mailboxId, ADA);
    expect(await cancel(reply)).toMatchObject({ status: 'cancelled' });
    expect(await cancel(reply)).toMatchObject({ status: 'cancelled' });
    await engine.run(mailboxId);
    expect(engine.server.given).toEqual([]);
  });

  it('is refused once a run has claimed the reply, and the reply is sent', async () => {
    const reply = await replies.queued(mailboxId, ADA);
    let error: unknown;
    engine.server.beforeHandover = async () => {
      error = await cancel(reply).catch((thrown: unknown) => thrown);
    };
    await engine.run(mailboxId);
    expect(error).toMatchObject({ code: 'CONFLICT' });
    expect(engine.server.given).toHaveLength(1);
    await expect(cancel(reply)).rejects.toMatchObject({ code: 'CONFLICT' });
  });
});

const MANUAL = { source: 'manual' } as const;

it('the replies that a mailbox must send are read by the index of open replies, without reading sent ones', async () => {
  const workspaceId = new Types.ObjectId(engine.workspaceId);
  const of = { workspaceId, mailboxId: new Types.ObjectId(mailboxId) };
  const sent = { ...of, conversationId: new Types.ObjectId(), from: { name: '', address: 'a@b.test' } };
  const model = engine.model<InboxReplyRecord>(InboxReplyRecord);
  await model.insertMany(
    Array.from({ length: 500 }, (_, index) => ({
      ...sent,
      to: sent.from,
      email: 'a@b.test',
      messageId: `<${index}@b.test>`,
      state: 'sent',
      dueAt: engine.clock.now(),
      createdBy: { kind: 'system', userId: null, keyId: null },
    })),
  );
  await replies.queued(mailboxId, ADA);
  const find = jest.spyOn(model, 'find');
  await engine.run(mailboxId);
  const filter: unknown = find.mock.calls[0]![0];
  find.mockRestore();
  const plan = await model.find(filter as never).explain('executionStats');
  expect(JSON.stringify(plan)).toContain('"indexName":"workspaceId_1_mailboxId_1_dueAt_1__id_1"');
  const { executionStats } = plan as unknown as { executionStats: { totalDocsExamined: number } };
  expect(executionStats.totalDocsExamined).toBeLessThanOrEqual(1);
});
