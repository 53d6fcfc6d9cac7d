import { type Cooldown } from '@domain/sends';
import { type MailStage, type NotAccepted, type SendOutcome } from '@adapters/mail';
import { refused } from '../testing/scripted-server';
import { decideSendOutcome, MAX_ATTEMPTS, type Verdict } from './outcome-decision';

const NOW = new Date('2026-11-25T12:00:00.000Z');
const MINUTE = 60_000;
const minutes = (at: Date | null) => at && (at.getTime() - NOW.getTime()) / MINUTE;

const BEFORE = ['busy', 'address', 'resolve', 'connect', 'tls', 'greeting', 'login'] as const;
const AT_THE_EMAIL = ['recipient', 'data', 'handover', 'request'] as const;
const STAGES: readonly MailStage[] = [...BEFORE, 'sender', ...AT_THE_EMAIL];
const NOBODY = '550 5.1.1 user unknown';
const POLICY = '554 5.7.1 rejected for policy reasons';
const LARGE = '552 5.3.4 message too large';

function verdictOf(outcome: SendOutcome, attempt = 1, cooldown: Cooldown | null = null): Verdict {
  return decideSendOutcome(outcome, { attempt, sendId: 'send', cooldown, now: NOW });
}
function kindOf(kind: NotAccepted['kind'], stage: MailStage, response: string | null = null, attempt = 1): string {
  return verdictOf(refused(kind, stage, response), attempt).kind;
}

describe('the verdict about an outcome', () => {
  it('accepted: the email is sent, with the ids of the vendor', () => {
    const lastReply = { code: '250', enhancedCode: null, command: null, response: 'ok' };
    const accepted = { kind: 'accepted', lastReply, providerMessageId: 'm', providerThreadId: 't' } as const;
    expect(verdictOf(accepted)).toEqual({ kind: 'sent', providerMessageId: 'm', providerThreadId: 't' });
  });

  it('withheld: everything is released, without a failure of the mailbox', () => {
    expect(verdictOf({ kind: 'withheld' })).toMatchObject({
      kind: 'release',
      mailboxFailed: false,
      cooldownUntil: null,
    });
  });

  it.each(STAGES)('ambiguous at stage %s: the email is resolved in a minute, whatever the server said', (stage) => {
    const verdict = verdictOf(refused('ambiguous', stage, POLICY), MAX_ATTEMPTS);
    expect(verdict).toEqual({ kind: 'ambiguous', reason: POLICY, resolveAt: new Date(NOW.getTime() + MINUTE) });
  });

  it.each(STAGES)('needs a person at stage %s: the failure concerns the mailbox, not the lead', (stage) => {
    const verdict = verdictOf(refused('needs-human', stage, NOBODY), MAX_ATTEMPTS);
    expect(verdict).toMatchObject({ kind: 'release', mailboxFailed: true });
    expect(minutes((verdict as { cooldownUntil: Date }).cooldownUntil)).toBe(5);
  });

  it.each(BEFORE)('temporary at stage %s: the lead keeps its attempts', (stage) => {
    const verdict = verdictOf(refused('temporary', stage, NOBODY), MAX_ATTEMPTS);
    expect(verdict).toMatchObject({ kind: 'release', mailboxFailed: stage !== 'busy' });
    expect(minutes((verdict as { cooldownUntil: Date }).cooldownUntil)).toBe(stage === 'busy' ? 1 : 5);
  });

  it.each(AT_THE_EMAIL)('temporary at stage %s: the email is retried, and fails after the fifth attempt', (stage) => {
    for (const attempt of [1, 2, 3, 4]) expect(kindOf('temporary', stage, null, attempt)).toBe('retry');
    const last = verdictOf(refused('temporary', stage, '451 later'), MAX_ATTEMPTS);
    expect(last).toEqual({ kind: 'failed', reason: 'After 5 attempts: 451 later', flagsCampaign: false });
    expect(kindOf('temporary', stage, null, MAX_ATTEMPTS + 1)).toBe('failed');
  });

  it.each(BEFORE)('permanent at stage %s: every email would meet it, so the mailbox is stopped', (stage) => {
    for (const response of [NOBODY, POLICY, LARGE, null]) {
      expect(kindOf('permanent', stage, response)).toBe('stop_mailbox');
    }
  });

  const permanent: [stage: MailStage, unknownAddress: string, policy: string, large: string, silent: string][] = [
    ['sender', 'stop_mailbox', 'stop_mailbox', 'stop_mailbox', 'failed'],
    ['recipient', 'bounced', 'stop_mailbox', 'failed', 'failed'],
    ['data', 'bounced', 'stop_mailbox', 'failed', 'failed'],
    ['handover', 'bounced', 'stop_mailbox', 'failed', 'failed'],
    ['request', 'bounced', 'stop_mailbox', 'failed', 'failed'],
  ];
  it.each(permanent)(
    'permanent at stage %s: the text of the server decides',
    (stage, unknownAddress, policy, large, silent) => {
      expect([NOBODY, POLICY, LARGE, null].map((response) => kindOf('permanent', stage, response))).toEqual([
        unknownAddress,
        policy,
        large,
        silent,
      ]);
    },
  );

  it('flags the campaign for its content, and for nothing else', () => {
    expect(verdictOf(refused('permanent', 'handover', LARGE))).toMatchObject({ flagsCampaign: true });
    expect(verdictOf(refused('permanent', 'handover', '554 Transaction failed'))).toMatchObject({
      flagsCampaign: false,
    });
  });
});

