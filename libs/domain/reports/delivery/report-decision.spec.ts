import { type SendOutcome } from '@adapters/mail';
import {
  decideAfterAttempt,
  decideAfterReportFailure,
  decideAfterLookup,
  type Attempt,
  decideReport,
  MAX_ATTEMPTS,
  type ReportSendFacts,
} from './report-decision';

const NOW = new Date('2026-11-23T08:00:00Z');
const HOUR_MS = 3_600_000;
const later = (ms: number): Date => new Date(NOW.getTime() + ms);

const facts = (more: Partial<ReportSendFacts> = {}): ReportSendFacts => ({
  expiresAt: later(24 * HOUR_MS),
  email: 'ada@example.com',
  reason: null,
  recipient: { active: true, isSubscribed: true, email: 'ada@example.com', hasSubject: true },
  isSuppressed: false,
  sender: { kind: 'mailbox', obstacle: null, limitedUntil: null },
  ...more,
});
const recipient = (more: Partial<NonNullable<ReportSendFacts['recipient']>>) => ({
  recipient: { active: true, isSubscribed: true, email: 'ada@example.com', hasSubject: true, ...more },
});

describe('a report that is due', () => {
  it.each([
    ['a mailbox that may send', {}],
    ['the operator’s server', { sender: { kind: 'operator' } }],
  ] as const)('is sent by %s', (_by, more) => {
    expect(decideReport(facts(more), NOW)).toEqual({ kind: 'send' });
  });

  it.each([
    ['withheld', 'deleted', { recipient: null }],
    ['withheld', 'switched off', recipient({ active: false })],
    ['withheld', 'schedule', recipient({ isSubscribed: false })],
    ['withheld', 'address was changed', recipient({ email: 'grace@example.com' })],
    ['withheld', 'suppression list', { isSuppressed: true }],
    ['withheld', 'campaigns', recipient({ hasSubject: false })],
    ['skipped', 'next report was due', { expiresAt: NOW }],
    ['skipped', 'next report was due before this one could be sent: 421 Busy', { expiresAt: NOW, reason: '421 Busy' }],
    ['failed', 'No mailbox was chosen', { sender: { kind: 'none' } }],
  ] as const)('ends as %s with its reason: %s', (state, reason, more) => {
    const decision = decideReport(facts(more), NOW);
    expect(decision).toMatchObject({ kind: 'end', end: { state, reason: expect.stringContaining(reason) as string } });
  });

  it('is withheld rather than skipped or failed, because withholding has precedence over other reasons', () => {
    const all = facts({ isSuppressed: true, expiresAt: NOW, sender: { kind: 'none' } });
    expect(decideReport(all, NOW)).toMatchObject({ end: { state: 'withheld' } });
  });

  it('waits for a mailbox that cannot send, and for the mailbox’s next day', () => {
    const paused = { kind: 'mailbox', obstacle: 'a@b.example is paused', limitedUntil: null } as const;
    expect(decideReport(facts({ sender: paused }), NOW)).toEqual({
      kind: 'wait',
      until: later(HOUR_MS / 4),
      reason: 'a@b.example is paused',
    });
    const limited = { kind: 'mailbox', obstacle: null, limitedUntil: later(9 * HOUR_MS) } as const;
    expect(decideReport(facts({ sender: limited }), NOW)).toMatchObject({ kind: 'wait', until: later(9 * HOUR_MS) });
  });

  it('waits at most until the next report is due', () => {
    const sender = { kind: 'mailbox', obstacle: null, limitedUntil: later(9 * HOUR_MS) } as const;
    const waiting = decideReport(facts({ sender, expiresAt: later(HOUR_MS) }), NOW);
    expect(waiting).toMatchObject({ kind: 'wait', until: later(HOUR_MS) });
  });
});

