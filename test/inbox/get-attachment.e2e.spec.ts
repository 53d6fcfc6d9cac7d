import { randomBytes } from 'node:crypto';
import { MailboxMessageRepository, type MailboxRecord } from '@domain/mailboxes';
import { Types } from 'mongoose';
import { type Response } from 'supertest';
import { type GraphServer } from '../../libs/adapters/mail/testing';
import { expectFormA, expectFormB } from '../harness';
import { seededMailbox } from '../mailboxes/sandbox';
import { dataOf, MALFORMED_IDS, UNKNOWN_ID } from '../workspaces/people';
import { type Conversation, type ConversationDetail } from './inbox-responses';
import { Inboxes } from './inboxes';
import { type VendorInbox } from './vendor-inbox';
import { mailFrom } from './received-mail';

const MEGABYTE = 1_048_576;
/** More than one buffer of the stream. */
const BIG = MEGABYTE;
const PDF = Buffer.from('%PDF-1.7 \u00e4\u00f6\u00fc\u0000\u0001 end');
const HTML = Buffer.from('<script>alert(1)</script>');

describe('GET /v1/inbox/:conversationId/attachments/:attachmentIndex', () => {
  let mine: Inboxes;
  /** A Google mailbox, from which every lead got an email. */
  let google: VendorInbox;
  let campaignId: string;

  beforeAll(async () => {
    mine = await Inboxes.start();
    google = await mine.connect('google');
    campaignId = await mine.campaign(google.mailboxId);
  });
  afterAll(() => mine.close());

  const ask = (conversationId: string, index: number | string = 0) =>
    mine.api.get(`/v1/inbox/${conversationId}/attachments/${index}`);
  const fetched = (conversationId: string, index: number | string = 0): Promise<Response & { body: Buffer }> =>
    ask(conversationId, index).buffer(true).parse(bytes);
  const setMessage = (conversationId: string, fields: Record<string, unknown>) =>
    mine
      .model('ConversationMessageRecord')
      .updateOne({ workspaceId: mine.workspace.workspaceId, conversationId }, { $set: fields });

  describe.each(['google', 'microsoft'] as const)('of a mailbox at %s', (vendor) => {
    let mailbox: VendorInbox;
    let conversation: Conversation;
    let graph: ReturnType<GraphServer['mailbox']>;
    let fails = false;

    beforeAll(async () => {
      mailbox = vendor === 'google' ? google : await mine.connect(vendor);
      graph = mine.graph.mailbox(mailbox.address);
      const { leadId, email, messageId } = await mine.written(mailbox, `ada@${vendor}-acme.test`, { campaignId });
      const answer = { from: email, inReplyTo: messageId };
      const first = [{ name: 'Überblick "Q4".pdf', content: PDF }];
      await mailbox.receive(mailFrom({ ...answer, files: first }));
      const page = { name: 'page.html', type: 'text/html', content: HTML };
      const big = { name: 'big.bin', type: 'application/octet-stream', content: randomBytes(BIG) };
      await mailbox.receive(mailFrom({ ...answer, text: 'More', files: [page, big] }));
      conversation = await mine.ofLead(leadId);
    });

    it('is streamed unchanged, as a download with a safe name', async () => {
      const response = await fetched(conversation._id).then((answer) => answer);
      expect(response.status).toBe(200);
      expect(response.headers).toMatchObject({
        'content-type': 'application/pdf',
        'content-disposition': `attachment; filename="_berblick _Q4_.pdf"; filename*=UTF-8''%C3%9Cberblick%20_Q4_.pdf`,
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      });
      expect(response.headers['x-request-id']).toBeDefined();
      expect(response.body.equals(PDF)).toBe(true);
    });

    it('has the downloadUrl of the conversation, across all of its messages', async () => {
      const { messages } = dataOf<ConversationDetail>(await mine.api.get(`/v1/inbox/${conversation._id}`));
      const attachments = messages.flatMap((message) => message.attachments);
      expect(attachments.map(({ index }) => index)).toEqual([0, 1, 2]);
      const bodies: Buffer[] = [];
      for (const { downloadUrl } of attachments) {
        const response = await mine.api.get(new URL(downloadUrl).pathname).buffer(true).parse(bytes);
        bodies.push(response.body as Buffer);
      }
      expect(bodies.map(({ length }) => length)).toEqual([PDF.length, HTML.length, BIG]);
    });

    it('is never displayed by a browser, whatever its type', async () => {
      const { headers, body } = await fetched(conversation._id, 1);
      expect(headers).toMatchObject({
        'content-type': 'text/html',
        'content-disposition': 'attachment; filename="page.html"',
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining("default-src 'none'") as string,
      });
      expect(body.equals(HTML)).toBe(true);
    });

    it('is stored nowhere', async () => {
      await fetched(conversation._id);
      const { workspaceId } = mine.workspace;
      const kept = await mine.model('ConversationMessageRecord').find({ workspaceId }).lean();
      expect(JSON.stringify(kept)).not.toContain(PDF.toString('base64').slice(0, 16));
    });

    it('answers 502 when the provider fails, and the file when it recovers', async () => {
      trouble();
      const response = await ask(conversation._id);
      expect(response.status).toBe(502);
      expect(response.body).toEqual({
        success: false,
        error: {
          code: 'UPSTREAM_ERROR',
          message: expect.stringContaining('mail provider') as string,
          errorId: expect.any(String) as string,
        },
      });
      wellAgain();
      expect((await fetched(conversation._id)).body.equals(PDF)).toBe(true);
    });

    it('aborts when the provider does, instead of looking complete', async () => {
      if (vendor === 'google') mine.gmail.trouble({ on: 'attachments.get', fault: { lost: 'cut' } });
      else graph.faults.push({ on: /attachments\/.*\$value/, does: { cutAt: BIG / 2 } });
      await expect(fetched(conversation._id, 2)).rejects.toThrow(/aborted|hang up/);
      expect((await fetched(conversation._id, 2)).body).toHaveLength(BIG);
    });

    it('is found in the folder that now has the message', async () => {
      mailbox.archive();
      expect((await fetched(conversation._id)).body.equals(PDF)).toBe(true);
    });

    it('answers 502 when the message was deleted', async () => {
      const elsewhere = { providerMessageId: '19affffffffffff', mailboxMessageId: new Types.ObjectId() };
      await setMessage(conversation._id, elsewhere);
      expect((await ask(conversation._id)).status).toBe(502);
    });

    function trouble(): void {
      const answer = { status: 503, body: { error: { code: '503', message: 'unavailable' } } };
      fails = true;
      if (vendor === 'google') {
        mine.gmail.trouble({ on: 'messages.get', fault: { reply: answer }, times: 50, when: () => fails });
      } else graph.faults.push({ on: /attachments/, does: answer, times: 50 });
    }

    function wellAgain(): void {
      fails = false;
      graph.faults.splice(0);
    }
  });

  describe('that cannot be fetched', () => {
    const files = [{ name: 'a.pdf', content: PDF }];
    let conversation: Conversation;

    beforeAll(async () => {
      conversation = await mine.answered(google, 'bob@acme.test', { campaignId, files });
    });

    it.each(['-1', '1.5', '1e0', '0x1', '01', '+1', 'x', ' 0', '%00', 'NaN', '0;'])(
      'is refused under %j, which is not a plain number',
      async (index) => {
        const response = await ask(conversation._id, encodeURIComponent(decodeURIComponent(index)));
        expectFormB(response, 400, 'VALIDATION_ERROR', 'attachmentIndex');
      },
    );

    it.each(['1', '2', '99999999999999999999999'])('is not found under %s, beyond the last', async (index) => {
      const response = await ask(conversation._id, index);
      expectFormB(response, 404, 'NOT_FOUND');
      expect((response.body as { error: { message: string } }).error.message).toBe('Attachment not found');
    });

    it('is not found in a conversation without attachments', async () => {
      const { _id } = await mine.answered(google, 'none@acme.test', { campaignId });
      expectFormB(await ask(_id), 404, 'NOT_FOUND');
    });

    it('is not found in an unknown conversation, with a malformed id, or in another workspace', async () => {
      const theirs = await mine.elsewhere();
      const foreign = await theirs.api.get(`/v1/inbox/${conversation._id}/attachments/0`);
      const answers = [foreign];
      for (const id of [UNKNOWN_ID, ...MALFORMED_IDS]) answers.push(await ask(id));
      for (const answer of answers) {
        expectFormB(answer, 404, 'NOT_FOUND');
        expect((answer.body as { error: { message: string } }).error.message).toBe('Conversation not found');
      }
      expectFormA(await mine.platform.api.get(`/v1/inbox/${conversation._id}/attachments/0`), 401);
    });

    it('is not supported above 25 MB', async () => {
      const large = await mine.answered(google, 'large@acme.test', { campaignId, files });
      await setMessage(large._id, { 'attachments.0.size': 25 * MEGABYTE + 1 });
      expectFormB(await ask(large._id), 422, 'ATTACHMENT_NOT_SUPPORTED');
      await setMessage(large._id, { 'attachments.0.size': 25 * MEGABYTE });
      expect((await ask(large._id)).status).toBe(200);
    });

    it('is not supported when the provider’s message id was not stored', async () => {
      const sent = await mine.answered(google, 'sent@acme.test', { campaignId, files });
      await setMessage(sent._id, { providerMessageId: null, kind: 'manual', direction: 'sent' });
      expectFormB(await ask(sent._id), 422, 'ATTACHMENT_NOT_SUPPORTED');
    });

    it('is not supported when its mailbox was deleted', async () => {
      const gone = await mine.connect('google');
      const { _id } = await mine.answered(gone, 'gone@acme.test', { campaignId, files });
      await mine.api.delete(`/v1/mailboxes/${gone.mailboxId}?force=true`).expect(200);
      expectFormB(await ask(_id), 422, 'ATTACHMENT_NOT_SUPPORTED');
    });

    it('is listed but not supported for a mailbox with SMTP and IMAP', async () => {
      const { workspaceId } = mine.workspace;
      const { _id: mailboxId } = await seededMailbox(mine.platform, workspaceId);
      const { leadId, email, messageId } = await mine.written({ mailboxId }, 'imap@acme.test', { campaignId });
      await mine.takeIn(mailboxId);
      const record = await mine
        .model<MailboxRecord>('MailboxRecord')
        .findOne({ _id: mailboxId, workspaceId })
        .orFail()
        .lean<MailboxRecord>();
      const raw = mailFrom({ from: email, inReplyTo: messageId, files });
      const mail = mine.platform.app.get(MailboxMessageRepository, { strict: false });
      await mail.withSession(record, (session) => session.append('INBOX', Buffer.from(raw.replaceAll('\n', '\r\n'))));
      await mine.takeIn(mailboxId);
      const { _id } = await mine.ofLead(leadId);
      expect((await mine.read(_id)).messages.at(-1)?.attachments).toMatchObject([{ index: 0, name: 'a.pdf' }]);
      expectFormB(await ask(_id), 422, 'ATTACHMENT_NOT_SUPPORTED');
    });
  });
});

/** The bytes of a response, unparsed. */
function bytes(answer: Response, done: (error: Error | null, body: Buffer) => void): void {
  const response = answer as never as NodeJS.ReadableStream;
  const parts: Buffer[] = [];
  response.on('data', (part: Buffer) => parts.push(part));
  response.on('end', () => done(null, Buffer.concat(parts)));
}
