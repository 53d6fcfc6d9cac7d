import { type Cooldown } from '@domain/sends';
import { type MailStage, type NotAccepted, type SendOutcome } from '@adapters/mail';
import { refused } from '../testing/scripted-server';
import { decideOutcome, MAX_ATTEMPTS, type Verdict } from './outcome-decision';

const NOW = new Date('2026-11-25T12:00:00.000Z');
const MINUTE = 60_000;
const minutes = (at: Date | null) => at && (at.getTime() - NOW.getTime()) / MINUTE;

const BEFORE = ['busy', 'address', 'resolve', 'connect', 'tls', 'greeting', 'login'] as const;
const AT_THE_EMAIL = ['recipient', 'data', 'handover', 'request'] as const;
const STAGES: readonly MailStage[] = [...BEFORE, 'sender', ...AT_THE_EMAIL];
const NOBODY = '550 5.1.1 user unknown';
const POLICY = '554 5.7.1 rejected for policy reasons';
const LARGE = '552 5.3.4 message too large';

function judged(outcome: SendOutcome, attempt = 1, cooldown: Cooldown | null = null): Verdict {
  return decideOutcome(outcome, { attempt, sendId: 'send', cooldown, now: NOW });
}
function kindOf(kind: NotAccepted['kind'], stage: MailStage, response: string | null = null, attempt = 1): string {
  return judged(refused(kind, stage, response), attempt).kind;
}

describe('an outcome', () => {
  it('accepted is sent, with what the vendor calls it', () => {
    const lastReply = { code: '250', enhancedCode: null, command: null, response: 'ok' };
    const accepted = { kind: 'accepted', lastReply, providerMessageId: 'm', providerThreadId: 't' } as const;
    expect(judged(accepted)).toEqual({ kind: 'sent', providerMessageId: 'm', providerThreadId: 't' });
  });

  it('withheld frees everything, and is nobody’s fault', () => {
    expect(judged({ kind: 'withheld' })).toMatchObject({ kind: 'release', mailboxFailed: false, cooldownUntil: null });
  });

  it.each(STAGES)('ambiguous at stage %s is looked for in a minute, whatever the server said', (stage) => {
    const verdict = judged(refused('ambiguous', stage, POLICY), MAX_ATTEMPTS);
    expect(verdict).toEqual({ kind: 'ambiguous', reason: POLICY, resolveAt: new Date(NOW.getTime() + MINUTE) });
  });

  it.each(STAGES)('that needs a human at stage %s is the mailbox’s trouble and not the lead’s', (stage) => {
    const verdict = judged(refused('needs-human', stage, NOBODY), MAX_ATTEMPTS);
    expect(verdict).toMatchObject({ kind: 'release', mailboxFailed: true });
    expect(minutes((verdict as { cooldownUntil: Date }).cooldownUntil)).toBe(5);
  });

  it.each(BEFORE)('temporary at stage %s costs the lead no attempt', (stage) => {
    const verdict = judged(refused('temporary', stage, NOBODY), MAX_ATTEMPTS);
    expect(verdict).toMatchObject({ kind: 'release', mailboxFailed: stage !== 'busy' });
    expect(minutes((verdict as { cooldownUntil: Date }).cooldownUntil)).toBe(stage === 'busy' ? 1 : 5);
  });

  it.each(AT_THE_EMAIL)('temporary at stage %s is tried again, and fails after the fifth time', (stage) => {
    for (const attempt of [1, 2, 3, 4]) expect(kindOf('temporary', stage, null, attempt)).toBe('retry');
    const last = judged(refused('temporary', stage, '451 later'), MAX_ATTEMPTS);
    expect(last).toEqual({ kind: 'failed', reason: 'After 5 attempts: 451 later', flagsCampaign: false });
    expect(kindOf('temporary', stage, null, MAX_ATTEMPTS + 1)).toBe('failed');
  });

  it.each(BEFORE)('permanent at stage %s would meet every email: the mailbox is stopped', (stage) => {
    for (const response of [NOBODY, POLICY, LARGE, null]) {
      expect(kindOf('permanent', stage, response)).toBe('stop_mailbox');
    }
  });

  const permanent: [stage: MailStage, nobody: string, policy: string, large: string, silent: string][] = [
    ['sender', 'stop_mailbox', 'stop_mailbox', 'stop_mailbox', 'failed'],
    ['recipient', 'bounced', 'stop_mailbox', 'failed', 'failed'],
    ['data', 'bounced', 'stop_mailbox', 'failed', 'failed'],
    ['handover', 'bounced', 'stop_mailbox', 'failed', 'failed'],
    ['request', 'bounced', 'stop_mailbox', 'failed', 'failed'],
  ];
  it.each(permanent)('permanent at stage %s is judged by its words', (stage, nobody, policy, large, silent) => {
    expect([NOBODY, POLICY, LARGE, null].map((response) => kindOf('permanent', stage, response))).toEqual([
      nobody,
      policy,
      large,
      silent,
    ]);
  });

  it('flags the campaign for what it says, and for nothing else', () => {
    expect(judged(refused('permanent', 'handover', LARGE))).toMatchObject({ flagsCampaign: true });
    expect(judged(refused('permanent', 'handover', '554 Transaction failed'))).toMatchObject({ flagsCampaign: false });
  });
});

