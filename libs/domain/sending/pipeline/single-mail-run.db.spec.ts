import { composeMessage } from '@adapters/mail';
import { MailboxUpdateService } from '@domain/mailboxes';
import { MailboxLeaseService } from '@domain/sends';
import { MINUTE, SendingFixture } from '../testing/sending-fixture';
import { refused } from '../testing/scripted-server';
import { MailboxSenderService } from './mailbox-sender.service';
import {
  type LeftMail,
  type MailClaim,
  type MailOffer,
  type OutboundMail,
  type OutboundMailSource,
  type ReleasedMail,
  type SettledMail,
  type SupersededPart,
} from './outbound-mail-source';

/** A source that holds its mail in memory and records each call. */
class MemoryMailSource implements OutboundMailSource<string, OutboundMail> {
  readonly name = 'memory';
  readonly isWarmup = true;
  readonly calls: string[] = [];

  constructor(
    public waiting: string[] = [],
    public leftBehind: Pick<LeftMail, 'id' | 'claimedAt' | 'handoverAt'>[] = [],
  ) {}

  listLeft() {
    const left = this.leftBehind.splice(0).map((mail) => ({
      ...mail,
      release: (reason: string) => this.releaseLeft(reason),
      settle: () => Promise.resolve(true),
    }));
    return Promise.resolve(left);
  }

  next(): Promise<MailOffer<string>> {
    const [mail] = this.waiting;
    return Promise.resolve(mail === undefined ? { kind: 'wait', nextAt: null, isPoll: true } : { kind: 'mail', mail });
  }

  claim(id: string, { mailbox, at, withBudget }: MailClaim): Promise<OutboundMail | SupersededPart> {
    this.calls.push(`claimed ${mailbox.lease.fence > 0}`);
    return withBudget(() => Promise.resolve({ id, attempt: 1, claimedAt: at, recipient: null }));
  }

  async compose(mailbox: { email: string }, mail: OutboundMail) {
    const address = (email: string) => ({ name: '', address: email });
    const messageId = `<${mail.id}@senders.test>`;
    const to = address('friend@elsewhere.test');
    const written = { subject: 'Lunch', text: 'At noon?', messageId, date: NOW };
    return { message: await composeMessage({ from: address(mailbox.email), to, ...written }), mail };
  }

  allows() {
    return Promise.resolve(true);
  }

  markSending() {
    this.calls.push('sending');
    return Promise.resolve(true);
  }

  releaseLeft(reason: string) {
    this.calls.push(`released: ${reason}`);
    return Promise.resolve(true);
  }

  release(_mail: OutboundMail, { verdict }: ReleasedMail) {
    return this.releaseLeft(verdict.reason);
  }

  settle(_mailbox: unknown, _mail: OutboundMail, { verdict }: SettledMail) {
    this.calls.push('reason' in verdict ? `${verdict.kind}: ${verdict.reason}` : verdict.kind);
    this.waiting.shift();
    return Promise.resolve(true);
  }
}

const NOW = new Date('2026-11-25T12:00:00.000Z');
const MAIL = '6b01cc64c89c84ca75ffe95b';

let engine: SendingFixture;
let mailboxId: string;

beforeAll(async () => {
  engine = await SendingFixture.open();
});
afterAll(() => engine.close());
beforeEach(async () => {
  await engine.fresh();
  mailboxId = await engine.mailbox({ sendGapSeconds: 60, dailySendLimit: 2 });
});

const run = (source: MemoryMailSource, signal = new AbortController().signal) =>
  engine.get(MailboxSenderService).runOnce({ workspaceId: engine.workspaceId, mailboxId }, source, signal);
const left = () => ({ id: MAIL, claimedAt: engine.clock.now(), handoverAt: null });

