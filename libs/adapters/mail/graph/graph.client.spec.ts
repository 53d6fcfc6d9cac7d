import { promisify } from 'node:util';
import { buffer } from 'node:stream/consumers';
import { mailWithAttachments, plainMail } from '../conformance/mail-samples';
import { errorReply } from './testing/graph-answers';
import { GraphTestTime } from './testing/graph-time';
import { type GraphTestEnvironment, openGraphTestEnvironment } from './testing/graph-test-environment';

const FOLDERS = /^GET \/me\/mailFolders\?/;

/** Runs all ready callbacks. */
const tick = promisify(setImmediate);

describe('requests to Microsoft Graph', () => {
  let environment: GraphTestEnvironment;
  let time: GraphTestTime;
  beforeEach(async () => {
    time = new GraphTestTime();
    environment = await openGraphTestEnvironment({ time });
  });
  afterEach(() => environment.close());

  const { session, mailbox } = { session: () => environment.session, mailbox: () => environment.mailbox };
  const asked = (what: RegExp): number =>
    mailbox().requests.filter(({ method, path }) => what.test(`${method} ${path}`)).length;
  const ref = async (raw = plainMail({ to: environment.address })) => {
    const { id, folder } = await mailbox().store(raw);
    return { id, folder };
  };

  it.each([
    ['500', errorReply(500, 'InternalServerError', 'Oops')],
    ['503 with a short Retry-After', errorReply(503, 'ServiceUnavailable', 'Busy', { 'retry-after': '2' })],
    [
      '429 with a date',
      errorReply(429, 'TooManyRequests', 'Slow', { 'retry-after': new Date(Date.now() + 3_000).toUTCString() }),
    ],
    ['a broken connection', 'reset'],
    ['an answer that is no JSON', { status: 200, body: Buffer.from('<html>') }],
    ['half an answer', { status: 200, body: Buffer.from('{"value":[') }],
  ] as const)('retries a read after %s', async (_what, then) => {
    mailbox().faults.push({ on: FOLDERS, times: 2, does: then });
    expect(await session().listFolders()).toHaveLength(6);
    expect(asked(FOLDERS)).toBe(3);
  });

  it('waits longer each time and finally fails', async () => {
    mailbox().faults.push({ on: FOLDERS, times: 99, does: errorReply(500, 'InternalServerError', 'Oops') });
    await expect(session().listFolders()).rejects.toMatchObject({
      failure: 'temporary',
      lastReply: { code: '500', command: 'GET /mailFolders', response: 'InternalServerError: Oops' },
    });
    expect(asked(FOLDERS)).toBe(4);
    expect(time.waits).toHaveLength(3);
    expect(time.waits.toSorted((a, b) => a - b)).toEqual(time.waits);
  });

  it('does not retry a permanently refused read', async () => {
    await expect(session().fetchRaw({ folder: 'x', id: 'AAAgone=' }, { maxBytes: 1_000 })).rejects.toMatchObject({
      failure: 'permanent',
      lastReply: { code: '404', response: expect.stringContaining('ErrorItemNotFound') },
    });
    expect(mailbox().requests).toHaveLength(1);
  });

  it('reports a long Retry-After, and sends no request to the mailbox until then', async () => {
    mailbox().faults.push({
      on: FOLDERS,
      does: errorReply(429, 'ApplicationThrottled', 'Slow', { 'retry-after': '120' }),
    });
    await expect(session().listFolders()).rejects.toMatchObject({ failure: 'temporary', retryAfterMs: 120_000 });
    const before = mailbox().requests.length;
    await expect(session().listFolders()).rejects.toMatchObject({ failure: 'temporary', retryAfterMs: 120_000 });
    expect(mailbox().requests.length).toBe(before);
    time.advance(120_000);
    expect(await session().listFolders()).toHaveLength(6);
  });

  it('survives heavy throttling without losses and with at most three concurrent requests', async () => {
    const refs = await Promise.all(Array.from({ length: 30 }, () => ref()));
    mailbox().faults.push(
      { on: /value/, times: 15, does: errorReply(429, 'MailboxConcurrency', 'Slow', { 'retry-after': '1' }) },
      { on: /value/, times: 5, does: errorReply(503, 'ServiceUnavailable', 'Busy', { 'retry-after': '1' }) },
    );
    const raws = await Promise.allSettled(refs.map((one) => session().fetchRaw(one, { maxBytes: 10_000 })));
    expect(raws.filter(({ status }) => status === 'rejected')).toEqual([]);
    expect(mailbox().mostInFlight).toBeLessThanOrEqual(3);
  });

  it('sends at most three concurrent requests per mailbox, over all its sessions', async () => {
    const another = environment.open();
    const refs = await Promise.all(Array.from({ length: 12 }, () => ref()));
    const { promise, resolve } = Promise.withResolvers<void>();
    mailbox().gate = promise;
    const raws = refs.map((one, index) => (index % 2 ? another : session()).fetchRaw(one, { maxBytes: 10_000 }));
    while (mailbox().inFlight < 3) await tick();
    // Enough time for a fourth one to arrive.
    for (let ticks = 0; ticks < 50; ticks++) await tick();
    resolve();
    await Promise.all(raws);
    expect(mailbox().mostInFlight).toBe(3);
    await another.close();
  });

  it('does not let one mailbox wait for another', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const refs = await Promise.all(Array.from({ length: 6 }, () => ref()));
    mailbox().gate = promise;
    const stuck = refs.map((one) => session().fetchRaw(one, { maxBytes: 10_000 }));
    while (mailbox().inFlight < 3) await tick();
    environment.server.mailbox('ada@contoso.test', ['ada-token']);
    const other = environment.driver.open({
      kind: 'graph',
      id: 'b',
      revision: '1',
      email: 'ada@contoso.test',
      token: () => Promise.resolve('ada-token'),
    });
    expect(await other.listFolders()).toHaveLength(6);
    resolve();
    await Promise.all(stuck);
    await other.close();
  });

  it('releases its slot when a stream is not read', async () => {
    const one = await ref(mailWithAttachments(environment.address));
    for (let count = 0; count < 5; count++) (await session().fetchAttachment(one, 0)).content.destroy();
    expect((await buffer((await session().fetchAttachment(one, 0)).content)).length).toBe(300);
  });

  it('requests another token once, with the refused one', async () => {
    const token = jest.fn((refused?: string) => Promise.resolve(refused === undefined ? 'old' : 'older'));
    const refused = environment.open(token);
    await expect(refused.fetchRaw({ folder: 'x', id: 'y' }, { maxBytes: 1 })).rejects.toMatchObject({
      failure: 'needs-human',
      stage: 'login',
      lastReply: { code: '401', response: expect.stringContaining('InvalidAuthenticationToken') },
    });
    expect(token.mock.calls).toEqual([[], ['old']]);
    await refused.close();
  });

  it('fails running and later requests when it is closed', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    mailbox().gate = promise;
    const running = Array.from({ length: 5 }, () => session().fetchRaw({ folder: 'x', id: 'y' }, { maxBytes: 1 }));
    const ended = Promise.allSettled(running);
    while (mailbox().inFlight < 3) await tick();
    await session().close();
    for (const outcome of await ended)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { failure: 'temporary' } });
    await expect(session().listFolders()).rejects.toMatchObject({
      failure: 'temporary',
      message: 'The session is closed',
    });
    resolve();
  });

  it('follows no link to another host, and sends the token only to Graph', async () => {
    const body = { value: [], '@odata.nextLink': 'https://evil.test/v1.0/me/mailFolders?$skip=10' };
    mailbox().faults.push({ on: FOLDERS, times: 9, does: { status: 200, body } });
    await expect(session().listFolders()).rejects.toMatchObject({ failure: 'temporary' });
  });

  it('follows no redirect', async () => {
    const headers = { location: 'http://127.0.0.1:1/stolen' };
    mailbox().faults.push({ on: FOLDERS, times: 9, does: { status: 302, headers } });
    await expect(session().listFolders()).rejects.toMatchObject({ failure: 'temporary', lastReply: { code: '302' } });
  });
});