describe('another attempt', () => {
  it.each([
    [1, 1],
    [2, 5],
    [3, 15],
    [4, 60],
  ])('after attempt %d comes after %d minutes, up to a fifth later', (attempt, least) => {
    const waits = Array.from({ length: 50 }, (_, number) => {
      const verdict = decideOutcome(refused('temporary', 'handover'), {
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

  it('is planned alike whoever judges', () => {
    expect(judged(refused('temporary', 'handover'), 3)).toEqual(judged(refused('temporary', 'handover'), 3));
  });
});

describe('a server that takes nothing from the mailbox for now', () => {
  type Rested = Extract<Verdict, { kind: 'release' }>;
  const DAY = 24 * 60 * MINUTE;

  it.each([
    ['refuses the sender', refused('temporary', 'sender', '451 4.3.0 later')],
    ['does not answer the sender', refused('temporary', 'sender')],
    ['limits the requests', refused('temporary', 'data', '429 Too many')],
    ['is in trouble before it has the message', refused('temporary', 'data', '503 Unavailable')],
    ['says how long to wait, in the middle of an email', refused('temporary', 'handover', '429 Too many', MINUTE)],
  ])('%s: it costs the lead no attempt, and the mailbox rests', (_name, outcome) => {
    const verdict = judged(outcome, MAX_ATTEMPTS) as Rested;
    expect(verdict).toMatchObject({ kind: 'release', mailboxFailed: false, reason: outcome.message });
    expect(verdict.cooldown).toEqual({ until: verdict.cooldownUntil, reason: outcome.message, count: 1, since: NOW });
  });

  it('lets it rest longer each time, up to an hour', () => {
    const waits: (number | null)[] = [];
    let cooldown: Cooldown | null = null;
    for (let time = 1; time <= 7; time += 1) {
      cooldown = (judged(refused('temporary', 'sender'), 1, cooldown) as Rested).cooldown!;
      waits.push(minutes(cooldown.until));
    }
    expect(waits).toEqual([5, 10, 20, 40, 60, 60, 60]);
    expect(cooldown).toMatchObject({ count: 7, since: NOW });
  });

  it('says how long, and is believed; where it says so again and again it rests longer than that', () => {
    const asked = (cooldown: Cooldown | null, wait: number) =>
      (judged(refused('temporary', 'data', null, wait), 1, cooldown) as Rested).cooldown!;
    const first = asked(null, 2 * MINUTE);
    expect(minutes(first.until)).toBe(2);
    expect(minutes(asked(first, 2 * MINUTE).until)).toBe(5);
    expect(minutes(asked(first, 300 * MINUTE).until)).toBe(300);
  });

  it('keeps so for three days: then somebody has to look', () => {
    const since = (ms: number): Cooldown => ({
      until: NOW,
      reason: '',
      count: 70,
      since: new Date(NOW.getTime() - ms),
    });
    const again = refused('temporary', 'sender', '450 4.2.1 not now');
    expect(judged(again, 1, since(3 * DAY - 1)).kind).toBe('release');
    const reason = 'For three days now: 450 4.2.1 not now';
    expect(judged(again, 1, since(3 * DAY))).toEqual({ kind: 'stop_mailbox', reason });
  });

  it('says so of the connection: that is in trouble too', () => {
    const verdict = judged(refused('temporary', 'greeting', null, 7 * MINUTE)) as Rested;
    expect(verdict).toMatchObject({ mailboxFailed: true });
    expect([minutes(verdict.cooldownUntil), minutes(verdict.cooldown!.until)]).toEqual([7, 7]);
  });

  it('has said nothing where only all connections were in use', () => {
    expect(judged(refused('temporary', 'busy', null, MINUTE))).toMatchObject({ kind: 'release', cooldown: null });
  });
});