describe('one mail of a source with a schedule of its own', () => {
  it('is claimed, marked, handed over and settled, in that order, and uses a token', async () => {
    const source = new MemoryMailSource([MAIL]);
    expect(await run(source)).toEqual({ kind: 'tried', isReleased: false, until: null });
    expect(source.calls).toEqual(['claimed true', 'sending', 'sent']);
    expect(engine.recipients()).toEqual(['friend@elsewhere.test']);
    expect(await engine.leaseOf(mailboxId)).toMatchObject({ dayUsed: 1, lastSentAt: engine.clock.now(), holder: '' });
  });

  it('observes the gap and daily limit together with campaigns, and returns the end of a wait', async () => {
    await engine.campaign([mailboxId], ['ann@acme.test', 'bob@acme.test']);
    const source = new MemoryMailSource([MAIL, MAIL]);
    await run(source);
    expect(await run(source)).toEqual({ kind: 'wait', until: engine.clock.in(MINUTE) });
    engine.clock.advance(MINUTE);
    await engine.run(mailboxId);
    expect(engine.recipients()).toEqual(['friend@elsewhere.test', 'ann@acme.test']);
    engine.clock.advance(MINUTE);
    const end = await run(source);
    expect(end.kind === 'wait' && end.until!.getTime() - NOW.getTime()).toBeGreaterThan(11 * 60 * MINUTE);
    expect(source.calls.filter((what) => what === 'sending')).toHaveLength(1);
  });

  it('may use the whole limit, although campaigns reserve warmup’s share', async () => {
    const share = { mails: 3, weekdaysOnly: false };
    await engine.changeMailbox(mailboxId, { dailySendLimit: 5, sendGapSeconds: 0, 'warmup.share': share });
    await engine.campaign([mailboxId], ['ann@acme.test', 'bob@acme.test', 'cyd@acme.test']);
    const source = new MemoryMailSource([MAIL, MAIL, MAIL, MAIL]);
    await run(source);
    await engine.run(mailboxId);
    expect(engine.recipients()).toEqual(['friend@elsewhere.test', 'ann@acme.test', 'bob@acme.test']);
    expect(await engine.leaseOf(mailboxId)).toMatchObject({ dayUsed: 3, dayWarmup: 1 });
    await run(source);
    await run(source);
    expect(await run(source)).toMatchObject({ kind: 'wait' });
    expect(engine.server.given).toHaveLength(5);
    expect(await engine.leaseOf(mailboxId)).toMatchObject({ dayUsed: 5, dayWarmup: 3 });
  });

  it('waits without a known end while the mailbox is paused', async () => {
    await engine.get(MailboxUpdateService).pause(engine.workspace, mailboxId);
    expect(await run(new MemoryMailSource([MAIL]))).toEqual({ kind: 'wait', until: null });
    expect(engine.server.given).toEqual([]);
  });

  it('changes neither the run that campaigns have scheduled nor a run requested meanwhile', async () => {
    const leases = engine.get(MailboxLeaseService);
    const later = engine.clock.in(30 * MINUTE);
    await leases.scheduleNow(engine.workspaceId, [mailboxId], later);
    await run(new MemoryMailSource([MAIL]));
    expect((await engine.leaseOf(mailboxId)).nextAt).toEqual(later);
    engine.clock.advance(MINUTE);
    const sooner = engine.clock.in(5 * MINUTE);
    engine.server.beforeHandover = () => leases.scheduleNow(engine.workspaceId, [mailboxId], sooner);
    await run(new MemoryMailSource([MAIL]));
    expect((await engine.leaseOf(mailboxId)).nextAt).toEqual(sooner);
  });

  it('is not sent while the mailbox sender holds the lease, and holds the lease while it sends', async () => {
    await engine.campaign([mailboxId], ['ann@acme.test']);
    const ends: unknown[] = [];
    engine.server.beforeHandover = async () => {
      engine.server.beforeHandover = () => undefined;
      ends.push(await run(new MemoryMailSource([MAIL])));
    };
    await engine.run(mailboxId);
    expect(ends).toEqual([{ kind: 'busy' }]);
    expect(engine.recipients()).toEqual(['ann@acme.test']);
    engine.clock.advance(MINUTE);
    await engine.leads(await engine.campaign([mailboxId]), ['bob@acme.test']);
    engine.server.beforeHandover = async () => {
      engine.server.beforeHandover = () => undefined;
      await engine
        .get(MailboxSenderService)
        .run({ workspaceId: engine.workspaceId, mailboxId }, new AbortController().signal);
    };
    await run(new MemoryMailSource([MAIL]));
    expect(engine.recipients()).toEqual(['ann@acme.test', 'friend@elsewhere.test']);
  });

  it('is not sent from a deleted mailbox', async () => {
    await run(new MemoryMailSource());
    await engine.model({ name: 'MailboxRecord' }).deleteOne({ _id: mailboxId, workspaceId: engine.workspaceId });
    expect(await run(new MemoryMailSource([MAIL]))).toEqual({ kind: 'gone' });
  });
});

