import { promisify } from 'node:util';
import { eventually } from '@testing';
import { MailError } from '../port/mail.errors';
import { GmailDriver } from './gmail.driver';
import { ADDRESS, type GmailFixture, mail, NEXT_TOKEN, openGmailFixture, TOKEN } from './testing/gmail-fixture';
import { refusals } from './testing/gmail-refusals';

describe('requests to Gmail', () => {
  let gmail: GmailFixture;
  beforeEach(async () => {
    gmail = await openGmailFixture();
  });
  afterEach(() => gmail.close());

  /** A driver with a short timeout, for requests without a response. */
  const beImpatient = async (): Promise<void> => {
    await gmail.close();
    gmail = await openGmailFixture({ timeouts: { answer: 500, send: 500 } });
  };

  const trouble = (fault: Parameters<GmailFixture['server']['trouble']>[0]['fault'], times = 1): void =>
    gmail.server.trouble({ on: 'labels.list', fault, times });

  describe('with a token that has expired', () => {
    beforeEach(() => {
      gmail.mailbox.tokens.delete(TOKEN);
    });

    it('report the refused token and continue with the next one', async () => {
      gmail.mailbox.tokens.add(NEXT_TOKEN);
      await expect(gmail.session.listFolders()).resolves.not.toHaveLength(0);
      expect(gmail.refused).toEqual([TOKEN]);
    });

    it('report each refused token in twenty concurrent requests, and all succeed', async () => {
      gmail.mailbox.tokens.add(NEXT_TOKEN);
      const all = await Promise.all(Array.from({ length: 20 }, () => gmail.session.listFolders()));
      expect(all).toHaveLength(20);
      expect(gmail.refused).toEqual(Array.from({ length: 20 }, () => TOKEN));
      expect(gmail.server.requests.filter(({ token }) => token === NEXT_TOKEN)).toHaveLength(20);
    });

    it('need a person when the next token is refused too, and try no third one', async () => {
      await expect(gmail.session.listFolders()).rejects.toMatchObject({
        failure: 'needs-human',
        stage: 'login',
        lastReply: { code: '401', response: expect.stringContaining('invalid authentication credentials') },
      });
      expect(gmail.server.requests.map(({ token }) => token)).toEqual([TOKEN, NEXT_TOKEN]);
    });
  });

  it.each([
    ['is gone', new MailError({ failure: 'needs-human', stage: 'request', message: 'revoked' }), 'needs-human'],
    ['cannot be had now', new MailError({ failure: 'temporary', stage: 'connect', message: 'away' }), 'temporary'],
    ['fails with an unknown error', new Error('secret ya29.x'), 'temporary'],
  ])('are not sent when the token %s', async (_name, failure, expected) => {
    const driver = new GmailDriver({ apiUrl: gmail.server.url });
    const token = (): Promise<string> => Promise.reject(failure);
    const session = driver.open({ kind: 'gmail', id: '1', revision: '1', email: ADDRESS, token });
    await expect(session.listFolders()).rejects.toMatchObject({ failure: expected, stage: 'login' });
    expect(await session.verify()).toMatchObject({ outgoing: { ok: false, failure: expected } });
    expect(gmail.server.requests).toEqual([]);
    await driver.close();
  });

  it('never show the token, even when the response repeats it', async () => {
    trouble({ reply: { status: 403, body: `what is Bearer ${TOKEN}?` } });
    const error = (await gmail.session.listFolders().catch((failed: MailError) => failed)) as MailError;
    expect(error.lastReply?.response).toBe('what is Bearer [token]?');
    expect(JSON.stringify(error) + error.message + error.stack).not.toContain(TOKEN);
  });

  it.each([
    ['a fault', { reply: refusals.backend(500) }],
    ['a gateway', { reply: { status: 502, body: '<html>' } }],
    ['a quota without a time', { reply: refusals.quota() }],
    ['a lost connection', { lost: 'reset' }],
    ['an answer that breaks off', { lost: 'cut' }],
    ['an answer that is not JSON', { reply: { status: 200, body: '<html>Please log in</html>' } }],
    ['no answer in time', { lost: 'hang' }],
  ] as const)('are retried after %s with growing delays', async (_name, fault) => {
    if ('lost' in fault && fault.lost === 'hang') await beImpatient();
    trouble(fault, 2);
    await expect(gmail.session.listFolders()).resolves.not.toHaveLength(0);
    expect(gmail.waits).toHaveLength(2);
    expect(gmail.waits[0]).toBeGreaterThanOrEqual(225);
    expect(gmail.waits[1]).toBeGreaterThanOrEqual(900);
  });

  it('are attempted four times at most', async () => {
    trouble({ reply: refusals.backend() }, 9);
    await expect(gmail.session.listFolders()).rejects.toMatchObject({
      failure: 'temporary',
      lastReply: { code: '503' },
    });
    expect(gmail.server.requests).toHaveLength(4);
  });

  it.each([
    ['seconds', '7', 7_000],
    ['a date', new Date(Date.parse('2026-11-21T10:00:30Z')).toUTCString(), 30_000],
  ])('are left to the caller when Gmail states in %s how long to wait', async (_name, retryAfter, expected) => {
    const driver = new GmailDriver({ apiUrl: gmail.server.url, now: () => Date.parse('2026-11-21T10:00:00Z') });
    const session = driver.open({ kind: 'gmail', id: '1', revision: '1', email: ADDRESS, token: async () => TOKEN });
    trouble({ reply: refusals.rateLimit(retryAfter) });
    await expect(session.listFolders()).rejects.toMatchObject({ failure: 'temporary', retryAfterMs: expected });
    expect(gmail.server.requests).toHaveLength(1);
    await driver.close();
  });

  it('are not retried when they are refused', async () => {
    trouble({ reply: refusals.forbidden('insufficientPermissions') });
    await expect(gmail.session.listFolders()).rejects.toMatchObject({ failure: 'needs-human', stage: 'login' });
    expect(gmail.server.requests).toHaveLength(1);
  });

  it('fail when the server is unreachable', async () => {
    const driver = new GmailDriver({ apiUrl: gmail.server.url, wait: async () => undefined });
    const session = driver.open({ kind: 'gmail', id: '1', revision: '1', email: ADDRESS, token: async () => TOKEN });
    await gmail.server.close();
    await expect(session.listFolders()).rejects.toMatchObject({
      failure: 'temporary',
      stage: 'connect',
      lastReply: null,
    });
    await driver.close();
    gmail = await openGmailFixture();
  });

  it('end when the session is closed, and none starts afterwards', async () => {
    trouble({ lost: 'hang' });
    const listing = gmail.session.listFolders();
    await eventually('the request came in', () => gmail.server.requests.length === 1);
    await gmail.session.close();
    await expect(listing).rejects.toMatchObject({ failure: 'temporary', message: 'The session was closed' });
    await expect(gmail.session.listFolders()).rejects.toMatchObject({ failure: 'temporary' });
    expect(gmail.server.requests).toHaveLength(1);
  });

  it('end when the caller aborts', async () => {
    gmail.mailbox.deliver(mail());
    gmail.server.trouble({ on: 'messages.get', fault: { lost: 'hang' }, times: 9 });
    const stop = new AbortController();
    const syncing = gmail.session.sync({ cursor: null, since: new Date(0), limit: 10, signal: stop.signal });
    await eventually('the request came in', () =>
      gmail.server.requests.some(({ method }) => method === 'messages.get'),
    );
    stop.abort();
    await expect(syncing).rejects.toMatchObject({ failure: 'temporary', message: 'The caller aborted the request' });
    await promisify(setImmediate)();
  });

  it('find the API below a path with or without a trailing slash', async () => {
    const paths: string[] = [];
    for (const apiUrl of [gmail.server.url, gmail.server.url.slice(0, -1)]) {
      const driver = new GmailDriver({ apiUrl });
      const session = driver.open({ kind: 'gmail', id: '1', revision: '1', email: ADDRESS, token: async () => TOKEN });
      paths.push(...(await session.listFolders()).map(({ id }) => id).slice(0, 1));
      await driver.close();
    }
    expect(paths).toEqual(['INBOX', 'INBOX']);
  });
});
