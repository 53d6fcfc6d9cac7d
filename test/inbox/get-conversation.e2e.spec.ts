import { Types } from 'mongoose';
import { expectFormA, expectFormB } from '../harness';
import { ID, ISO, MALFORMED_IDS, UNKNOWN_ID } from '../workspaces/people';
import { Inboxes } from './inboxes';
import { type VendorInbox } from './vendor-inbox';
import { mailFrom } from './received-mail';

const MINUTE_MS = 60_000;

describe('GET /v1/inbox/:conversationId', () => {
  let mine: Inboxes;
  let google: VendorInbox;
  /** The campaign that wrote to every lead. */
  let campaignId: string;

  const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS);
  const kinds = (messages: readonly { kind: string }[]) => messages.map(({ kind }) => kind);

  beforeAll(async () => {
    mine = await Inboxes.start();
    google = await mine.connect('google');
    campaignId = await mine.campaign(google.mailboxId);
  });
  afterAll(() => mine.close());

  it('shows the messages, oldest first, including the campaign’s emails', async () => {
    const { leadId, messageId } = await mine.written(google, 'ada@acme.test', {
      campaignId,
      sentAt: [ago(90), ago(50)],
    });
    const quote = 'Sounds good.\n\nOn Tue, Grace wrote:\n> First';
    await google.receive(mailFrom({ from: 'ada@acme.test', inReplyTo: messageId, text: quote }), ago(70));
    await google.receive(mailFrom({ from: 'ada@acme.test', inReplyTo: messageId, text: 'And more' }), ago(40));
    const { _id } = await mine.ofLead(leadId);
    const conversation = await mine.read(_id);
    expect(conversation).toMatchObject({ _id, email: 'ada@acme.test', messageCount: 2, earlier: null });
    expect(kinds(conversation.messages)).toEqual(['campaign', 'reply', 'campaign', 'reply']);
    expect(conversation.messages.map(({ at }) => at)).toEqual(
      conversation.messages.map(({ at }) => at).toSorted((one, other) => one.localeCompare(other)),
    );
    expect(conversation.messages[0]).toEqual({
      _id: ID,
      direction: 'sent',
      kind: 'campaign',
      at: ISO,
      mailboxId: google.mailboxId,
      from: null,
      to: [{ name: '', address: 'ada@acme.test' }],
      cc: [],
      replyTo: [],
      subject: 'Your roadmap',
      text: null,
      fullText: null,
      html: null,
      messageId: expect.stringMatching(/^<.+>$/) as string,
      inReplyTo: null,
      rule: null,
      step: 0,
      replyId: null,
      attachments: [],
    });
    expect(conversation.messages[1]).toEqual({
      _id: ID,
      direction: 'received',
      kind: 'reply',
      at: ISO,
      mailboxId: google.mailboxId,
      from: { name: 'Ada Lovelace', address: 'ada@acme.test' },
      to: [{ name: '', address: 'grace@senders.test' }],
      cc: [],
      replyTo: [],
      subject: 'Re: Your roadmap',
      text: 'Sounds good.',
      fullText: expect.stringContaining('> First') as string,
      html: null,
      messageId: expect.stringMatching(/^<answer-.+>$/) as string,
      inReplyTo: messageId,
      rule: expect.any(String) as string,
      step: null,
      replyId: null,
      attachments: [],
    });
  });

  it('omits emails that were never submitted, or were rejected', async () => {
    const { leadId, messageId } = await mine.written(google, 'bob@acme.test', {
      campaignId,
      sentAt: [ago(90), ago(50), ago(45)],
    });
    const sends = mine.model('SendRecord');
    const of = { workspaceId: mine.workspace.workspaceId, leadId };
    await sends.updateOne({ ...of, stepOrder: 0 }, { $set: { state: 'failed' } });
    await sends.updateOne({ ...of, stepOrder: 1 }, { $set: { state: 'ambiguous', sentAt: null } });
    await google.receive(mailFrom({ from: 'bob@acme.test', inReplyTo: messageId }));
    const { messages } = await mine.read((await mine.ofLead(leadId))._id);
    expect(messages.map(({ kind, step }) => [kind, step])).toEqual([
      ['campaign', 1],
      ['campaign', 2],
      ['reply', null],
    ]);
  });

  it('shows HTML without harmful parts, and the kind of a bounce', async () => {
    const { leadId, messageId } = await mine.written(google, 'eve@acme.test', { campaignId });
    const html = 'Content-Type: text/html; charset=utf-8\n\n<p onclick="x()">Hi<script>alert(1)</script></p>\n';
    const head = `From: eve@acme.test\nMessage-ID: <html@acme.test>\nIn-Reply-To: ${messageId}\nSubject: Re: Your roadmap\n`;
    await google.receive(head + html);
    const { messages } = await mine.read((await mine.ofLead(leadId))._id);
    expect(messages.at(-1)).toMatchObject({ kind: 'reply', text: 'Hi' });
    expect(messages.at(-1)?.['html']).not.toMatch(/script|onclick/);
  });

  it('lists attachments with their index in the conversation and their download address', async () => {
    const { leadId, messageId } = await mine.written(google, 'carl@acme.test', { campaignId, sentAt: [ago(30)] });
    const answer = { from: 'carl@acme.test', inReplyTo: messageId };
    const files = [
      { name: '../Überblick.pdf', content: Buffer.from('%PDF-1') },
      { name: 'b.txt', type: 'text/plain', content: Buffer.from('b') },
    ];
    await google.receive(mailFrom({ ...answer, files }), ago(20));
    await google.receive(mailFrom({ ...answer, text: 'Without' }), ago(15));
    await google.receive(mailFrom({ ...answer, files: [{ name: 'c.pdf', content: Buffer.from('c') }] }), ago(10));
    const { _id } = await mine.ofLead(leadId);
    const attachments = (await mine.read(_id)).messages.flatMap((message) => message.attachments);
    const url = (index: number) => `${mine.platform.config.publicUrl}/v1/inbox/${_id}/attachments/${index}`;
    expect(attachments).toEqual([
      { index: 0, name: 'Überblick.pdf', contentType: 'application/pdf', size: 6, downloadUrl: url(0) },
      { index: 1, name: 'b.txt', contentType: 'text/plain', size: 1, downloadUrl: url(1) },
      { index: 2, name: 'c.pdf', contentType: 'application/pdf', size: 1, downloadUrl: url(2) },
    ]);
  });

  it('keeps the index of an attachment when an earlier message arrives late', async () => {
    const { leadId, messageId } = await mine.written(google, 'dan@acme.test', { campaignId, sentAt: [ago(30)] });
    const answer = { from: 'dan@acme.test', inReplyTo: messageId };
    await google.receive(mailFrom({ ...answer, files: [{ name: 'now.pdf', content: Buffer.from('n') }] }), ago(10));
    const { _id } = await mine.ofLead(leadId);
    await google.receive(mailFrom({ ...answer, files: [{ name: 'late.pdf', content: Buffer.from('l') }] }), ago(20));
    const attachments = (await mine.read(_id)).messages.flatMap((message) => message.attachments);
    expect(attachments.map(({ index, name }) => [index, name])).toEqual([
      [1, 'late.pdf'],
      [0, 'now.pdf'],
    ]);
  });

  it('shows mail of a person who is not a lead', async () => {
    await google.receive(mailFrom({ from: 'zoe@elsewhere.test', subject: 'Lunch?' }));
    const { _id } = await mine.untrackedWith('zoe@elsewhere.test');
    expect(await mine.read(_id)).toMatchObject({ tracked: false, leadId: null, messages: [{ kind: 'reply' }] });
  });

  describe('with more messages than one page', () => {
    let conversationId: string;

    beforeAll(async () => {
      const { leadId, messageId } = await mine.written(google, 'many@acme.test', {
        campaignId,
        sentAt: [ago(500), ago(5)],
      });
      await google.receive(mailFrom({ from: 'many@acme.test', inReplyTo: messageId }), ago(400));
      conversationId = (await mine.ofLead(leadId))._id;
      const messages = mine.model('ConversationMessageRecord');
      const { _id: _first, ...like } = await messages
        .findOne({ workspaceId: mine.workspace.workspaceId, conversationId })
        .orFail()
        .lean<Record<string, unknown>>();
      delete like['mailboxMessageId'];
      const more = Array.from({ length: 149 }, (_, number) => ({
        ...like,
        _id: new Types.ObjectId(),
        messageId: `<copy-${number}@acme.test>`,
        text: `Number ${number}`,
        // Two per page.
        at: ago(390 - Math.floor(number / 2)),
      }));
      await messages.insertMany(more);
    });

    it('shows the latest hundred, and earlier ones on request, each once', async () => {
      const latest = await mine.read(conversationId);
      expect(kinds(latest.messages)).toEqual([...Array<string>(100).fill('reply'), 'campaign']);
      expect(latest.earlier).toBe(latest.messages[0]?._id);
      const first = await mine.read(conversationId, `?before=${latest.earlier}`);
      expect(kinds(first.messages)).toEqual(['campaign', ...Array<string>(50).fill('reply')]);
      expect(first.earlier).toBeNull();
      const all = [...first.messages, ...latest.messages];
      expect(new Set(all.map(({ _id }) => _id)).size).toBe(152);
      expect(all.map(({ at }) => at)).toEqual(all.map(({ at }) => at).toSorted((a, b) => a.localeCompare(b)));
    });

    it('shows fewer when they are very long', async () => {
      const { workspaceId } = mine.workspace;
      // Twice as many as fit.
      const of = { workspaceId, conversationId, at: { $gte: ago(331) } };
      await mine.model('ConversationMessageRecord').updateMany(of, { $set: { fullText: 'x'.repeat(250_000) } });
      const { messages, earlier } = await mine.read(conversationId);
      expect(kinds(messages).filter((kind) => kind === 'reply')).toHaveLength(15);
      expect(earlier).not.toBeNull();
      await mine.model('ConversationMessageRecord').updateMany(of, { $set: { fullText: '' } });
    });

    it.each([UNKNOWN_ID, 'x', ''])('refuses messages before %j', async (before) => {
      const response = await mine.api.get(`/v1/inbox/${conversationId}?before=${before}`);
      expectFormB(response, 400, 'VALIDATION_ERROR', 'before');
    });

    it('refuses the cursor of another conversation’s message', async () => {
      const { _id } = await mine.untrackedWith('zoe@elsewhere.test');
      const response = await mine.api.get(`/v1/inbox/${_id}?before=${(await mine.read(conversationId)).earlier}`);
      expectFormB(response, 400, 'VALIDATION_ERROR', 'before');
    });
  });

  it('answers 404 to an unknown id, a malformed id and another workspace’s conversation', async () => {
    const { _id } = await mine.untrackedWith('zoe@elsewhere.test');
    const theirs = await mine.elsewhere();
    const answers = [await theirs.api.get(`/v1/inbox/${_id}`)];
    for (const id of [UNKNOWN_ID, ...MALFORMED_IDS]) answers.push(await mine.api.get(`/v1/inbox/${id}`));
    for (const answer of answers) {
      expectFormB(answer, 404, 'NOT_FOUND');
      expect((answer.body as { error: { message: string } }).error.message).toBe('Conversation not found');
    }
    expectFormA(await mine.platform.api.get(`/v1/inbox/${_id}`), 401);
    expectFormB(await mine.api.get(`/v1/inbox/${_id}?limit=5`), 400, 'VALIDATION_ERROR', 'limit');
  });
});
