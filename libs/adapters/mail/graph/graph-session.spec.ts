import { buffer } from 'node:stream/consumers';
import { mailWithAttachments, newMessageId, plainMail } from '../conformance/mail-samples';
import { errorReply } from './testing/graph-answers';
import { GraphTestTime } from './testing/graph-time';
import { type GraphTestEnvironment, openGraphTestEnvironment } from './testing/graph-test-environment';

describe('a mailbox of Microsoft Graph', () => {
  let environment: GraphTestEnvironment;
  let time: GraphTestTime;
  beforeEach(async () => {
    time = new GraphTestTime();
    environment = await openGraphTestEnvironment({ time, pollMs: 60_000 });
  });
  afterEach(() => environment.close());

  const stored = async (raw: Buffer, folder = 'inbox') => {
    const message = await environment.mailbox.store(raw, { folder });
    return { id: message.id, folder: message.folder };
  };

  describe('verifying', () => {
    const verifyAs = async (email: string) => {
      const session = environment.driver.open({
        kind: 'graph',
        id: 'b',
        revision: '1',
        email,
        token: () => Promise.resolve('canary-graph-access-token'),
      });
      const check = await session.verify();
      await session.close();
      return check;
    };

    it('recognises the mailbox by its address without regard to case', async () => {
      expect(await verifyAs('Grace@CONTOSO.test')).toEqual({ outgoing: { ok: true }, incoming: { ok: true } });
    });

    it('recognises it with an internationalised domain too', async () => {
      const body = { mail: null, userPrincipalName: 'x@contoso.test', proxyAddresses: ['smtp:Grace@Bücher.example'] };
      environment.mailbox.faults.push({ on: /^GET .*\/me\?/, does: { status: 200, body } });
      expect(await verifyAs('grace@xn--bcher-kva.example')).toMatchObject({ outgoing: { ok: true } });
    });

    it('refuses the mailbox of another user', async () => {
      const refused = { ok: false, failure: 'needs-human', message: expect.stringContaining('grace@contoso.test') };
      expect(await verifyAs('ada@contoso.test')).toMatchObject({ outgoing: refused, incoming: refused });
    });

    it('names the failed half when the account has no mailbox', async () => {
      const then = errorReply(404, 'MailboxNotEnabledForRESTAPI', 'The mailbox is either inactive or on-premises.');
      environment.mailbox.faults.push({ on: /mailFolders\/inbox/, does: then });
      const { outgoing, incoming } = await environment.session.verify();
      expect(outgoing).toEqual({ ok: true });
      expect(incoming).toMatchObject({ ok: false, failure: 'needs-human', lastReply: { code: '404' } });
    });

    it('stops when it is aborted', async () => {
      const check = await environment.session.verify(AbortSignal.abort());
      expect(check).toMatchObject({ outgoing: { ok: false, failure: 'temporary' }, incoming: { ok: false } });
    });
  });

  describe('contents', () => {
    it('stops fetching a message as soon as it is too large', async () => {
      const ref = await stored(Buffer.concat([plainMail({ to: environment.address }), Buffer.alloc(200_000, 'x')]));
      await expect(environment.session.fetchRaw(ref, { maxBytes: 1_000 })).rejects.toMatchObject({
        failure: 'permanent',
      });
      expect(await environment.session.fetchRaw(ref, { maxBytes: 1_000_000 })).toHaveLength(
        200_000 + plainMail({ to: environment.address }).length,
      );
    });

    it('fails when the connection is lost in the middle of a message or an attachment', async () => {
      const ref = await stored(mailWithAttachments(environment.address));
      environment.mailbox.faults.push({ on: /value/, times: 2, does: { cutAt: 50 } });
      await expect(environment.session.fetchRaw(ref, { maxBytes: 100_000 })).rejects.toMatchObject({
        failure: 'temporary',
      });
      const { content } = await environment.session.fetchAttachment(ref, 0);
      await expect(buffer(content)).rejects.toMatchObject({ failure: 'temporary' });
      expect(await buffer((await environment.session.fetchAttachment(ref, 0)).content)).toHaveLength(300);
    });

    it('returns an attached message as MIME and omits links to cloud files', async () => {
      const inner = plainMail({ to: 'x@elsewhere.test' }).toString();
      const raw = [
        `To: ${environment.address}`,
        'MIME-Version: 1.0',
        'Content-Type: multipart/mixed; boundary="b"',
        '',
        '--b',
        'Content-Type: message/rfc822',
        'Content-Disposition: attachment; filename="forwarded.eml"',
        '',
        inner,
        '--b--',
        '',
      ].join('\r\n');
      const ref = await stored(Buffer.from(raw));
      environment.mailbox.message(ref.id).links.push('Plan.docx');
      const attachments = await environment.session.listAttachments(ref);
      expect(attachments).toMatchObject([{ index: 0, contentType: 'message/rfc822' }]);
      const { content } = await environment.session.fetchAttachment(ref, 0);
      expect((await buffer(content)).toString()).toContain('Good morning.');
    });

    it('lists attachments over several pages', async () => {
      const parts = Array.from({ length: 23 }, (_, index) => [
        '--b',
        'Content-Type: text/plain',
        `Content-Disposition: attachment; filename="${index}.txt"`,
        '',
        `file ${index}`,
      ]).flat();
      const raw = ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary="b"', '', ...parts, '--b--', ''].join(
        '\r\n',
      );
      const ref = await stored(Buffer.from(raw));
      expect((await environment.session.listAttachments(ref)).map(({ name }) => name)).toEqual(
        Array.from({ length: 23 }, (_, index) => `${index}.txt`),
      );
      const last = await environment.session.fetchAttachment(ref, 22);
      expect((await buffer(last.content)).toString().trim()).toBe('file 22');
    });
  });

  describe('folders', () => {
    it('lists folders of all levels, over several pages', async () => {
      const parent = environment.mailbox.addFolder('Customers');
      for (let count = 0; count < 120; count++)
        environment.mailbox.addFolder(`Customer ${count}`, { parent: parent.id });
      const folders = await environment.session.listFolders();
      expect(folders).toHaveLength(6 + 1 + 120);
      expect(folders.find(({ name }) => name === 'Junk Email')?.role).toBe('junk');
      expect(folders.find(({ name }) => name === 'Customer 119')?.role).toBeNull();
    });

    it('moves a message to any folder, and reports when it no longer exists', async () => {
      const own = environment.mailbox.addFolder('Customers');
      const ref = await stored(plainMail({ to: environment.address }));
      expect(await environment.session.move(ref, own.id)).toEqual({ id: ref.id, folder: own.id });
      environment.mailbox.remove(environment.mailbox.message(ref.id));
      await expect(environment.session.move(ref, own.id)).rejects.toMatchObject({ failure: 'permanent' });
      await expect(environment.session.markRead(ref, true)).rejects.toMatchObject({ failure: 'permanent' });
    });

    it('stores a message unchanged', async () => {
      const raw = plainMail({ to: 'x@elsewhere.test' });
      const folder = environment.mailbox.folder('sentitems').id;
      const ref = await environment.session.append(folder, raw);
      expect(environment.mailbox.message(ref.id)).toMatchObject({ raw, folder, isRead: false });
      await expect(environment.session.append('AAAnone=', raw)).rejects.toMatchObject({ failure: 'permanent' });
    });
  });

  describe('waiting', () => {
    const wait = (atMostMs: number) =>
      environment.session.waitForChange({ atMostMs, signal: new AbortController().signal });
    const deliver = (receivedAt = new Date()) =>
      environment.mailbox.store(plainMail({ to: environment.address, messageId: newMessageId() }), { receivedAt });
    const sync = (cursor: string | null = null, since = new Date('2026-01-01T00:00:00Z')) =>
      environment.session.sync({ cursor, since, limit: 100 });

    it('polls at intervals and ends after its timeout', async () => {
      await sync();
      const before = environment.mailbox.requests.length;
      expect(await wait(150_000)).toBe(false);
      expect(time.waits).toEqual([60_000, 60_000, 30_000]);
      expect(environment.mailbox.requests.length - before).toBe(4);
    });

    it('notices mail since the last sync at once', async () => {
      await deliver();
      const { cursor } = await sync();
      expect(await wait(0)).toBe(false);
      await deliver();
      expect(await wait(0)).toBe(true);
      await sync(cursor);
      expect(await wait(0)).toBe(false);
    });

    it('reports a message once, so that a delayed sync causes no busy loop', async () => {
      await sync();
      await deliver();
      expect(await wait(0)).toBe(true);
      expect(await wait(0)).toBe(false);
      await deliver(new Date(Date.now() + 5_000));
      expect(await wait(0)).toBe(true);
    });

    it('does not report mail from before the start time of the sync', async () => {
      await deliver(new Date('2025-06-01T00:00:00Z'));
      await sync();
      expect(await wait(0)).toBe(false);
    });

    it('without an earlier sync, waits for mail after its first poll', async () => {
      expect(await wait(0)).toBe(false);
      await deliver();
      expect(await wait(0)).toBe(true);
    });

    it('fails when the server is unavailable', async () => {
      environment.mailbox.faults.push({ on: /^GET/, times: 99, does: errorReply(503, 'ServiceUnavailable', 'Busy') });
      await expect(wait(60_000)).rejects.toMatchObject({ failure: 'temporary' });
    });
  });
});
