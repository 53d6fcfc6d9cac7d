import { composeMessage } from '@adapters/mail';
import { MailboxUpdateService } from '@domain/mailboxes';
import { MailboxLeaseService } from '@domain/sends';
import { MINUTE, SendingFixture } from '../testing/sending-fixture';
import { refused } from '../testing/scripted-server';
import { MailboxSenderService } from '../pipeline/mailbox-sender.service';
import { OutboundSourceSenderService } from './outbound-source-sender.service';
import { type OutboundMail, type OutboundMailOutcome, type OutboundMailSource } from './outbound-mail-source';

/** Mail of a domain that keeps it in memory, and what was told about it. */
class Letters implements OutboundMailSource<OutboundMail> {
  readonly told: string[] = [];
  claimed: OutboundMail | null = null;

  constructor(
    public waiting: OutboundMail[] = [],
    public leftBehind: OutboundMail[] = [],
  ) {}

  listLeft() {
    return Promise.resolve(this.leftBehind.splice(0));
  }

  next() {
    return Promise.resolve(this.waiting[0] ?? null);
  }

  claim(mail: OutboundMail, fence: number, at: Date) {
    this.told.push(`claimed ${fence > 0}`);
    this.claimed = { ...mail, attempt: mail.attempt + 1, claimedAt: at };
    return Promise.resolve<OutboundMail | null>(this.claimed);
  }

  message(mailbox: { email: string }, { id }: OutboundMail) {
    const address = (email: string) => ({ name: '', address: email });
    const messageId = `<${id}@senders.test>`;
    const to = address('friend@elsewhere.test');
    return composeMessage({
      from: address(mailbox.email),
      to,
      subject: 'Lunch',
      text: 'At noon?',
      messageId,
      date: NOW,
    });
  }

  markSending() {
    this.told.push('sending');
    return Promise.resolve(true);
  }

  release(_mail: OutboundMail, reason: string) {
    this.told.push(`released: ${reason}`);
    return Promise.resolve(true);
  }

  settle(_mail: OutboundMail, outcome: OutboundMailOutcome) {
    this.told.push('reason' in outcome ? `${outcome.kind}: ${outcome.reason}` : outcome.kind);
    this.waiting.shift();
    return Promise.resolve(true);
  }
}

const NOW = new Date('2026-11-25T12:00:00.000Z');
const LETTER: OutboundMail = { id: '6b01cc64c89c84ca75ffe95b', attempt: 0, claimedAt: null };

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

const run = (work: OutboundMailSource<OutboundMail>, signal = new AbortController().signal) =>
  engine.get(OutboundSourceSenderService).run({ workspaceId: engine.workspaceId, mailboxId }, work, signal);

describe('mail beside that of the engine', () => {
  it('is claimed, marked, given and settled, in that order, and takes a token', async () => {
    const letters = new Letters([LETTER]);
    expect(await run(letters)).toEqual({ kind: 'tried', isReleased: false, until: null });
    expect(letters.told).toEqual(['claimed true', 'sending', 'sent']);
    expect(engine.recipients()).toEqual(['friend@elsewhere.test']);
    expect(await engine.turnOf(mailboxId)).toMatchObject({ dayUsed: 1, lastSentAt: engine.clock.now(), holder: '' });
  });

  it('keeps gap and daily limit with the engine’s, and tells until when', async () => {
    await engine.campaign([mailboxId], ['ann@acme.test', 'bob@acme.test']);
    const letters = new Letters([LETTER, LETTER]);
    await run(letters);
    expect(await run(letters)).toEqual({ kind: 'wait', until: engine.clock.in(MINUTE) });
    engine.clock.advance(MINUTE);
    await engine.turn(mailboxId);
    expect(engine.recipients()).toEqual(['friend@elsewhere.test', 'ann@acme.test']);
    engine.clock.advance(MINUTE);
    const end = await run(letters);
    expect(end.kind === 'wait' && end.until!.getTime() - NOW.getTime()).toBeGreaterThan(11 * 60 * MINUTE);
    expect(letters.told.filter((what) => what === 'sending')).toHaveLength(1);
  });

  it('has the whole limit, of which campaigns leave the share of warmup', async () => {
    const share = { mails: 3, weekdaysOnly: false };
    await engine.changeMailbox(mailboxId, { dailySendLimit: 5, sendGapSeconds: 0, 'warmup.share': share });
    await engine.campaign([mailboxId], ['ann@acme.test', 'bob@acme.test', 'cyd@acme.test']);
    const letters = new Letters([LETTER, LETTER, LETTER, LETTER]);
    await run(letters);
    await engine.turn(mailboxId);
    expect(engine.recipients()).toEqual(['friend@elsewhere.test', 'ann@acme.test', 'bob@acme.test']);
    expect(await engine.turnOf(mailboxId)).toMatchObject({ dayUsed: 3, dayWarmup: 1 });
    await run(letters);
    await run(letters);
    expect(await run(letters)).toMatchObject({ kind: 'wait' });
    expect(engine.server.given).toHaveLength(5);
    expect(await engine.turnOf(mailboxId)).toMatchObject({ dayUsed: 5, dayWarmup: 3 });
  });

  it('waits without an end in sight while the mailbox is paused', async () => {
    await engine.get(MailboxUpdateService).pause(engine.workspace, mailboxId);
    expect(await run(new Letters([LETTER]))).toEqual({ kind: 'wait', until: null });
    expect(engine.server.given).toEqual([]);
  });

  it('does not disturb what the engine has planned, nor a wake-up in the meantime', async () => {
    const turns = engine.get(MailboxLeaseService);
    const later = engine.clock.in(30 * MINUTE);
    await turns.scheduleNow(engine.workspaceId, [mailboxId], later);
    await run(new Letters([LETTER]));
    expect((await engine.turnOf(mailboxId)).nextAt).toEqual(later);
    engine.clock.advance(MINUTE);
    const sooner = engine.clock.in(5 * MINUTE);
    engine.server.beforeWire = () => turns.scheduleNow(engine.workspaceId, [mailboxId], sooner);
    await run(new Letters([LETTER]));
    expect((await engine.turnOf(mailboxId)).nextAt).toEqual(sooner);
  });

  it('is not sent while the engine has the turn, nor does the engine send meanwhile', async () => {
    await engine.campaign([mailboxId], ['ann@acme.test']);
    const ends: unknown[] = [];
    engine.server.beforeWire = async () => {
      engine.server.beforeWire = () => undefined;
      ends.push(await run(new Letters([LETTER])));
    };
    await engine.turn(mailboxId);
    expect(ends).toEqual([{ kind: 'busy' }]);
    expect(engine.recipients()).toEqual(['ann@acme.test']);
    engine.clock.advance(MINUTE);
    await engine.leads(await engine.campaign([mailboxId]), ['bob@acme.test']);
    engine.server.beforeWire = async () => {
      engine.server.beforeWire = () => undefined;
      await engine
        .get(MailboxSenderService)
        .run({ workspaceId: engine.workspaceId, mailboxId }, new AbortController().signal);
    };
    await run(new Letters([LETTER]));
    expect(engine.recipients()).toEqual(['ann@acme.test', 'friend@elsewhere.test']);
  });

  it('does nothing for a mailbox that is gone', async () => {
    await run(new Letters());
    await engine.model({ name: 'MailboxRecord' }).deleteOne({ _id: mailboxId, workspaceId: engine.workspaceId });
    expect(await run(new Letters([LETTER]))).toEqual({ kind: 'gone' });
  });
});

