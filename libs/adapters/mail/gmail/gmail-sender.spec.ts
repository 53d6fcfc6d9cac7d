import { eventually } from '@testing';
import { type SendOutcome } from '../port/send';
import { MailError } from '../port/mail.errors';
import { type GmailFixture, mail, NEXT_TOKEN, openGmailFixture, outgoing, TOKEN } from './testing/gmail-fixture';
import { refusals } from './testing/gmail-refusals';
import { type GmailFault } from './testing/gmail-server';

const yes = async (): Promise<boolean> => true;

describe('sending through Gmail', () => {
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

  const methods = () => gmail.server.requests.map(({ method }) => method);
  const send = async (fault?: GmailFault, on: 'drafts.create' | 'drafts.send' = 'drafts.send') => {
    if (fault) gmail.server.trouble({ on, fault });
    const message = outgoing();
    let draftId: string | null = null;
    const outcome: SendOutcome = await gmail.session.send(message, {
      beforeHandover: async (handle) => {
        draftId = handle.draftId;
        return true;
      },
    });
    return { message, outcome, draftId: draftId as string | null };
  };

  it('creates a draft, calls the ready check, and sends the draft', async () => {
    const { outcome, message } = await send();
    const sent = gmail.mailbox.find(message.messageId);
    expect(outcome).toMatchObject({
      kind: 'accepted',
      lastReply: { code: '200', command: 'POST drafts/send', response: expect.stringContaining('SENT') },
      providerMessageId: sent?.id,
      providerThreadId: sent?.threadId,
    });
    expect(methods()).toEqual(['drafts.create', 'drafts.send']);
    expect(gmail.mailbox.sent.map(({ raw }) => raw)).toEqual([message.raw]);
  });

  it('uploads a large message byte by byte', async () => {
    const message = outgoing({ body: 'ünïcödé '.repeat(800_000) });
    gmail.mailbox.deliver(mail({ 'Message-ID': '<first@there.example>' }));
    const { threadId } = gmail.mailbox.find('<first@there.example>') ?? {};
    const outcome = await gmail.session.send(message, { beforeHandover: yes, threadId: threadId ?? '' });
    expect(outcome).toMatchObject({ kind: 'accepted', providerThreadId: threadId });
    expect(gmail.server.requests[0]).toMatchObject({ method: 'drafts.create', isUpload: true });
    expect(gmail.mailbox.sent[0]?.raw.equals(message.raw)).toBe(true);
  });

  it('uploads again with a new token', async () => {
    gmail.mailbox.tokens.delete(TOKEN);
    gmail.mailbox.tokens.add(NEXT_TOKEN);
    const message = outgoing({ body: 'x'.repeat(6_000_000) });
    const outcome = await gmail.session.send(message, { beforeHandover: yes });
    expect(outcome.kind).toBe('accepted');
    expect(gmail.mailbox.sent[0]?.raw.equals(message.raw)).toBe(true);
  });

  it('adds a message to a conversation', async () => {
    const first = gmail.mailbox.deliver(mail());
    const outcome = await gmail.session.send(outgoing(), { beforeHandover: yes, threadId: first.threadId });
    expect(outcome).toMatchObject({ kind: 'accepted', providerThreadId: first.threadId });
  });

  it('sends without the conversation when it no longer exists', async () => {
    const outcome = await gmail.session.send(outgoing(), { beforeHandover: yes, threadId: '19a0000000000bad' });
    expect(outcome.kind).toBe('accepted');
    expect(methods()).toEqual(['drafts.create', 'drafts.create', 'drafts.send']);
  });

  it.each([
    ['drafts.create', 'temporary'],
    ['drafts.send', 'ambiguous'],
  ] as const)('ends with the signal of its caller at %s', async (on, kind) => {
    const stop = new AbortController();
    gmail.server.trouble({ on, fault: { lost: 'hang', after: true } });
    const sending = gmail.session.send(outgoing(), { beforeHandover: yes, deadline: stop.signal });
    await eventually('the server hangs', () => methods().includes(on));
    stop.abort(new DOMException('time is up', 'TimeoutError'));
    expect(await sending).toMatchObject({ kind });
    expect(methods().filter((method) => method === on)).toHaveLength(1);
  });

  describe('before the handover', () => {
    it('deletes the draft when the ready check refuses', async () => {
      const outcome = await gmail.session.send(outgoing(), { beforeHandover: async () => false });
      expect(outcome).toEqual({ kind: 'withheld' });
      expect(gmail.mailbox.messages.size).toBe(0);
    });

    it('deletes the draft when the ready check fails', async () => {
      const broken = new Error('no marker');
      const sending = gmail.session.send(outgoing(), { beforeHandover: () => Promise.reject(broken) });
      await expect(sending).rejects.toBe(broken);
      expect(gmail.mailbox.messages.size).toBe(0);
    });

    it('deletes the draft when it is aborted during the ready check', async () => {
      const stop = new AbortController();
      const beforeHandover = async (): Promise<boolean> => {
        stop.abort();
        return true;
      };
      const outcome = await gmail.session.send(outgoing(), { beforeHandover, signal: stop.signal });
      expect(outcome).toEqual({ kind: 'withheld' });
      expect(gmail.mailbox.messages.size).toBe(0);
    });

    it('withholds the message even if the draft cannot be deleted', async () => {
      gmail.server.trouble({ on: 'drafts.delete', fault: { reply: refusals.backend() }, times: 9 });
      const outcome = await gmail.session.send(outgoing(), { beforeHandover: async () => false });
      expect(outcome).toEqual({ kind: 'withheld' });
    });

    it.each<[string, GmailFault, object]>([
      ['a full quota', { reply: refusals.rateLimit('60') }, { kind: 'temporary', retryAfterMs: 60_000, stage: 'data' }],
      ['a fault', { reply: refusals.backend() }, { kind: 'temporary', lastReply: { code: '503' } }],
      ['no answer', { lost: 'hang', after: true }, { kind: 'temporary', lastReply: null }],
      ['half an answer', { lost: 'cut' }, { kind: 'temporary' }],
      ['a message that is refused', { reply: refusals.invalid('Invalid From header') }, { kind: 'permanent' }],
      ['a scope that is missing', { reply: refusals.forbidden('insufficientPermissions') }, { kind: 'needs-human' }],
      ['an account without Gmail', { reply: refusals.mailServiceOff() }, { kind: 'needs-human', stage: 'login' }],
    ])('reports no more than %s, and leaves no draft', async (_name, fault, expected) => {
      if ('lost' in fault && fault.lost === 'hang') await beImpatient();
      gmail.server.trouble({ on: 'drafts.create', fault, times: 2 });
      const beforeHandover = jest.fn(yes);
      expect(await gmail.session.send(outgoing(), { beforeHandover })).toMatchObject(expected);
      expect(beforeHandover).not.toHaveBeenCalled();
      expect(gmail.mailbox.messages.size).toBe(0);
      expect(methods()).not.toContain('drafts.send');
    });

    it('creates the draft again after a lost connection, and leaves no second one', async () => {
      const { outcome } = await send({ lost: 'reset', after: true }, 'drafts.create');
      expect(outcome.kind).toBe('accepted');
      expect(gmail.mailbox.drafts.size).toBe(0);
      expect(gmail.mailbox.sent).toHaveLength(1);
    });
  });

  describe('after the handover', () => {
    it.each<[string, GmailFault]>([
      ['the connection is lost before Gmail took it', { lost: 'reset' }],
      ['the connection is lost after Gmail took it', { lost: 'reset', after: true }],
      ['Gmail fails', { reply: refusals.backend(500) }],
      ['Gmail fails after it took it', { reply: refusals.backend(503), after: true }],
      ['no answer comes', { lost: 'hang' }],
      ['a proxy asked twice', { reply: refusals.notFound(), after: true }],
    ])('reports an ambiguous outcome when %s, and neither repeats nor removes anything', async (_name, fault) => {
      if ('lost' in fault && fault.lost === 'hang') await beImpatient();
      const { outcome } = await send(fault);
      expect(outcome).toMatchObject({ kind: 'ambiguous', failure: 'ambiguous', stage: 'handover' });
      expect(methods()).toEqual(['drafts.create', 'drafts.send']);
    });

    it.each<[string, GmailFault, object]>([
      ['429', { reply: refusals.rateLimit('30') }, { kind: 'temporary', retryAfterMs: 30_000 }],
      ['a quota', { reply: refusals.quota('userRateLimitExceeded') }, { kind: 'temporary' }],
      ['400', { reply: refusals.invalid('Invalid To header') }, { kind: 'permanent', stage: 'handover' }],
      ['403', { reply: refusals.forbidden('domainPolicy') }, { kind: 'needs-human' }],
    ])(
      'reports that the message was not accepted when the response is %s, and leaves no draft',
      async (_name, fault, expected) => {
        const { outcome } = await send(fault);
        expect(outcome).toMatchObject(expected);
        expect(gmail.mailbox.messages.size).toBe(0);
      },
    );

    it('counts as sent when the acceptance is truncated', async () => {
      const { outcome } = await send({ lost: 'cut' });
      expect(outcome).toMatchObject({ kind: 'accepted', providerMessageId: null, providerThreadId: null });
      expect(gmail.mailbox.sent).toHaveLength(1);
    });

    it('counts as sent when the acceptance is empty', async () => {
      const { outcome } = await send({ reply: { status: 200, body: 'null' }, after: true });
      expect(outcome).toMatchObject({ kind: 'accepted', providerMessageId: null });
    });

    it('uses a new token after an expiry in between, because a 401 proves that nothing was sent', async () => {
      gmail.mailbox.tokens.add(NEXT_TOKEN);
      const outcome = await gmail.session.send(outgoing(), {
        beforeHandover: async () => gmail.mailbox.tokens.delete(TOKEN),
      });
      expect(outcome.kind).toBe('accepted');
      expect(gmail.refused).toEqual([TOKEN]);
      expect(gmail.mailbox.sent).toHaveLength(1);
    });

    it('reports an ambiguous outcome when the session is closed meanwhile', async () => {
      gmail.server.trouble({ on: 'drafts.send', fault: { lost: 'hang' }, when: () => Boolean(gmail.session.close()) });
      const outcome = await gmail.session.send(outgoing(), { beforeHandover: yes });
      expect(outcome).toMatchObject({ kind: 'ambiguous', message: 'The session was closed' });
    });

    it('reports that nothing was submitted when the session was closed before', async () => {
      const outcome = await gmail.session.send(outgoing(), {
        beforeHandover: async () => {
          await gmail.session.close();
          return true;
        },
      });
      expect(outcome).toMatchObject({ kind: 'temporary' });
      expect(methods()).toEqual(['drafts.create']);
    });
  });

  describe('resolving an ambiguous send', () => {
    const look = async (fault: GmailFault) => {
      const { message, draftId } = await send(fault);
      return gmail.session.findSent(message.messageId, { draftId });
    };

    it('finds the message among the sent mail', async () => {
      const state = await look({ lost: 'reset', after: true });
      const sent = gmail.mailbox.find(gmail.mailbox.sent[0]?.messageId ?? '');
      expect(state).toEqual({ state: 'sent', providerMessageId: sent?.id, providerThreadId: sent?.threadId });
    });

    it('finds the message even after its author deleted it', async () => {
      const { message, draftId } = await send({ lost: 'reset', after: true });
      gmail.mailbox.relabel(gmail.mailbox.find(message.messageId)?.id ?? '', ['TRASH'], []);
      expect(await gmail.session.findSent(message.messageId, { draftId })).toMatchObject({ state: 'sent' });
    });

    it('proves that it was not sent while the draft exists', async () => {
      expect(await look({ lost: 'reset' })).toEqual({ state: 'not_sent' });
    });

    it('has no proof when neither the draft nor the message exists', async () => {
      const { message, draftId } = await send({ lost: 'reset' });
      gmail.mailbox.deleteDraft(draftId ?? '');
      expect(await gmail.session.findSent(message.messageId, { draftId })).toEqual({ state: 'unknown' });
    });

    it('ignores other mail with the same Message-ID', async () => {
      gmail.mailbox.deliver(mail({ 'Message-ID': '<x@sender.example>' }));
      const found = await gmail.session.findSent('<x@sender.example>', { draftId: null });
      expect(found).toEqual({ state: 'unknown' });
    });

    it.each(['<x in:anywhere @y>', '', '<a" OR "b@c>'])('does not search for %j', async (messageId) => {
      expect(await gmail.session.findSent(messageId, { draftId: null })).toEqual({ state: 'unknown' });
      expect(gmail.server.requests).toEqual([]);
    });

    it('fails without a proof when Gmail is unavailable', async () => {
      gmail.server.trouble({ on: 'messages.list', fault: { reply: refusals.backend() }, times: 9 });
      const looking = gmail.session.findSent('<x@sender.example>', { draftId: null });
      await expect(looking).rejects.toBeInstanceOf(MailError);
    });
  });
});
