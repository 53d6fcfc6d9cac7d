import { MailboxSenderService } from '@domain/sending';
import { MailboxLeaseService } from '@domain/sends';
import { type GmailServer } from '../../libs/adapters/mail/testing';
import { expectFormA, expectFormB } from '../harness';
import { dataOf, ID, ISO, MALFORMED_IDS, UNKNOWN_ID } from '../workspaces/people';
import { type Conversation } from './inbox-responses';
import { Inboxes } from './inboxes';
import { type VendorInbox } from './vendor-inbox';
import { mailFrom } from './received-mail';

interface Reply {
  _id: string;
  status: string;
  messageId: string;
  to: { name: string; address: string };
  [field: string]: unknown;
}

type GmailMailbox = ReturnType<GmailServer['mailbox']>;

const MINUTE_MS = 60_000;

let mine: Inboxes;
let google: VendorInbox;
/** Another mailbox, whose sender never runs: its replies stay queued. */
let idle: VendorInbox;
/** A conversation of that mailbox. */
let waiting: Conversation;
/** The campaign that wrote to every lead. */
let campaignId: string;
let serial = 0;
/** Calls that returned the mailboxes at Google. */
let boxes: jest.SpyInstance<GmailMailbox, [string, Iterable<string>]>;

beforeAll(async () => {
  mine = await Inboxes.start();
  boxes = jest.spyOn(mine.gmail, 'mailbox');
  google = await mine.connect('google');
  await withoutGap(google);
  campaignId = await mine.campaign(google.mailboxId);
  idle = await mine.connect('google');
  waiting = await answeredAtIdle();
});
afterAll(() => mine.close());

const answeredTo = (mailbox: VendorInbox, more: { replyTo?: string } = {}) =>
  mine.answered(mailbox, `ada-${(serial += 1)}@acme.test`, { campaignId, ...more });
const answered = (more: { replyTo?: string } = {}) => answeredTo(google, more);
const answeredAtIdle = (more: { replyTo?: string } = {}) => answeredTo(idle, more);
const ask = (conversationId: string, body: object = { body: '<p>Gladly</p>' }) =>
  mine.api.post(`/v1/inbox/${conversationId}/reply`).send(body);
const asked = async (conversationId: string, body?: object) =>
  dataOf<Reply>(await ask(conversationId, body).expect(202));
const read = (conversationId: string, replyId: string) =>
  mine.api.get(`/v1/inbox/${conversationId}/replies/${replyId}`);
const cancel = (conversationId: string, replyId: string) =>
  mine.api.delete(`/v1/inbox/${conversationId}/replies/${replyId}`);

function withoutGap({ mailboxId }: VendorInbox) {
  return mine.api.patch(`/v1/mailboxes/${mailboxId}`).send({ sendGapSeconds: 0, dailySendLimit: 500 }).expect(200);
}

/** Runs the sender of a mailbox. */
async function runSender({ mailboxId }: VendorInbox): Promise<void> {
  const { workspaceId } = mine.workspace;
  await mine.platform.app.get(MailboxLeaseService, { strict: false }).scheduleNow(workspaceId, [mailboxId]);
  const sender = mine.platform.app.get(MailboxSenderService, { strict: false });
  await sender.run({ workspaceId, mailboxId }, AbortSignal.timeout(20_000));
}

function boxOf({ address }: VendorInbox): GmailMailbox {
  const at = boxes.mock.calls.findIndex(([given]) => given === address);
  return boxes.mock.results[at]?.value as GmailMailbox;
}

const sentBy = (mailbox: VendorInbox) => boxOf(mailbox).sent;