describe('mail beside that of the engine that goes wrong', () => {
  it('gives its token back when nothing was given to a server, and the mailbox rests as its server asks', async () => {
    engine.server.answers.push(refused('temporary', 'sender', '451 4.7.0 Too much', 20 * MINUTE));
    const letters = new Letters([LETTER]);
    const until = engine.clock.in(20 * MINUTE);
    expect(await run(letters)).toEqual({ kind: 'tried', isReleased: true, until });
    expect(letters.told).toEqual(['claimed true', 'released: 451 4.7.0 Too much']);
    expect(await engine.turnOf(mailboxId)).toMatchObject({
      dayUsed: 0,
      lastSentAt: null,
      cooldown: { until, count: 1 },
    });
    engine.clock.advance(20 * MINUTE);
    await run(letters);
    expect(await engine.turnOf(mailboxId)).toMatchObject({ dayUsed: 1, cooldown: null });
  });

  it('gives its token back for what a worker had claimed when it died', async () => {
    await run(new Letters([LETTER]));
    const left = { ...LETTER, attempt: 1, claimedAt: engine.clock.now() };
    const letters = new Letters([], [left]);
    expect(await run(letters)).toEqual({ kind: 'nothing' });
    expect(letters.told).toEqual(['released: The worker that had claimed it crashed']);
    expect(await engine.turnOf(mailboxId)).toMatchObject({ dayUsed: 0, lastSentAt: null });
  });

  it('keeps its token when the worker was not dead, and gives it away in that moment', async () => {
    await run(new Letters([LETTER]));
    const left = { ...LETTER, attempt: 1, claimedAt: engine.clock.now() };
    const letters = new Letters([], [left]);
    letters.release = () => Promise.resolve(false);
    await run(letters);
    expect(await engine.turnOf(mailboxId)).toMatchObject({ dayUsed: 1, lastSentAt: engine.clock.now() });
  });

  it('is neither counted nor given when somebody else has changed it', async () => {
    const letters = new Letters([LETTER]);
    letters.claim = () => Promise.resolve(null);
    expect(await run(letters)).toEqual({ kind: 'nothing' });
    expect(engine.server.given).toEqual([]);
    expect(await engine.turnOf(mailboxId)).toMatchObject({ dayUsed: 0 });
  });

  it('is not given when it cannot be marked', async () => {
    const letters = new Letters([LETTER]);
    letters.markSending = () => Promise.resolve(false);
    expect(await run(letters)).toMatchObject({ kind: 'tried', isReleased: true });
    expect(engine.server.given).toEqual([]);
    expect(await engine.turnOf(mailboxId)).toMatchObject({ dayUsed: 0 });
  });

  it('is not given when its turn is taken over before it is late at its server', async () => {
    const letters = new Letters([LETTER]);
    engine.server.beforeWire = async () => {
      engine.clock.advance(MINUTE);
      await engine.expire(mailboxId);
      await engine.get(MailboxLeaseService).acquire(mailboxId, MINUTE);
    };
    await run(letters);
    expect(engine.server.given).toEqual([]);
    expect(letters.told).not.toContain('sending');
    expect((await engine.turnOf(mailboxId)).holder).not.toBe('');
  });

  it('stops the mailbox when its server refuses whoever sends it', async () => {
    engine.server.answers.push(refused('permanent', 'sender', '550 5.7.1 Not you'));
    const letters = new Letters([LETTER]);
    await run(letters);
    expect(letters.told.at(-1)).toBe('blocked: 550 5.7.1 Not you');
    expect((await engine.turnOf(mailboxId)).stopped).toMatchObject({ message: '550 5.7.1 Not you' });
    expect(await engine.events()).toEqual(['mailbox.sending_stopped']);
  });

  it('that cannot be made is put off like one that no server takes now', async () => {
    const letters = new Letters([LETTER]);
    letters.message = () => Promise.reject(new Error('no words'));
    await run(letters);
    expect(letters.told.at(-1)).toBe('deferred: The email could not be made: no words');
  });
});