describe('one mail of a source that fails', () => {
  it('returns its token if nothing was handed over, and the mailbox observes the cooldown that its server requests', async () => {
    engine.server.answers.push(refused('temporary', 'sender', '451 4.7.0 Too much', 20 * MINUTE));
    const source = new MemoryMailSource([MAIL]);
    const until = engine.clock.in(20 * MINUTE);
    expect(await run(source)).toEqual({ kind: 'tried', isReleased: true, until });
    expect(source.calls).toEqual(['claimed true', 'released: 451 4.7.0 Too much']);
    expect(await engine.leaseOf(mailboxId)).toMatchObject({
      dayUsed: 0,
      lastSentAt: null,
      cooldown: { until, count: 1 },
    });
    engine.clock.advance(20 * MINUTE);
    await run(source);
    expect(await engine.leaseOf(mailboxId)).toMatchObject({ dayUsed: 1, cooldown: null });
  });

  it('returns its token if its worker crashed after the claim', async () => {
    await run(new MemoryMailSource([MAIL]));
    const source = new MemoryMailSource([], [left()]);
    expect(await run(source)).toEqual({ kind: 'nothing' });
    expect(source.calls).toEqual(['released: The worker that had claimed the mail crashed']);
    expect(await engine.leaseOf(mailboxId)).toMatchObject({ dayUsed: 0, lastSentAt: null });
  });

  it('keeps its token if a worker that seemed crashed hands it over at that moment', async () => {
    await run(new MemoryMailSource([MAIL]));
    const source = new MemoryMailSource([], [left()]);
    source.releaseLeft = () => Promise.resolve(false);
    await run(source);
    expect(await engine.leaseOf(mailboxId)).toMatchObject({ dayUsed: 1, lastSentAt: engine.clock.now() });
  });

  it('is neither counted nor handed over after a concurrent change', async () => {
    const source = new MemoryMailSource([MAIL]);
    source.claim = (_id, { withBudget }) => withBudget<OutboundMail>(() => Promise.resolve('mail'));
    expect(await run(source)).toEqual({ kind: 'nothing' });
    expect(engine.server.given).toEqual([]);
    expect(await engine.leaseOf(mailboxId)).toMatchObject({ dayUsed: 0 });
  });

  it('is not handed over if it cannot be marked', async () => {
    const source = new MemoryMailSource([MAIL]);
    source.markSending = () => Promise.resolve(false);
    expect(await run(source)).toMatchObject({ kind: 'tried', isReleased: true });
    expect(engine.server.given).toEqual([]);
    expect(await engine.leaseOf(mailboxId)).toMatchObject({ dayUsed: 0 });
  });

  it('is not handed over if another worker acquires the lease before a late handover', async () => {
    const source = new MemoryMailSource([MAIL]);
    engine.server.beforeHandover = async () => {
      engine.clock.advance(MINUTE);
      await engine.expire(mailboxId);
      await engine.get(MailboxLeaseService).acquire(mailboxId);
    };
    await run(source);
    expect(engine.server.given).toEqual([]);
    expect(source.calls).not.toContain('sending');
    expect((await engine.leaseOf(mailboxId)).holder).not.toBe('');
  });

  it('stops the mailbox if its server refuses the sender', async () => {
    engine.server.answers.push(refused('permanent', 'sender', '550 5.7.1 Not you'));
    const source = new MemoryMailSource([MAIL]);
    await run(source);
    expect(source.calls.at(-1)).toBe('stop_mailbox: 550 5.7.1 Not you');
    expect((await engine.leaseOf(mailboxId)).stopped).toMatchObject({ message: '550 5.7.1 Not you' });
    expect(await engine.events()).toEqual(['mailbox.sending_stopped']);
  });

  it('is deferred like a temporary refusal if it cannot be composed', async () => {
    const source = new MemoryMailSource([MAIL]);
    source.compose = () => Promise.reject(new Error('no words'));
    await run(source);
    expect(source.calls.at(-1)).toBe('retry: The email could not be composed: no words');
  });
});
