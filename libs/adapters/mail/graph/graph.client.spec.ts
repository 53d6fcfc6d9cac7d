import { promisify } from 'node:util';
import { buffer } from 'node:stream/consumers';
import { mailWithAttachments, plainMail } from '../conformance/mail-samples';
import { errorReply } from './testing/graph-answers';
import { GraphTestTime } from './testing/graph-time';
import { type GraphTestEnvironment, openGraphTestEnvironment } from './testing/graph-test-environment';

const FOLDERS = /^GET \/me\/mailFolders\?/;

/** Lets everything that is ready go on. */
const tick = promisify(setImmediate);

describe('asking Microsoft Graph', () => {
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
  ] as const)('reads again after %s', async (_what, then) => {
    mailbox().faults.push({ on: FOLDERS, times: 2, does: then });
    expect(await session().listFolders()).toHaveLength(6);
    expect(asked(FOLDERS)).toBe(3);
  });

  it('waits longer each time and gives up in the end', async () => {
    mailbox().faults.push({ on: FOLDERS, times: 99, does: errorReply(500, 'InternalServerError', 'Oops') });
    await expect(session().listFolders()).rejects.toMatchObject({
      failure: 'temporary',
      lastReply: { code: '500', command: 'GET /mailFolders', response: 'InternalServerError: Oops' },
    });
    expect(asked(FOLDERS)).toBe(4);
    expect(time.waits).toHaveLength(3);
    expect(time.waits.toSorted((a, b) => a - b)).toEqual(time.waits);
  });

  it('does not read again what was refused for good', async () => {
    await expect(session().fetchRaw({ folder: 'x', id: 'AAAgone=' }, { maxBytes: 1_000 })).rejects.toMatchObject({
      failure: 'permanent',
      lastReply: { code: '404', response: expect.stringContaining('ErrorItemNotFound') },
    });
    expect(mailbox().requests).toHaveLength(1);
  });

  it('hands a long Retry-After on, and leaves the mailbox alone for so long', async () => {
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

  it('comes through a storm of throttling with nothing lost and never more than three requests at once', async () => {
    const refs = await Promise.all(Array.from({ length: 30 }, () => ref()));
    mailbox().faults.push(
      { on: /value/, times: 15, does: errorReply(429, 'MailboxConcurrency', 'Slow', { 'retry-after': '1' }) },
      { on: /value/, times: 5, does: errorReply(503, 'ServiceUnavailable', 'Busy', { 'retry-after': '1' }) },
    );
    const raws = await Promise.allSettled(refs.map((one) => session().fetchRaw(one, { maxBytes: 10_000 })));
    expect(raws.filter(({ status }) => status === 'rejected')).toEqual([]);
    expect(mailbox().mostInFlight).toBeLessThanOrEqual(3);
  });

  it('has at most three requests under way for a mailbox, over all its sessions', async () => {
    const another = environment.open();
    const refs = await Promise.all(Array.from({ length: 12 }, () => ref()));
    const { promise, resolve } = Promise.withResolvers<void>();
    mailbox().gate = promise;
    const raws = refs.map((one, index) => (index % 2 ? another : session()).fetchRaw(one, { maxBytes: 10_000 }));
    while (mailbox().inFlight < 3) await tick();
    // Time enough for a fourth one to come in, if there were one.
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

  it('frees its place when a stream is left unread', async () => {
    const one = await ref(mailWithAttachments(environment.address));
    for (let count = 0; count < 5; count++) (await session().fetchAttachment(one, 0)).content.destroy();
    expect((await buffer((await session().fetchAttachment(one, 0)).content)).length).toBe(300);
  });

  it('asks for another token once, naming the refused one', async () => {
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

  it('fails what is running when it is closed, and what comes later', async () => {
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
