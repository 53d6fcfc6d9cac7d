import { InboxRepliesService, InboxReplyRecord } from '@domain/inbox';
import { MailboxDeletionService, MailboxUpdateService, MailboxRecord } from '@domain/mailboxes';
import { SuppressionsService } from '@domain/suppressions';
import { Types } from 'mongoose';
import { SendResolverService } from '../../resolve/send-resolver.service';
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
  await engine.get(SendResolverService).resolveReplies(new AbortController().signal, (error) => failures.push(error));
  expect(failures).toEqual([]);
};

describe('a reply', () => {
  it('is sent by the mailbox’s turn, threaded, without anything that is tracked', async () => {
    const reply = await replies.queued(mailboxId, ADA);
    expect(reply).toMatchObject({ status: 'queued', to: { address: ADA }, subject: 'Re: Your roadmap', attempts: 0 });
    await engine.turn(mailboxId);
    expect(engine.server.given).toMatchObject([{ to: ADA, messageId: reply.messageId }]);
    const { text } = engine.server.given[0]!;
    expect(text).toMatch(/^In-Reply-To: <answer-\d+@elsewhere\.test>\r$/m);
    expect(text).toMatch(/^References: <first@senders\.test>\s+<answer-\d+@elsewhere\.test>\r$/m);
    expect(text).not.toMatch(/List-Unsubscribe|<img|http/i);
    expect(text).toMatch(/Content-Type: text\/plain[^]*Gladly[^]*Content-Type: text\/html[^]*<p>Gladly<\/p>/);
    expect(await replies.of(reply)).toMatchObject({ state: 'sent', attempt: 1, sentAt: engine.clock.now() });
  });

  it('is in its conversation then, and counts for the mailbox and for no campaign', async () => {
    await engine.campaign([mailboxId], []);
    const reply = await replies.queued(mailboxId, ADA);
    await engine.turn(mailboxId);
    expect(await replies.said(reply)).toMatchObject([
      { kind: 'manual', replyId: new Types.ObjectId(reply._id), messageId: reply.messageId, text: 'Gladly' },
    ]);
    const conversations = engine.model<Record<string, unknown>>({ name: 'ConversationRecord' });
    const of = { _id: reply.conversationId, workspaceId: engine.workspaceId };
    expect(await conversations.findOne(of).lean()).toMatchObject({ lastDirection: 'sent', messageCount: 2 });
    expect(await figures()).toEqual({ totalSent: 1, totalBounced: 0 });
    expect(await engine.turnOf(mailboxId)).toMatchObject({ dayUsed: 1 });
    expect(await engine.events()).not.toContain('email.sent');
  });

  it('goes before anything of a campaign, whatever its window', async () => {
    const sendingSchedule = { timezone: 'UTC', startTime: '13:00', endTime: '14:00', workingDays: [3] };
    await engine.campaign([mailboxId], [LEAD], { sendingSchedule });
    await replies.queued(mailboxId, ADA);
    await engine.turn(mailboxId);
    expect(engine.recipients()).toEqual([ADA]);
    engine.clock.advance(HOUR);
    await replies.queued(mailboxId, 'bob@elsewhere.test');
    await engine.turn(mailboxId);
    expect(engine.recipients()).toEqual([ADA, 'bob@elsewhere.test', LEAD]);
  });

  it('wakes its mailbox, which has nothing more to do afterwards', async () => {
    await replies.queued(mailboxId, ADA);
    expect((await engine.turnOf(mailboxId)).nextAt).toEqual(engine.clock.now());
    await engine.turn(mailboxId);
    expect((await engine.turnOf(mailboxId)).nextAt).toBeNull();
  });

  it('is one of several at once that are sent in their order', async () => {
    for (const email of [ADA, 'bob@elsewhere.test', 'eve@elsewhere.test']) {
      await replies.queued(mailboxId, email);
      engine.clock.advance(1);
    }
    await engine.turn(mailboxId);
    expect(engine.recipients()).toEqual([ADA, 'bob@elsewhere.test', 'eve@elsewhere.test']);
  });
});

