import { gmail as googleClient, type gmail_v1 } from '@googleapis/gmail';
import { ADDRESS, mail, TOKEN } from './gmail-fixture';
import { type GmailMailbox } from './gmail-mailbox';
import { refusals } from './gmail-refusals';
import { type GmailServer, startGmailServer } from './gmail-server';

/** Google's own client works with the local server, which proves that its API is the vendor's. */
describe('the local Gmail server, to Google’s client', () => {
  let server: GmailServer;
  let mailbox: GmailMailbox;
  let api: gmail_v1.Gmail;
  const userId = 'me';

  beforeEach(async () => {
    server = await startGmailServer({ maxPage: 2 });
    mailbox = server.mailbox(ADDRESS, [TOKEN]);
    api = clientOf(TOKEN);
  });
  afterEach(() => server.close());

  function clientOf(token: string): gmail_v1.Gmail {
    const headers = { authorization: `Bearer ${token}` };
    return googleClient({ version: 'v1', rootUrl: server.url, headers, retry: false });
  }

  it('shows a profile and labels', async () => {
    mailbox.deliver(mail());
    const { data } = await api.users.getProfile({ userId });
    expect(data).toMatchObject({ emailAddress: ADDRESS, messagesTotal: 1, historyId: String(mailbox.historyId) });
    const { labels } = (await api.users.labels.list({ userId })).data;
    expect(labels?.find(({ id }) => id === 'INBOX')).toEqual({ id: 'INBOX', name: 'INBOX', type: 'system' });
  });

  it('creates labels with unused names', async () => {
    const make = (requestBody: gmail_v1.Schema$Label) => api.users.labels.create({ userId, requestBody });
    const { data } = await make({ name: 'Clients', labelListVisibility: 'labelHide' });
    expect(data).toMatchObject({ name: 'Clients', labelListVisibility: 'labelHide', messageListVisibility: 'show' });
    const { labels } = (await api.users.labels.list({ userId })).data;
    expect(labels).toContainEqual({ ...data, type: 'user' });
    await expect(make({ name: 'CLIENTS' })).rejects.toMatchObject({
      status: 409,
      message: 'Label name exists or conflicts',
    });
    for (const requestBody of [
      {},
      { name: 'Inbox' },
      { name: 'x'.repeat(226) },
      { name: 'x', labelListVisibility: 'no' },
    ]) {
      await expect(make(requestBody)).rejects.toMatchObject({ status: 400 });
    }
  });

  it('lists messages in pages, newest first, and searches', async () => {
    const ids = [1, 2, 3].map((minute) => mailbox.deliver(mail(), ['INBOX'], new Date(minute * 60_000)).id);
    const first = (await api.users.messages.list({ userId, labelIds: ['INBOX'] })).data;
    const pageToken = first.nextPageToken ?? '';
    const second = (await api.users.messages.list({ userId, labelIds: ['INBOX'], pageToken })).data;
    expect([...(first.messages ?? []), ...(second.messages ?? [])].map(({ id }) => id)).toEqual(ids.toReversed());
    expect((await api.users.messages.list({ userId, q: 'after:120 before:180' })).data.messages).toHaveLength(1);
    expect((await api.users.messages.list({ userId, q: 'in:spam' })).data).toEqual({ resultSizeEstimate: 0 });
    await expect(api.users.messages.list({ userId, q: 'has:attachment' })).rejects.toMatchObject({ status: 400 });
  });

  it('hides spam and trash unless they are requested', async () => {
    mailbox.deliver(mail(), ['SPAM']);
    const count = async (params: object): Promise<number> =>
      (await api.users.messages.list({ userId, ...params })).data.messages?.length ?? 0;
    expect(await count({})).toBe(0);
    expect(await count({ includeSpamTrash: true })).toBe(1);
    expect(await count({ labelIds: ['SPAM'] })).toBe(1);
  });

  it('returns messages in all formats', async () => {
    const raw = mail({ 'Content-Type': 'text/plain; charset=utf-8', 'X-Other': 'y' }, 'Grüße');
    const { id } = mailbox.deliver(raw);
    const get = async (format: string, more: object = {}) =>
      (await api.users.messages.get({ userId, id, format, ...more })).data;
    expect(Buffer.from((await get('raw')).raw ?? '', 'base64url')).toEqual(raw);
    expect((await get('minimal')).payload).toBeUndefined();
    const { payload } = await get('metadata', { metadataHeaders: ['SUBJECT'] });
    expect(payload?.headers).toEqual([{ name: 'Subject', value: 'Hello' }]);
    const { body } = (await get('full')).payload ?? {};
    expect(
      Buffer.from(body?.data ?? '', 'base64url')
        .toString()
        .trim(),
    ).toBe('Grüße');
  });

  it('accepts drafts inside JSON and as uploads, sends and deletes them', async () => {
    const raw = mail({ To: 'grace@there.example' });
    const inline = await api.users.drafts.create({
      userId,
      requestBody: { message: { raw: raw.toString('base64url') } },
    });
    const media = { mimeType: 'message/rfc822', body: raw.toString('utf8') };
    const uploaded = await api.users.drafts.create(
      { userId, requestBody: { message: {} }, media },
      { rootUrl: server.url },
    );
    expect(server.requests.map(({ isUpload }) => isUpload)).toEqual([false, true]);
    const { data } = await api.users.drafts.send({ userId, requestBody: { id: uploaded.data.id ?? '' } });
    expect(data.labelIds).toEqual(['SENT']);
    expect(data.id).not.toBe(uploaded.data.message?.id);
    expect(mailbox.sent[0]?.raw.toString()).toBe(raw.toString());
    await api.users.drafts.delete({ userId, id: inline.data.id ?? '' });
    await expect(api.users.drafts.get({ userId, id: inline.data.id ?? '' })).rejects.toMatchObject({ status: 404 });
    expect(mailbox.messages.size).toBe(1);
  });

  it('keeps a history in pages, and refuses one that is too old', async () => {
    const startHistoryId = String(mailbox.historyId);
    const { id } = mailbox.deliver(mail());
    mailbox.relabel(id, ['STARRED'], ['UNREAD']);
    mailbox.remove(id);
    const first = (await api.users.history.list({ userId, startHistoryId })).data;
    const pageToken = first.nextPageToken ?? '';
    const second = (await api.users.history.list({ userId, startHistoryId, pageToken })).data;
    const records = [...(first.history ?? []), ...(second.history ?? [])];
    expect(records.map((record) => Object.keys(record).find((key) => /Added|Deleted|Removed/.test(key)))).toEqual([
      'messagesAdded',
      'labelsAdded',
      'labelsRemoved',
      'messagesDeleted',
    ]);
    expect(second).toMatchObject({ historyId: String(mailbox.historyId) });
    expect(second.nextPageToken).toBeUndefined();
    const removed = await api.users.history.list({ userId, startHistoryId, historyTypes: ['labelRemoved'] });
    expect(removed.data.history).toHaveLength(1);
    mailbox.forgetHistory();
    await expect(api.users.history.list({ userId, startHistoryId })).rejects.toMatchObject({ status: 404 });
  });

  it('threads messages by their references, and stores inserted ones', async () => {
    const first = mailbox.deliver(mail({ 'Message-ID': '<first@there.example>' }));
    expect(mailbox.deliver(mail({ References: '<first@there.example>' })).threadId).toBe(first.threadId);
    const raw = mail({ From: ADDRESS, Date: 'Thu, 1 Jan 2026 00:00:00 +0000' }).toString('base64url');
    const requestBody = { raw, labelIds: ['UNREAD'] };
    const { data } = await api.users.messages.insert({ userId, internalDateSource: 'dateHeader', requestBody });
    expect(data.labelIds).toEqual(['UNREAD', 'SENT']);
    expect(mailbox.get(data.id ?? '').internalDate).toBe(Date.parse('2026-01-01T00:00:00Z'));
    const sent = { userId, requestBody: { raw, labelIds: ['SENT'] } };
    await expect(api.users.messages.insert(sent)).rejects.toMatchObject({ status: 400 });
  });

  it('refuses tokens outside the mailbox’s current set', async () => {
    await expect(clientOf('other').users.getProfile({ userId })).rejects.toMatchObject({ status: 401 });
    mailbox.tokens.add('other');
    mailbox.tokens.delete(TOKEN);
    await expect(clientOf('other').users.getProfile({ userId })).resolves.toMatchObject({ status: 200 });
    await expect(api.users.getProfile({ userId })).rejects.toMatchObject({ status: 401 });
  });

  it('returns errors in Google’s format', async () => {
    server.trouble({ on: 'getProfile', fault: { reply: refusals.rateLimit('30') } });
    const failed = (await api.users.getProfile({ userId }).catch((error: unknown) => error)) as {
      response: { status: number; headers: Headers; data: object };
    };
    expect(failed.response).toMatchObject({
      status: 429,
      data: { error: { code: 429, status: 'RESOURCE_EXHAUSTED', errors: [{ reason: 'rateLimitExceeded' }] } },
    });
    expect(failed.response.headers.get('retry-after')).toBe('30');
  });
});
