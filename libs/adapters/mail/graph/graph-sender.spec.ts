import { promisify } from 'node:util';
import { eventually } from '@testing';
import { newMessageId, outgoing } from '../conformance/mail-samples';
import { MailError } from '../port/mail.errors';
import { type ComposedMessage, type SendHandle, type SendOutcome } from '../port/send';
import { errorReply } from './testing/graph-answers';
import { GraphTestTime } from './testing/graph-time';
import { type GraphTestEnvironment, openGraphTestEnvironment } from './testing/graph-test-environment';

const SEND = /^POST .*\/send$/;
const CREATE = /^POST \/me\/messages$/;

/** Runs all ready callbacks. */
const tick = promisify(setImmediate);

describe('sending through Microsoft Graph', () => {
  let environment: GraphTestEnvironment;
  let time: GraphTestTime;
  let serverNow: Date;

  const begin = async (draftSettleMs = 0): Promise<void> => {
    serverNow = new Date('2026-11-21T10:00:00Z');
    time = new GraphTestTime();
    environment = await openGraphTestEnvironment(
      { time, draftSettleMs, timeouts: { answerMs: 150 } },
      { now: () => serverNow },
    );
  };
  beforeEach(() => begin());
  afterEach(() => environment.close());

  const send = async (message = outgoing(environment.address, environment.recipient('accepted'))) => {
    const handles: SendHandle[] = [];
    const outcome = await environment.session.send(message, {
      beforeHandover: async (handle) => handles.push(handle) > 0,
    });
    return { outcome, message, handle: handles[0] ?? { draftId: null } };
  };
  const asked = (what: RegExp): number =>
    environment.mailbox.requests.filter(({ method, path }) => what.test(`${method} ${path}`)).length;
  const drafts = () => environment.mailbox.in('drafts');
  const acceptedOf = ({ messageId }: ComposedMessage) =>
    environment.mailbox.accepted.filter((accepted) => accepted.messageId === messageId);

  it('creates a draft of the exact bytes, calls the ready check, sends the draft, and returns its id', async () => {
    const { outcome, message, handle } = await send();
    expect(outcome).toMatchObject({ kind: 'accepted', providerMessageId: handle.draftId });
    expect(acceptedOf(message)[0]?.raw).toEqual(message.raw);
    await tick();
    expect(drafts()).toEqual([]);
    expect(environment.mailbox.in('sentitems').map(({ id }) => id)).toEqual([handle.draftId]);
  });

  it('requests immutable ids with every request', async () => {
    const { message, handle } = await send();
    await environment.session.findSent(message.messageId, handle);
    await environment.session.sync({ cursor: null, since: new Date(0), limit: 10 });
    expect(environment.mailbox.requests.length).toBeGreaterThan(6);
    expect(environment.mailbox.requests.filter(({ prefer }) => !prefer.includes('IdType="ImmutableId"'))).toEqual([]);
  });

  it('leaves no draft of a withheld message', async () => {
    const message = outgoing(environment.address, environment.recipient('accepted'));
    await environment.session.send(message, { beforeHandover: () => Promise.resolve(false) });
    expect(drafts()).toEqual([]);
  });

  it.each([
    ['made', CREATE, 'temporary', 0],
    ['told to go', SEND, 'ambiguous', 1],
  ])('ends with the signal of its caller while the draft is %s', async (_what, on, kind, questions) => {
    const stop = new AbortController();
    environment.mailbox.faults.push({ on, carriedOut: true, does: 'hang' });
    const message = outgoing(environment.address, environment.recipient('accepted'));
    const beforeHandover = jest.fn(() => Promise.resolve(true));
    const sending = environment.session.send(message, { beforeHandover, deadline: stop.signal });
    await eventually('the server hangs', () => asked(on) === 1);
    stop.abort(new DOMException('time is up', 'TimeoutError'));
    expect(await sending).toMatchObject({ kind });
    expect(asked(on)).toBe(1);
    expect(beforeHandover).toHaveBeenCalledTimes(questions);
  });

  it('withholds a message when it is aborted while the draft is created', async () => {
    const stop = new AbortController();
    environment.mailbox.gate = tick().then(() => stop.abort());
    const beforeHandover = jest.fn(() => Promise.resolve(true));
    const message = outgoing(environment.address, environment.recipient('accepted'));
    expect(await environment.session.send(message, { beforeHandover, signal: stop.signal })).toEqual({
      kind: 'withheld',
    });
    expect(beforeHandover).not.toHaveBeenCalled();
    expect(drafts()).toEqual([]);
  });

  describe.each([
    ['an answer of 500', errorReply(500, 'InternalServerError', 'Oops')],
    ['an answer of 503', errorReply(503, 'ServiceUnavailable', 'Busy', { 'retry-after': '5' })],
    ['an answer of 504', errorReply(504, 'GatewayTimeout', 'Late')],
    ['a broken connection', 'reset'],
    ['no answer', 'hang'],
  ] as const)('returns an ambiguous outcome without a second send request after %s', (_what, then) => {
    it('when the message was accepted, and finds it', async () => {
      environment.mailbox.faults.push({ on: SEND, carriedOut: true, does: then });
      const { outcome, message, handle } = await send();
      expect(outcome).toMatchObject({ kind: 'ambiguous', failure: 'ambiguous', stage: 'handover' });
      expect(asked(SEND)).toBe(1);
      time.advance(60_000);
      expect(await environment.session.findSent(message.messageId, handle)).toMatchObject({
        state: 'sent',
        providerMessageId: handle.draftId,
      });
      expect(acceptedOf(message)).toHaveLength(1);
    });

    it('when it was not accepted, and proves it', async () => {
      environment.mailbox.faults.push({ on: SEND, does: then });
      const { outcome, message, handle } = await send();
      expect(outcome.kind).toBe('ambiguous');
      expect(asked(SEND)).toBe(1);
      time.advance(60_000);
      expect(await environment.session.findSent(message.messageId, handle)).toEqual({ state: 'not_sent' });
      // No user can send it from there, and the result stays the same.
      expect(drafts()).toEqual([]);
      expect(await environment.session.findSent(message.messageId, handle)).toEqual({ state: 'not_sent' });
      expect(acceptedOf(message)).toEqual([]);
    });
  });

  it.each([
    ['throttled', errorReply(429, 'ApplicationThrottled', 'Slow', { 'retry-after': '7' }), 'temporary', 7_000],
    ['over the limit of messages', errorReply(403, 'ErrorExceededMessageLimit', 'Limit'), 'temporary', null],
    ['gone right after it was made', errorReply(404, 'ErrorItemNotFound', 'Not found'), 'temporary', null],
    ['refused', errorReply(400, 'ErrorInvalidRecipients', 'No'), 'permanent', null],
    ['from another sender', errorReply(403, 'ErrorSendAsDenied', 'No'), 'needs-human', null],
  ] as const)('reports that a message was not accepted when it is %s', async (_what, then, kind, retryAfterMs) => {
    environment.mailbox.faults.push({ on: SEND, does: then });
    const { outcome } = await send();
    expect(outcome).toMatchObject({ kind, failure: kind, retryAfterMs, lastReply: { code: String(then.status) } });
    expect(asked(SEND)).toBe(1);
  });

  it('removes the draft of a throttled message as soon as possible', async () => {
    const { outcome } = await send(outgoing(environment.address, environment.recipient('temporary')));
    expect(outcome.kind).toBe('temporary');
    expect(drafts()).toHaveLength(1);
    time.advance(2_000);
    expect((await send()).outcome.kind).toBe('accepted');
    await tick();
    expect(drafts()).toEqual([]);
  });

  it('sends no request to a mailbox with a long throttling', async () => {
    environment.mailbox.faults.push({
      on: SEND,
      does: errorReply(429, 'ApplicationThrottled', 'Slow', { 'retry-after': '600' }),
    });
    await send();
    const before = environment.mailbox.requests.length;
    const { outcome } = await send();
    expect(outcome).toMatchObject({ kind: 'temporary', retryAfterMs: 600_000 });
    expect(environment.mailbox.requests.length).toBe(before);
  });

  it.each([
    ['too large', errorReply(413, 'RequestEntityTooLarge', 'Large'), 'permanent'],
    ['not wanted now', errorReply(503, 'ServiceUnavailable', 'Busy', { 'retry-after': '3' }), 'temporary'],
    ['broken', errorReply(500, 'InternalServerError', 'Oops'), 'temporary'],
    ['without permission', errorReply(403, 'ErrorAccessDenied', 'No'), 'needs-human'],
  ] as const)('sends nothing when the draft is %s', async (_what, then, kind) => {
    environment.mailbox.faults.push({ on: CREATE, does: then });
    const { outcome, handle } = await send();
    expect(outcome).toMatchObject({ kind, lastReply: { command: 'POST /messages' } });
    expect(handle.draftId).toBeNull();
    expect(asked(CREATE)).toBe(1);
  });

  it('continues with the created draft when the response to its creation was lost', async () => {
    environment.mailbox.faults.push({ on: CREATE, carriedOut: true, does: 'reset' });
    const { outcome, message } = await send();
    expect(outcome.kind).toBe('accepted');
    await tick();
    expect(asked(CREATE)).toBe(1);
    expect(acceptedOf(message)).toHaveLength(1);
    expect(drafts()).toEqual([]);
  });

  it('reports that nothing was handed over when the server is unreachable', async () => {
    await environment.server.close();
    const message = outgoing(environment.address, 'a@elsewhere.test');
    const outcome = await environment.session.send(message, { beforeHandover: () => Promise.resolve(true) });
    expect(outcome).toMatchObject({ kind: 'temporary', stage: 'connect' });
    await begin();
  });

  it('renews a refused token in between, and sends the draft once', async () => {
    const tokens = ['first', 'second'];
    environment.mailbox.tokens.add('first');
    const token = jest.fn((refused?: string) => Promise.resolve(String(tokens[refused === 'first' ? 1 : 0])));
    const session = environment.open(token);
    const message = outgoing(environment.address, environment.recipient('accepted'));
    const outcome = await session.send(message, {
      beforeHandover: () => {
        environment.mailbox.tokens.delete('first');
        environment.mailbox.tokens.add('second');
        return Promise.resolve(true);
      },
    });
    expect(outcome.kind).toBe('accepted');
    expect(token.mock.calls).toEqual([[], [], ['first']]);
    expect(acceptedOf(message)).toHaveLength(1);
    await session.close();
  });

  it('reports that a person is needed without a token', async () => {
    const gone = new MailError({ failure: 'needs-human', stage: 'login', message: 'The grant is gone' });
    const session = environment.open(() => Promise.reject(gone));
    const message = outgoing(environment.address, environment.recipient('accepted'));
    const outcome = await session.send(message, { beforeHandover: () => Promise.resolve(true) });
    expect(outcome).toMatchObject({ kind: 'needs-human', stage: 'login', message: 'The grant is gone' });
    await session.close();
  });

  it('refuses a message that names more than one recipient', async () => {
    const first = environment.recipient('accepted');
    const message = outgoing(environment.address, first);
    const raw = Buffer.from(
      message.raw.toString().replace(`To: <${first}>`, `To: "a <${first}>, b" <x@b.test>, <${first}>`),
    );
    const { outcome } = await send({ ...message, raw });
    expect(outcome).toMatchObject({ kind: 'permanent', stage: 'recipient' });
    expect(environment.mailbox.accepted).toEqual([]);
    expect(drafts()).toEqual([]);
  });

  it('reports an ambiguous outcome when the draft became a message, and leaves the sent message in place', async () => {
    const gone = errorReply(404, 'ErrorItemNotFound', 'Not found');
    environment.mailbox.faults.push({ on: SEND, carriedOut: true, does: gone });
    const { outcome, handle } = await send();
    expect(outcome.kind).toBe('ambiguous');
    await tick();
    expect(environment.mailbox.in('sentitems').map(({ id }) => id)).toEqual([handle.draftId]);
  });

  it('reports an ambiguous outcome when the session is closed meanwhile', async () => {
    environment.mailbox.faults.push({ on: SEND, carriedOut: true, does: 'hang' });
    const sending = send();
    while (asked(SEND) === 0) await tick();
    await environment.session.close();
    expect((await sending).outcome.kind).toBe('ambiguous');
  });

  it('reports that nothing was submitted when the session was closed before', async () => {
    const message = outgoing(environment.address, environment.recipient('accepted'));
    const beforeHandover = () => environment.session.close().then(() => true);
    expect(await environment.session.send(message, { beforeHandover })).toMatchObject({ kind: 'temporary' });
    expect(asked(SEND)).toBe(0);
  });

  it('never shows a token', async () => {
    const outcomes: SendOutcome[] = [];
    for (const code of [400, 429, 500]) {
      const lastReply = errorReply(code, 'Odd', 'You gave canary-graph-access-token');
      environment.mailbox.faults.push({ on: SEND, does: lastReply }, { on: CREATE, does: lastReply });
      outcomes.push((await send()).outcome, (await send()).outcome);
    }
    expect(JSON.stringify(outcomes)).toContain('[token]');
    expect(JSON.stringify(outcomes)).not.toContain('canary');
  });

  describe('resolving an ambiguous send', () => {
    it('takes no proof from a draft that may still be sent', async () => {
      await environment.close();
      await begin(300_000);
      environment.mailbox.holdsSends = true;
      environment.mailbox.faults.push({ on: SEND, carriedOut: true, does: errorReply(504, 'GatewayTimeout', 'Late') });
      const { message, handle } = await send();
      serverNow = new Date(serverNow.getTime() + 299_000);
      expect(await environment.session.findSent(message.messageId, handle)).toEqual({ state: 'unknown' });
      environment.mailbox.releaseSends();
      expect(await environment.session.findSent(message.messageId, handle)).toMatchObject({ state: 'sent' });
    });

    it('takes a remaining draft as proof, and prevents its late submission', async () => {
      await environment.close();
      await begin(300_000);
      environment.mailbox.faults.push({ on: SEND, does: 'reset' });
      const { message, handle } = await send();
      serverNow = new Date(serverNow.getTime() + 300_000);
      expect(await environment.session.findSent(message.messageId, handle)).toEqual({ state: 'not_sent' });
      expect(environment.mailbox.in('deleteditems')).toHaveLength(1);
    });

    it('finds a message by any Message-ID when the draft is unknown', async () => {
      const messageId = "<it's%20odd&$top=0'@conformance.test>";
      const { message } = await send(outgoing(environment.address, environment.recipient('accepted'), messageId));
      expect(message.messageId).toBe(messageId);
      await tick();
      expect(await environment.session.findSent(messageId, { draftId: null })).toMatchObject({ state: 'sent' });
    });

    it('finds a message whose draft has a new id', async () => {
      const { message } = await send();
      await tick();
      expect(await environment.session.findSent(message.messageId, { draftId: 'AAAgone=' })).toMatchObject({
        state: 'sent',
      });
    });

    it('has no proof when the draft was deleted and nothing was sent', async () => {
      environment.mailbox.faults.push({ on: SEND, does: 'reset' });
      const { message, handle } = await send();
      environment.mailbox.remove(environment.mailbox.message(handle.draftId ?? ''));
      expect(await environment.session.findSent(message.messageId, handle)).toEqual({ state: 'unknown' });
      expect(await environment.session.findSent(newMessageId(), { draftId: null })).toEqual({ state: 'unknown' });
    });

    it('fails temporarily without a result when it cannot search', async () => {
      const { message, handle } = await send();
      environment.mailbox.faults.push({ on: /^GET/, times: 9, does: errorReply(503, 'ServiceUnavailable', 'Busy') });
      await expect(environment.session.findSent(message.messageId, handle)).rejects.toMatchObject({
        failure: 'temporary',
      });
    });
  });
});