describe('a reply whose worker dies', () => {
  it('when it is claimed: is sent by the next turn, and counted once', async () => {
    const reply = await replies.queued(mailboxId, ADA);
    await engine.dies(mailboxId, 'beforeWire');
    expect(await replies.stateOf(reply)).toBe('claimed');
    expect(await engine.turnOf(mailboxId)).toMatchObject({ dayUsed: 1 });
    engine.clock.advance(MINUTE);
    await engine.turn(mailboxId);
    expect(engine.server.given).toMatchObject([{ to: ADA, messageId: reply.messageId }]);
    expect(await replies.of(reply)).toMatchObject({ state: 'sent', attempt: 1 });
    expect(await engine.turnOf(mailboxId)).toMatchObject({ dayUsed: 1 });
  });

  it('when its server was being given it: is looked for, and never given again', async () => {
    const reply = await replies.queued(mailboxId, ADA);
    await engine.dies(mailboxId, 'onWire');
    expect(await replies.stateOf(reply)).toBe('sending');
    engine.clock.advance(MINUTE);
    await engine.turn(mailboxId);
    expect(await replies.of(reply)).toMatchObject({ state: 'ambiguous', resolveAt: engine.clock.now() });
    engine.server.found = { state: 'sent', providerMessageId: 'p1', providerThreadId: null };
    await resolve();
    await engine.turn(mailboxId);
    expect(engine.server.given).toHaveLength(1);
    expect(await replies.of(reply)).toMatchObject({ state: 'sent', providerMessageId: 'p1' });
    expect(await replies.said(reply)).toMatchObject([{ messageId: reply.messageId, providerMessageId: 'p1' }]);
    expect(await figures()).toMatchObject({ totalSent: 1 });
  });

  it('over one that was taken back meanwhile: gives its share of the budget back', async () => {
    const reply = await replies.queued(mailboxId, ADA);
    await engine.dies(mailboxId, 'beforeWire');
    await engine.get(SuppressionsService).add(engine.workspace, { addresses: [ADA] }, { source: 'manual' });
    expect(await replies.stateOf(reply)).toBe('withheld');
    await engine.turn(mailboxId);
    expect(engine.server.given).toEqual([]);
    expect(await replies.stateOf(reply)).toBe('cancelled');
    expect(await engine.turnOf(mailboxId)).toMatchObject({ dayUsed: 0, lastSentAt: null });
  });
});