describe('a retry', () => {
  it.each([
    [1, 1],
    [2, 5],
    [3, 15],
    [4, 60],
  ])('after attempt %d is due after %d minutes, up to a fifth later', (attempt, least) => {
    const waits = Array.from({ length: 50 }, (_, number) => {
      const verdict = decideSendOutcome(refused('temporary', 'handover'), {
        attempt,
        sendId: `send-${number}`,
        cooldown: null,
        now: NOW,
      });
      return minutes((verdict as { at: Date }).at)!;
    });
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(least);
    expect(Math.max(...waits)).toBeLessThanOrEqual(least * 1.2);
    expect(new Set(waits).size).toBeGreaterThan(40);
  });

  it('is due at the same time whichever worker decides', () => {
    expect(verdictOf(refused('temporary', 'handover'), 3)).toEqual(verdictOf(refused('temporary', 'handover'), 3));
  });
});

describe('a server that defers all mail of the mailbox', () => {
  type Rested = Extract<Verdict, { kind: 'release' }>;
  const DAY = 24 * 60 * MINUTE;

  it.each([
    ['refuses the sender', refused('temporary', 'sender', '451 4.3.0 later')],
    ['does not answer the sender', refused('temporary', 'sender')],
    ['limits requests', refused('temporary', 'data', '429 Too many')],
    ['fails before it has the message', refused('temporary', 'data', '503 Unavailable')],
    ['names a wait during the handover', refused('temporary', 'handover', '429 Too many', MINUTE)],
  ])('%s: the lead keeps its attempts, and the mailbox gets a cooldown', (_name, outcome) => {
    const verdict = verdictOf(outcome, MAX_ATTEMPTS) as Rested;
    expect(verdict).toMatchObject({ kind: 'release', mailboxFailed: false, reason: outcome.message });
    expect(verdict.cooldown).toEqual({ until: verdict.cooldownUntil, reason: outcome.message, count: 1, since: NOW });
  });

  it('extends the cooldown each time, up to an hour', () => {
    const waits: (number | null)[] = [];
    let cooldown: Cooldown | null = null;
    for (let time = 1; time <= 7; time += 1) {
      cooldown = (verdictOf(refused('temporary', 'sender'), 1, cooldown) as Rested).cooldown!;
      waits.push(minutes(cooldown.until));
    }
    expect(waits).toEqual([5, 10, 20, 40, 60, 60, 60]);
    expect(cooldown).toMatchObject({ count: 7, since: NOW });
  });

  it('determines the cooldown if it names a wait; repeated waits extend it', () => {
    const cooldownAfter = (cooldown: Cooldown | null, wait: number) =>
      (verdictOf(refused('temporary', 'data', null, wait), 1, cooldown) as Rested).cooldown!;
    const first = cooldownAfter(null, 2 * MINUTE);
    expect(minutes(first.until)).toBe(2);
    expect(minutes(cooldownAfter(first, 2 * MINUTE).until)).toBe(5);
    expect(minutes(cooldownAfter(first, 300 * MINUTE).until)).toBe(300);
  });

  it('stops the mailbox after three days, so that a person checks it', () => {
    const since = (ms: number): Cooldown => ({
      until: NOW,
      reason: '',
      count: 70,
      since: new Date(NOW.getTime() - ms),
    });
    const again = refused('temporary', 'sender', '450 4.2.1 not now');
    expect(verdictOf(again, 1, since(3 * DAY - 1)).kind).toBe('release');
    const reason = 'For three days now: 450 4.2.1 not now';
    expect(verdictOf(again, 1, since(3 * DAY))).toEqual({ kind: 'stop_mailbox', reason });
  });

  it('also reports a failed connection if the reply concerns the connection', () => {
    const verdict = verdictOf(refused('temporary', 'greeting', null, 7 * MINUTE)) as Rested;
    expect(verdict).toMatchObject({ mailboxFailed: true });
    expect([minutes(verdict.cooldownUntil), minutes(verdict.cooldown!.until)]).toEqual([7, 7]);
  });

  it('does not cause a cooldown if only all connections were in use', () => {
    expect(verdictOf(refused('temporary', 'busy', null, MINUTE))).toMatchObject({ kind: 'release', cooldown: null });
  });
});