describe('after an attempt', () => {
  const attempt = (more: Partial<Attempt> = {}): Attempt => ({
    attempts: 1,
    expiresAt: later(48 * HOUR_MS),
    hasSentFolder: true,
    random: 0,
    ...more,
  });
  const lastReply = { code: '250', enhancedCode: null, command: 'DATA', response: '250 queued' };
  const accepted: SendOutcome = { kind: 'accepted', lastReply, providerMessageId: null, providerThreadId: null };
  const refused = (kind: 'temporary' | 'permanent' | 'needs-human' | 'ambiguous'): SendOutcome => ({
    kind,
    failure: kind,
    stage: 'data',
    message: 'No',
    lastReply: null,
    retryAfterMs: null,
  });

  it('the report ends as sent if a server accepted it', () => {
    const end = { state: 'sent', reason: null, sentAt: NOW };
    expect(decideAfterAttempt(accepted, '', attempt(), NOW)).toEqual({ kind: 'end', end });
  });

  it('the report fails if a server refused it permanently', () => {
    const end = { state: 'failed', reason: '550 No', attempts: 1 };
    expect(decideAfterAttempt(refused('permanent'), '550 No', attempt(), NOW)).toEqual({ kind: 'end', end });
  });

  it('the report is looked up in the sent mail if the server did not reply, and never retried', () => {
    expect(decideAfterAttempt(refused('ambiguous'), '', attempt(), NOW)).toMatchObject({
      kind: 'lookup',
      at: later(60_000),
    });
    const blind = decideAfterAttempt(refused('ambiguous'), '', attempt({ hasSentFolder: false }), NOW);
    expect(blind).toMatchObject({ kind: 'end', end: { state: 'unknown' } });
  });

  it('the report stays withheld if it was withheld meanwhile', () => {
    expect(decideAfterAttempt({ kind: 'withheld' }, '', attempt(), NOW)).toEqual({ kind: 'released' });
  });

  it.each(['temporary', 'needs-human'] as const)(
    'the report is retried, after growing delays, after a failure that is %s',
    (kind) => {
      const waits = Array.from({ length: MAX_ATTEMPTS }, (_, index) =>
        decideAfterAttempt(refused(kind), '451 Later', attempt({ attempts: index + 1 }), NOW),
      );
      const minutes = waits.map((follows) =>
        follows.kind === 'wait' ? (follows.until.getTime() - NOW.getTime()) / 60_000 : null,
      );
      expect(minutes).toEqual([1, 5, 15, 60, 180, 360, null]);
      expect(waits.at(-1)).toEqual({
        kind: 'end',
        end: { state: 'failed', reason: '451 Later', attempts: MAX_ATTEMPTS },
      });
      expect(waits[0]).toMatchObject({ attempts: 1, reason: '451 Later' });
    },
  );

  it('the delay has a random part', () => {
    const [least, most] = [0, 1].map((random) => decideAfterReportFailure('No', attempt({ attempts: 4, random }), NOW));
    expect([least, most]).toMatchObject([{ until: later(HOUR_MS) }, { until: later(1.25 * HOUR_MS) }]);
  });

  it('the report ends if the next one is due by then', () => {
    const follows = decideAfterReportFailure('451 Later', attempt({ attempts: 4, expiresAt: later(HOUR_MS) }), NOW);
    expect(follows).toMatchObject({ kind: 'end', end: { state: 'skipped', attempts: 4 } });
    expect(JSON.stringify(follows)).toContain('451 Later');
  });
});

describe('after a lookup in the sent mail', () => {
  const attempt: Attempt = { attempts: 2, expiresAt: later(48 * HOUR_MS), hasSentFolder: true, random: 0 };

  it('a report that is found counts as sent at its handover', () => {
    const found = { state: 'sent', providerMessageId: null, providerThreadId: null } as const;
    expect(decideAfterLookup(found, later(-HOUR_MS), attempt, NOW)).toEqual({
      kind: 'end',
      end: { state: 'sent', reason: null, sentAt: later(-HOUR_MS) },
    });
  });

  it('a report is retried only with proof that it was not sent', () => {
    expect(decideAfterLookup({ state: 'not_sent' }, NOW, attempt, NOW)).toMatchObject({ kind: 'wait', attempts: 2 });
  });

  it.each([
    [0, 1],
    [60_000, 5],
    [4 * 60_000, 5],
    [29 * 60_000, 30],
    [119 * 60_000, 120],
  ])('%s ms after the handover the next lookup is %s minutes after it', (since, minutes) => {
    const handedAt = later(-since);
    const at = new Date(handedAt.getTime() + minutes * 60_000);
    expect(decideAfterLookup({ state: 'unknown' }, handedAt, attempt, NOW)).toMatchObject({ kind: 'lookup', at });
  });

  it('the report ends after two hours: its outcome is unknown, and it is not sent again', () => {
    const follows = decideAfterLookup({ state: 'unknown' }, later(-2 * HOUR_MS), attempt, NOW);
    expect(follows).toMatchObject({ kind: 'end', end: { state: 'unknown' } });
  });
});