describe('a reply that got no answer', () => {
  const ambiguous = async () => {
    const reply = await replies.queued(mailboxId, ADA);
    engine.server.answers.push(refused('ambiguous', 'handover'));
    await engine.turn(mailboxId);
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
    expect(await replies.said(reply)).toHaveLength(1);
    await engine.turn(mailboxId);
    expect(engine.server.given).toHaveLength(1);
  });

  it('is tried again, as the same message, when it is proven that it was not sent', async () => {
    const reply = await ambiguous();
    engine.server.found = { state: 'not_sent' };
    await resolve();
    expect(await replies.stateOf(reply)).toBe('retry');
    await engine.turn(mailboxId);
    expect(engine.server.given.map(({ messageId }) => messageId)).toEqual([reply.messageId, reply.messageId]);
    expect(await replies.of(reply)).toMatchObject({ state: 'sent', attempt: 2 });
  });

  it('was sent when somebody answers it', async () => {
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

describe('a reply that its server does not take', () => {
  it('for now: is tried again later, as the same message', async () => {
    const reply = await replies.queued(mailboxId, ADA);
    engine.server.answers.push(refused('temporary', 'recipient', '451 4.3.0 Later'));
    await engine.turn(mailboxId);
    const { state, dueAt } = await replies.of(reply);
    expect(state).toBe('retry');
    expect((await engine.turnOf(mailboxId)).nextAt).toEqual(dueAt);
    engine.clock.freeze(dueAt);
    await engine.turn(mailboxId);
    expect(await replies.of(reply)).toMatchObject({ state: 'sent', attempt: 2, messageId: reply.messageId });
  });

  it('since nobody is there: fails, and the address is suppressed', async () => {
    const reply = await replies.queued(mailboxId, ADA);
    engine.server.answers.push(refused('permanent', 'recipient', '550 5.1.1 No such user'));
    await engine.turn(mailboxId);
    expect(await replies.of(reply)).toMatchObject({ state: 'failed', reason: '550 5.1.1 No such user' });
    expect(await engine.get(SuppressionsService).isSuppressed(engine.workspaceId, ADA)).toBe(true);
    expect(await figures()).toEqual({ totalSent: 0, totalBounced: 1 });
    expect(await replies.said(reply)).toEqual([]);
  });

  it('because of the sender: waits, and the mailbox is stopped', async () => {
    const reply = await replies.queued(mailboxId, ADA);
    engine.server.answers.push(refused('permanent', 'recipient', '550 5.7.1 Your mail is blocked as spam'));
    await engine.turn(mailboxId);
    expect(await replies.stateOf(reply)).toBe('retry');
    expect((await engine.turnOf(mailboxId)).stopped).not.toBeNull();
    expect(await engine.events()).toEqual(['mailbox.sending_stopped']);
    engine.clock.advance(MINUTE);
    await engine.turn(mailboxId);
    expect(engine.server.given).toHaveLength(0);
  });

  it('because it cannot be reached: waits as before, and nothing is taken from the budget', async () => {
    const reply = await replies.queued(mailboxId, ADA);
    engine.server.answers.push(refused('temporary', 'connect'));
    await engine.turn(mailboxId);
    expect(await replies.of(reply)).toMatchObject({ state: 'queued', attempt: 0 });
    expect(await engine.turnOf(mailboxId)).toMatchObject({ dayUsed: 0 });
  });
});

describe('a reply that must not be sent any more', () => {
  it.each([
    [
      'its address is suppressed',
      () => engine.get(SuppressionsService).add(engine.workspace, { addresses: [ADA] }, MANUAL),
    ],
    [
      'its domain is',
      () => engine.get(SuppressionsService).add(engine.workspace, { domains: ['elsewhere.test'] }, MANUAL),
    ],
    ['its mailbox is deleted', () => engine.get(MailboxDeletionService).delete(engine.workspace, mailboxId, {})],
  ])('is cancelled at once, while it waits: %s', async (_what, act) => {
    const reply = await replies.queued(mailboxId, ADA);
    await act();
    expect(await replies.stateOf(reply)).toBe('cancelled');
    if (_what !== 'its mailbox is deleted') await engine.turn(mailboxId);
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
  ])('is not given to the server either when it is claimed already: %s', async (_what, state, act) => {
    const reply = await replies.queued(mailboxId, ADA);
    engine.server.beforeWire = async () => {
      engine.server.beforeWire = () => undefined;
      await act();
    };
    await engine.turn(mailboxId);
    engine.clock.advance(MINUTE);
    if (state === 'queued' || _what.includes('address')) await engine.turn(mailboxId);
    expect(engine.server.given).toEqual([]);
    expect(await replies.stateOf(reply)).toBe(state);
  });

  it('is sent after all when its mailbox is resumed', async () => {
    const reply = await replies.queued(mailboxId, ADA);
    await engine.get(MailboxUpdateService).pause(engine.workspace, mailboxId);
    await engine.turn(mailboxId);
    expect(await replies.stateOf(reply)).toBe('queued');
    await engine.get(MailboxUpdateService).resume(engine.workspace, mailboxId);
    await engine.turn(mailboxId);
    expect(await replies.stateOf(reply)).toBe('sent');
  });

  it('is looked for when its mailbox is deleted and nobody knows what its server said', async () => {
    const reply = await replies.queued(mailboxId, ADA);
    await engine.dies(mailboxId, 'onWire');
    await engine.get(MailboxDeletionService).delete(engine.workspace, mailboxId, {});
    expect(await replies.stateOf(reply)).toBe('ambiguous');
    engine.clock.advance(7 * HOUR);
    await resolve();
    expect(await replies.stateOf(reply)).toBe('sent_unconfirmed');
    expect(engine.server.given).toHaveLength(1);
  });

  it('was sent when its mailbox is deleted while its server takes it', async () => {
    const reply = await replies.queued(mailboxId, ADA);
    engine.server.onWire = async () => {
      engine.server.onWire = () => undefined;
      await engine.get(MailboxDeletionService).delete(engine.workspace, mailboxId, {});
    };
    await engine.turn(mailboxId);
    expect(await replies.stateOf(reply)).toBe('sent');
    expect(engine.server.given).toHaveLength(1);
  });
});

describe('cancelling a reply', () => {
  const cancel = ({ conversationId, _id }: { conversationId: string; _id: string }) =>
    engine.get(InboxRepliesService).cancel(engine.workspace, conversationId, _id);

  it('takes back what waits, and is the same when repeated', async () => {
    const reply = await replies.queued(mailboxId, ADA);
    expect(await cancel(reply)).toMatchObject({ status: 'cancelled' });
    expect(await cancel(reply)).toMatchObject({ status: 'cancelled' });
    await engine.turn(mailboxId);
    expect(engine.server.given).toEqual([]);
  });

  it('is refused once a turn has it, and it is sent', async () => {
    const reply = await replies.queued(mailboxId, ADA);
    let error: unknown;
    engine.server.beforeWire = async () => {
      error = await cancel(reply).catch((thrown: unknown) => thrown);
    };
    await engine.turn(mailboxId);
    expect(error).toMatchObject({ code: 'CONFLICT' });
    expect(engine.server.given).toHaveLength(1);
    await expect(cancel(reply)).rejects.toMatchObject({ code: 'CONFLICT' });
  });
});

const MANUAL = { source: 'manual' } as const;

it('what a mailbox has to send is read by the index of what waits, past everything that was sent', async () => {
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
  await engine.turn(mailboxId);
  const filter: unknown = find.mock.calls[0]![0];
  find.mockRestore();
  const plan = await model.find(filter as never).explain('executionStats');
  expect(JSON.stringify(plan)).toContain('"indexName":"workspaceId_1_mailboxId_1_dueAt_1__id_1"');
  const { executionStats } = plan as unknown as { executionStats: { totalDocsExamined: number } };
  expect(executionStats.totalDocsExamined).toBeLessThanOrEqual(1);
});