describe('POST /v1/inbox/:conversationId/reply', () => {
  it('answers 202 with the reply, which waits for its mailbox', async () => {
    const response = await ask(waiting._id).expect(202);
    expect(response.body).toEqual({
      success: true,
      data: {
        _id: ID,
        conversationId: waiting._id,
        mailboxId: idle.mailboxId,
        status: 'queued',
        to: { name: 'Ada Lovelace', address: waiting['email'] },
        subject: 'Re: Your roadmap',
        html: '<p>Gladly</p>',
        text: 'Gladly',
        messageId: expect.stringMatching(/^<[\da-f]{24}@google\.test>$/) as string,
        attempts: 0,
        reason: null,
        dueAt: ISO,
        sentAt: null,
        createdAt: ISO,
        updatedAt: ISO,
      },
    });
  });

  it('is sent once, in the thread of the provider, and is shown in the conversation', async () => {
    const conversation = await answered();
    const reply = await asked(conversation._id);
    await runSender(google);
    const found = sentBy(google).filter(({ messageId }) => messageId === reply.messageId);
    expect(found).toHaveLength(1);
    const raw = found[0]!.raw.toString();
    const answer = (await mine.read(conversation._id)).messages.find(({ kind }) => kind === 'reply');
    expect(raw).toContain(`In-Reply-To: ${answer?.['messageId'] as string}`);
    expect(raw).not.toMatch(/List-Unsubscribe/i);
    const gmail = boxOf(google);
    expect(gmail.find(reply.messageId)?.threadId).toBe(gmail.find(answer?.['messageId'] as string)?.threadId);
    const { messages, ...shown } = await mine.read(conversation._id);
    expect(messages.at(-1)).toMatchObject({
      direction: 'sent',
      kind: 'manual',
      replyId: reply._id,
      messageId: reply.messageId,
      from: { address: google.address },
      to: [{ address: conversation['email'] }],
      text: 'Gladly',
      html: '<p>Gladly</p>',
    });
    expect(shown).toMatchObject({ lastDirection: 'sent', preview: 'Gladly', messageCount: 2 });
    expect(dataOf<Reply>(await read(conversation._id, reply._id))).toMatchObject({
      status: 'sent',
      sentAt: ISO,
      attempts: 1,
    });
  });

  it('is in its conversation once, also after another poll of the mailbox and after an answer', async () => {
    const conversation = await answered();
    const reply = await asked(conversation._id);
    await runSender(google);
    const from = conversation['email'] as string;
    await google.receive(mailFrom({ from, inReplyTo: reply.messageId, text: 'Good' }));
    const { messages } = await mine.read(conversation._id);
    expect(messages.map(({ kind }) => kind)).toEqual(['campaign', 'reply', 'manual', 'reply']);
  });

  it('goes to the last author, from the mailbox that got the message', async () => {
    const conversation = await answered();
    const other = await mine.connect('google');
    await withoutGap(other);
    const answer = (await mine.read(conversation._id)).messages.find(({ kind }) => kind === 'reply');
    const inReplyTo = answer!['messageId'] as string;
    await other.receive(mailFrom({ from: 'colleague@acme.test', inReplyTo, text: 'I take over' }));
    const reply = await asked(conversation._id);
    expect(reply).toMatchObject({ to: { address: 'colleague@acme.test' }, mailboxId: other.mailboxId });
    await runSender(other);
    expect(sentBy(other)).toMatchObject([{ to: expect.stringContaining('colleague@acme.test') as string }]);
  });

  describe('to a person with a Reply-To address', () => {
    it('goes to that address, and the conversation shows it', async () => {
      const { _id } = await answered({ replyTo: '"Ada, at home" <Ada@Home.test>, other@home.test' });
      const answer = (await mine.read(_id)).messages.find(({ kind }) => kind === 'reply');
      expect(answer?.['replyTo']).toEqual([
        { name: 'Ada, at home', address: 'Ada@Home.test' },
        { name: '', address: 'other@home.test' },
      ]);
      const reply = await asked(_id);
      expect(reply.to).toEqual({ name: 'Ada, at home', address: 'Ada@Home.test' });
      await runSender(google);
      const sent = sentBy(google).find(({ messageId }) => messageId === reply.messageId);
      expect(sent?.raw.toString()).toContain('To: "Ada, at home" <Ada@home.test>');
    });

    it.each([
      ['that is invalid', () => 'root@localhost, "nobody"'],
      ['that is the mailbox itself', () => idle.address],
    ])('goes to the author when the Reply-To is one %s', async (_which, replyTo) => {
      const conversation = await answeredAtIdle({ replyTo: replyTo() });
      expect((await asked(conversation._id)).to.address).toBe(conversation['email']);
    });

    it('is refused when either address is suppressed', async () => {
      const there = await answeredAtIdle({ replyTo: 'left@home.test' });
      const wrote = await answeredAtIdle({ replyTo: 'wrote@home.test' });
      await mine.api
        .post('/v1/suppressions')
        .send({ addresses: ['left@home.test', wrote['email']] })
        .expect(201);
      for (const { _id } of [there, wrote]) expectFormB(await ask(_id), 409, 'CONFLICT');
    });
  });

  it('goes to people who are not leads too', async () => {
    await idle.receive(mailFrom({ from: 'zoe@elsewhere.test', subject: 'A question', text: 'Hello?' }));
    const { _id } = await mine.untrackedWith('zoe@elsewhere.test');
    expect(await asked(_id)).toMatchObject({ subject: 'Re: A question', to: { address: 'zoe@elsewhere.test' } });
  });

  it('accepts text alone, and a custom subject', async () => {
    const reply = await asked(waiting._id, { text: 'Line\nLine', subject: 'Tuesday' });
    expect(reply).toMatchObject({ html: null, text: 'Line\nLine', subject: 'Tuesday' });
  });

  it('is sent once for one Idempotency-Key', async () => {
    const { _id: conversationId } = waiting;
    const { workspaceId } = mine.workspace;
    const kept = () => mine.model('InboxReplyRecord').countDocuments({ workspaceId, conversationId });
    const before = await kept();
    const once = () => ask(conversationId).set('Idempotency-Key', `reply-${conversationId}`);
    const first = await once().expect(202);
    const second = await once().expect(202);
    expect(second.body).toEqual(first.body);
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(await kept()).toBe(before + 1);
  });

  it('is recorded with its author', async () => {
    const { _id } = waiting;
    const reply = await asked(_id);
    await cancel(_id, reply._id).expect(200);
    const entries = await mine.api.get('/v1/audit?limit=5').expect(200);
    const ofReply = dataOf<{ action: string; target: { id: string } }[]>(entries).filter(
      ({ target }) => target.id === reply._id,
    );
    expect(ofReply.map(({ action }) => action)).toEqual(['reply.cancelled', 'reply.created']);
  });

  describe('is refused', () => {
    it.each([
      ['nothing', {}, 'body'],
      ['an empty body', { body: '' }, 'body'],
      ['a body without visible content', { body: '<p> &nbsp;</p>' }, 'body'],
      ['a body beyond 200 kB', { body: 'x'.repeat(200_001) }, 'body'],
      ['more than 200 kB together', { body: 'x'.repeat(100_001), text: 'x'.repeat(100_000) }, 'body'],
      ['no text', { text: 7 }, 'text'],
      ['a null character', { text: 'a\0b' }, 'text'],
      ['a subject of two lines', { text: 'x', subject: 'a\nBcc: b@c.test' }, 'subject'],
      ['an unknown field', { text: 'x', to: 'b@c.test' }, 'to'],
      ['attachments', { text: 'x', attachments: [] }, 'attachments'],
    ])('with %s', async (_what, body, field) => {
      expectFormB(await ask(waiting._id, body), 400, 'VALIDATION_ERROR', field);
    });

    it('to a suppressed address', async () => {
      const { _id, email } = await answeredAtIdle();
      await mine.api
        .post('/v1/suppressions')
        .send({ addresses: [email] })
        .expect(201);
      const response = await ask(_id);
      expectFormB(response, 409, 'CONFLICT');
      expect((response.body as { error: { message: string } }).error.message).toContain('suppression list');
    });

    it('from a paused mailbox, with the reason', async () => {
      await mine.api.post(`/v1/mailboxes/${idle.mailboxId}/pause`).expect(200);
      const response = await ask(waiting._id);
      expectFormB(response, 409, 'CONFLICT');
      expect((response.body as { error: { message: string } }).error.message).toBe(`${idle.address} is paused`);
      await mine.api.post(`/v1/mailboxes/${idle.mailboxId}/resume`).expect(200);
      await ask(waiting._id).expect(202);
    });

    it('from a deleted mailbox, whose waiting replies are cancelled', async () => {
      const mailbox = await mine.connect('google');
      const { _id } = await mine.answered(mailbox, 'deleted@acme.test', { campaignId });
      const reply = await asked(_id);
      await mine.api.delete(`/v1/mailboxes/${mailbox.mailboxId}?force=true`).expect(200);
      expect(dataOf<Reply>(await read(_id, reply._id))).toMatchObject({
        status: 'cancelled',
        reason: 'The mailbox was deleted',
      });
      const response = await ask(_id);
      expectFormB(response, 409, 'CONFLICT');
      expect((response.body as { error: { message: string } }).error.message).toContain('was deleted');
    });

    it('when five hundred replies wait for the mailbox', async () => {
      const { _id } = waiting;
      const reply = await asked(_id);
      const replies = mine.model('InboxReplyRecord');
      const { workspaceId } = mine.workspace;
      const of = { _id: reply._id, workspaceId };
      const { _id: _one, ...like } = await replies.findOne(of).orFail().lean<Record<string, unknown>>();
      const there = await replies.countDocuments({ workspaceId, mailboxId: idle.mailboxId, state: 'queued' });
      await replies.collection.insertMany(Array.from({ length: 499 - there }, () => ({ ...like })));
      await ask(_id).expect(202);
      expectFormB(await ask(_id), 409, 'LIMIT_EXCEEDED');
      await replies.deleteMany({ workspaceId, mailboxId: idle.mailboxId });
    });

    it('in an unknown conversation, with a malformed id, or in another workspace', async () => {
      const theirs = await mine.elsewhere();
      const foreign = theirs.api.post(`/v1/inbox/${waiting._id}/reply`).send({ text: 'x' });
      const answers = [await foreign];
      for (const id of [UNKNOWN_ID, ...MALFORMED_IDS]) answers.push(await ask(id));
      for (const answer of answers) expectFormB(answer, 404, 'NOT_FOUND');
      expectFormA(await mine.platform.api.post(`/v1/inbox/${waiting._id}/reply`).send({ text: 'x' }), 401);
    });
  });
});

