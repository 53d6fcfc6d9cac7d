import { type MailStage, type NotAccepted, type SendOutcome } from '@adapters/mail';
import { refused } from '../testing/scripted.server';
import { judgeOutcome, MAX_ATTEMPTS, type Verdict } from './outcome.decision';

const NOW = new Date('2026-11-25T12:00:00.000Z');
const MINUTE = 60_000;
const minutes = (at: Date | null) => at && (at.getTime() - NOW.getTime()) / MINUTE;

const BEFORE = ['busy', 'address', 'resolve', 'connect', 'tls', 'greeting', 'login'] as const;
const AT_THE_EMAIL = ['sender', 'recipient', 'data', 'handover', 'request'] as const;
const STAGES: readonly MailStage[] = [...BEFORE, ...AT_THE_EMAIL];
const NOBODY = '550 5.1.1 user unknown';
const POLICY = '554 5.7.1 rejected for policy reasons';
const LARGE = '552 5.3.4 message too large';

function judged(outcome: SendOutcome, attempt = 1): Verdict {
  return judgeOutcome(outcome, { attempt, sendId: 'send', now: NOW });
}
function kindOf(kind: NotAccepted['kind'], stage: MailStage, response: string | null = null, attempt = 1): string {
  return judged(refused(kind, stage, response), attempt).kind;
}

describe('an outcome', () => {
  it('accepted is sent, with what the vendor calls it', () => {
    const words = { code: '250', enhancedCode: null, command: null, response: 'ok' };
    const accepted = { kind: 'accepted', words, providerMessageId: 'm', providerThreadId: 't' } as const;
    expect(judged(accepted)).toEqual({ kind: 'sent', providerMessageId: 'm', providerThreadId: 't' });
  });

  it('withheld frees everything, and is nobody’s fault', () => {
    expect(judged({ kind: 'withheld' })).toMatchObject({ kind: 'release', mailboxFailed: false, restUntil: null });
  });

  it.each(STAGES)('ambiguous at stage %s is looked for in a minute, whatever the server said', (stage) => {
    const verdict = judged(refused('ambiguous', stage, POLICY), MAX_ATTEMPTS);
    expect(verdict).toEqual({ kind: 'ambiguous', reason: POLICY, lookAt: new Date(NOW.getTime() + MINUTE) });
  });

  it.each(STAGES)('that needs a human at stage %s is the mailbox’s trouble and not the lead’s', (stage) => {
    const verdict = judged(refused('needs-human', stage, NOBODY), MAX_ATTEMPTS);
    expect(verdict).toMatchObject({ kind: 'release', mailboxFailed: true });
    expect(minutes((verdict as { restUntil: Date }).restUntil)).toBe(5);
  });

  it.each(BEFORE)('temporary at stage %s costs the lead no attempt', (stage) => {
    const verdict = judged(refused('temporary', stage, NOBODY), MAX_ATTEMPTS);
    expect(verdict).toMatchObject({ kind: 'release', mailboxFailed: stage !== 'busy' });
    expect(minutes((verdict as { restUntil: Date }).restUntil)).toBe(stage === 'busy' ? 1 : 5);
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
      const verdict = judgeOutcome(refused('temporary', 'handover'), { attempt, sendId: `send-${number}`, now: NOW });
      return minutes((verdict as { at: Date }).at)!;
    });
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(least);
    expect(Math.max(...waits)).toBeLessThanOrEqual(least * 1.2);
    expect(new Set(waits).size).toBeGreaterThan(40);
  });

  it('comes when the server asks for it, if that is later, and the mailbox rests as long', () => {
    const hour = judged(refused('temporary', 'handover', null, 60 * MINUTE)) as { at: Date; restUntil: Date };
    expect([minutes(hour.at), minutes(hour.restUntil)]).toEqual([60, 60]);
    const soon = judged(refused('temporary', 'handover', null, 1_000)) as { at: Date };
    expect(minutes(soon.at)).toBeGreaterThanOrEqual(1);
  });

  it('of the connection comes when the server asks for it', () => {
    const verdict = judged(refused('temporary', 'greeting', null, 7 * MINUTE)) as { restUntil: Date };
    expect(minutes(verdict.restUntil)).toBe(7);
  });

  it('is planned alike whoever judges', () => {
    expect(judged(refused('temporary', 'handover'), 3)).toEqual(judged(refused('temporary', 'handover'), 3));
  });
});
