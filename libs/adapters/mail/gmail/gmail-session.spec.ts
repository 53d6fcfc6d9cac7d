import { once } from 'node:events';
import { eventually } from '@testing';
import { isSameMailbox } from './gmail-identity';
import { ADDRESS, type GmailFixture, mail, openGmailFixture, TOKEN } from './testing/gmail-fixture';
import { refusals } from './testing/gmail-refusals';
import { type GmailMailbox } from './testing/gmail-mailbox';

describe('a Gmail mailbox', () => {
  let gmail: GmailFixture;
  beforeEach(async () => {
    gmail = await openGmailFixture();
  });
  afterEach(() => gmail.close());

  const labelsOf = (id: string) => [...gmail.mailbox.get(id).labels].toSorted();
  const never = new AbortController().signal;
  const sync = (cursor: string | null = null) => gmail.session.sync({ cursor, since: new Date(0), limit: 100 });

  describe('verified', () => {
    /** The token belongs to another account than the intended one. */
    const other = (address: string): GmailMailbox => {
      gmail.mailbox.tokens.delete(TOKEN);
      return gmail.server.mailbox(address, [TOKEN]);
    };

    it.each([ADDRESS, ADDRESS.toUpperCase()])('is accepted when the account is %s', async (address) => {
      other(address);
      expect(await gmail.session.verify()).toEqual({ outgoing: { ok: true }, incoming: { ok: true } });
    });

    it('is refused when the consent came from another account, and names that account', async () => {
      other('eve@elsewhere.example');
      const { outgoing } = await gmail.session.verify();
      expect(outgoing).toMatchObject({
        ok: false,
        failure: 'needs-human',
        message: `The authorised Google account is eve@elsewhere.example, not ${ADDRESS}`,
      });
    });

    it.each([
      ['accepted', true],
      ['pending', false],
    ])('with an alias that is %s: %s', async (verificationStatus, ok) => {
      other('team@sender.example').aliases.push({ email: ADDRESS, verificationStatus });
      expect((await gmail.session.verify()).outgoing.ok).toBe(ok);
    });

    it('does not need the permission to see aliases', async () => {
      other('eve@elsewhere.example');
      gmail.server.trouble({ on: 'sendAs.list', fault: { reply: refusals.forbidden('insufficientPermissions') } });
      expect((await gmail.session.verify()).incoming).toMatchObject({ message: expect.stringContaining('eve@') });
    });

    it('distinguishes an outage from a refusal', async () => {
      gmail.server.trouble({ on: 'getProfile', fault: { reply: refusals.backend() }, times: 9 });
      expect((await gmail.session.verify()).outgoing).toMatchObject({ ok: false, failure: 'temporary' });
    });

    it.each([
      ['john.doe@gmail.com', 'JohnDoe@googlemail.com', true],
      ['john.doe@company.example', 'johndoe@company.example', false],
      ['a@gmail.com', 'b@gmail.com', false],
      ['a@xn--bcher-kva.example', 'A@Bücher.example', true],
    ])('treats %s and %s as one mailbox: %s', (a, b, expected) => {
      expect(isSameMailbox(a, b)).toBe(expected);
    });
  });

  describe('waiting for a change', () => {
    const wait = (atMostMs: number) => gmail.session.waitForChange({ atMostMs, signal: never });
    const looks = () => gmail.server.requests.filter(({ method }) => method === 'getProfile').length;

    it('polls once a minute and at the end, and reports no change when nothing happened', async () => {
      await sync();
      const before = looks();
      expect(await wait(150_000)).toBe(false);
      expect(gmail.waits).toEqual([60_000, 60_000, 30_000]);
      expect(looks() - before).toBe(4);
    });

    it('reports a change since the last sync at once', async () => {
      await sync();
      gmail.mailbox.deliver(mail());
      expect(await wait(600_000)).toBe(true);
      expect(gmail.waits).toEqual([]);
    });

    it('reports a later change at the next poll', async () => {
      await sync();
      const session = gmail.reopen();
      await session.waitForChange({ atMostMs: 0, signal: never });
      gmail.server.trouble({
        on: 'getProfile',
        fault: { lost: 'reset' },
        when: ({ mailbox }) => gmail.waits.length === 2 && !mailbox.deliver(mail()),
      });
      expect(await session.waitForChange({ atMostMs: 600_000, signal: never })).toBe(true);
      expect(gmail.waits).toEqual([60_000, 60_000]);
    });

    it('reports the same change only once', async () => {
      await sync();
      gmail.mailbox.deliver(mail());
      expect(await wait(0)).toBe(true);
      expect(await wait(0)).toBe(false);
      const { cursor } = await sync();
      await sync(cursor);
      expect(await wait(0)).toBe(false);
      gmail.mailbox.deliver(mail());
      expect(await wait(0)).toBe(true);
    });

    it('starts at the present state when it was never synced', async () => {
      gmail.mailbox.deliver(mail());
      expect(await wait(0)).toBe(false);
      gmail.mailbox.deliver(mail());
      expect(await wait(0)).toBe(true);
    });

    it('fails when Gmail is unavailable', async () => {
      gmail.server.trouble({ on: 'getProfile', fault: { reply: refusals.rateLimit('5') } });
      await expect(wait(0)).rejects.toMatchObject({ failure: 'temporary', retryAfterMs: 5_000 });
    });
  });

  describe('waiting up to the limit', () => {
    beforeEach(async () => {
      await gmail.close();
      const wait = async (_ms: number, signal: AbortSignal): Promise<void> => {
        if (!signal.aborted) await once(signal, 'abort');
        throw signal.reason;
      };
      gmail = await openGmailFixture({ wait });
    });

    it('ends without a change when it is aborted', async () => {
      const stop = new AbortController();
      const waiting = gmail.session.waitForChange({ atMostMs: 60_000, signal: stop.signal });
      await eventually('it looked', () => gmail.server.requests.length === 1);
      stop.abort();
      expect(await waiting).toBe(false);
      expect(await gmail.session.waitForChange({ atMostMs: 60_000, signal: AbortSignal.abort() })).toBe(false);
    });

    it('fails when the session is closed', async () => {
      const waiting = gmail.session.waitForChange({ atMostMs: 60_000, signal: never });
      await eventually('it looked', () => gmail.server.requests.length === 1);
      await gmail.session.close();
      await expect(waiting).rejects.toMatchObject({ failure: 'temporary' });
    });
  });

  describe('changed', () => {
    it('moves a message to each kind of folder and back', async () => {
      const own = gmail.mailbox.createLabel('Clients');
      const { id } = gmail.mailbox.deliver(mail(), ['INBOX', 'CATEGORY_PROMOTIONS', 'UNREAD']);
      let ref = { folder: 'CATEGORY_PROMOTIONS', id };
      const seen: string[][] = [];
      for (const folder of ['INBOX', 'SPAM', 'CATEGORY_PROMOTIONS', own, 'ARCHIVE', 'TRASH', 'INBOX']) {
        ref = await gmail.session.move(ref, folder);
        expect(ref).toEqual({ folder, id });
        seen.push(labelsOf(id).filter((label) => label !== 'UNREAD'));
      }
      expect(seen).toEqual([
        ['INBOX'],
        ['SPAM'],
        ['CATEGORY_PROMOTIONS', 'INBOX'],
        ['CATEGORY_PROMOTIONS', own],
        ['CATEGORY_PROMOTIONS'],
        ['CATEGORY_PROMOTIONS', 'TRASH'],
        ['INBOX'],
      ]);
    });

    it.each(['SENT', 'DRAFT', 'Label_99'])('cannot move anything to %s', async (folder) => {
      const { id } = gmail.mailbox.deliver(mail());
      const moving = gmail.session.move({ folder: 'INBOX', id }, folder);
      await expect(moving).rejects.toMatchObject({ failure: 'permanent' });
    });

    it('cannot move or mark a deleted message', async () => {
      const ref = { folder: 'INBOX', id: '19a0000000000bad' };
      await expect(gmail.session.move(ref, 'SPAM')).rejects.toMatchObject({ failure: 'permanent' });
      await expect(gmail.session.markRead(ref, true)).rejects.toMatchObject({ failure: 'permanent' });
    });

    it('retries a flag change after a fault, because it is idempotent', async () => {
      const { id } = gmail.mailbox.deliver(mail());
      gmail.server.trouble({ on: 'messages.modify', fault: { lost: 'reset', after: true } });
      await gmail.session.markRead({ folder: 'INBOX', id }, true);
      expect(labelsOf(id)).toEqual(['INBOX']);
    });

    it.each([
      ['INBOX', { seen: true }, ['INBOX']],
      ['INBOX', {}, ['INBOX', 'UNREAD']],
      ['SPAM', undefined, ['SPAM', 'UNREAD']],
      ['ARCHIVE', { seen: true }, []],
      ['CATEGORY_PROMOTIONS', { seen: true }, ['CATEGORY_PROMOTIONS', 'INBOX']],
    ])('stores a message in %s with %j', async (folder, flags, expected) => {
      const raw = mail();
      const ref = await gmail.session.append(folder, raw, flags);
      expect(labelsOf(ref.id)).toEqual(expected);
      expect(ref.folder).toBe(folder);
      expect(gmail.mailbox.get(ref.id).raw.equals(raw)).toBe(true);
    });

    it('stores a large message as an upload', async () => {
      const raw = mail({}, 'x'.repeat(6_000_000));
      const ref = await gmail.session.append('INBOX', raw, { seen: true });
      expect(gmail.mailbox.get(ref.id).raw.equals(raw)).toBe(true);
      const [request] = gmail.server.requests;
      expect(request).toMatchObject({ method: 'messages.insert', isUpload: true });
      expect(request?.query.get('internalDateSource')).toBe('receivedTime');
    });

    it('does not repeat a store after a lost response', async () => {
      gmail.server.trouble({ on: 'messages.insert', fault: { lost: 'reset', after: true } });
      await expect(gmail.session.append('INBOX', mail())).rejects.toMatchObject({ failure: 'ambiguous' });
      expect(gmail.mailbox.messages.size).toBe(1);
      await expect(gmail.session.append('DRAFT', mail())).rejects.toMatchObject({ failure: 'permanent' });
    });
  });

  it('lists the user’s folders by name', async () => {
    const id = gmail.mailbox.createLabel('Clients/Acme');
    expect(await gmail.session.listFolders()).toContainEqual({ id, name: 'Clients/Acme', role: null });
  });
});