describe('GET and DELETE /v1/inbox/:conversationId/replies/:replyId', () => {
  it('cancels a waiting reply, which is not sent', async () => {
    const { _id } = await answered();
    const reply = await asked(_id);
    expect(dataOf<Reply>(await cancel(_id, reply._id).expect(200))).toMatchObject({ status: 'cancelled' });
    expect(dataOf<Reply>(await read(_id, reply._id).expect(200))).toMatchObject({ status: 'cancelled' });
    await runSender(google);
    expect(sentBy(google).some(({ messageId }) => messageId === reply.messageId)).toBe(false);
  });

  it('refuses to cancel a sent reply', async () => {
    const { _id } = await answered();
    const reply = await asked(_id);
    await runSender(google);
    expectFormB(await cancel(_id, reply._id), 409, 'CONFLICT');
  });

  it('cancels a waiting reply when its address is suppressed', async () => {
    const { _id, email } = await answeredAtIdle();
    const reply = await asked(_id);
    await mine.api
      .post('/v1/suppressions')
      .send({ addresses: [email] })
      .expect(201);
    expect(dataOf<Reply>(await read(_id, reply._id))).toMatchObject({
      status: 'cancelled',
      reason: 'The address is on the suppression list',
    });
  });

  it('answers 404 to an unknown or malformed id, another conversation’s reply and another workspace’s reply', async () => {
    const { _id } = waiting;
    const reply = await asked(_id);
    const other = await answeredAtIdle();
    const theirs = await mine.elsewhere();
    const answers = [
      await read(other._id, reply._id),
      await cancel(other._id, reply._id),
      await theirs.api.get(`/v1/inbox/${_id}/replies/${reply._id}`),
      await theirs.api.delete(`/v1/inbox/${_id}/replies/${reply._id}`),
    ];
    for (const id of [UNKNOWN_ID, ...MALFORMED_IDS]) answers.push(await read(_id, id), await cancel(_id, id));
    for (const answer of answers) expectFormB(answer, 404, 'NOT_FOUND');
  });
});

it('a reply is delayed by the limits of its mailbox', async () => {
  const mailbox = await mine.connect('google');
  await mine.api.patch(`/v1/mailboxes/${mailbox.mailboxId}`).send({ sendGapSeconds: 60 }).expect(200);
  const { _id } = await mine.answered(mailbox, 'gap@acme.test', { campaignId });
  await asked(_id, { text: 'One' });
  await asked(_id, { text: 'Two' });
  await runSender(mailbox);
  expect(sentBy(mailbox)).toHaveLength(1);
  mine.platform.clock.advance(MINUTE_MS);
  await runSender(mailbox);
  expect(sentBy(mailbox)).toHaveLength(2);
});
