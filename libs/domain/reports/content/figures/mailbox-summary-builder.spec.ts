import { type DayFigures } from '@domain/analytics';
import { type ReviewedMailbox } from '@domain/mailboxes';
import { Types } from 'mongoose';
import { createReportFigures } from './figure-sums';
import { type MailboxState } from './mailbox-summary';
import { type MailboxFindings, MailboxSummaryBuilder, MAX_MAILBOXES_SHOWN } from './mailbox-summary-builder';

const good: ReviewedMailbox = {
  _id: new Types.ObjectId(),
  email: 'ada@acme.test',
  status: 'active',
  connection: { state: 'connected', since: new Date(0), failures: 0, nextCheckAt: null, half: null },
  sendingEnabled: true,
  dailySendLimit: 50,
  setup: { domain: 'acme.test', healthScore: 100, mx: 'pass', spf: 'pass', dkim: 'pass', dmarc: 'pass' },
  warmup: { status: 'not_started' },
};
const fine: MailboxFindings = { isStopped: false, isListed: false, figures: undefined };
const sent = (count: number): DayFigures => ({ ...createReportFigures(), sent: count });

function summarise(...all: readonly [Partial<ReviewedMailbox>, Partial<MailboxFindings>?][]) {
  const tally = new MailboxSummaryBuilder();
  for (const [mailbox, findings] of all) tally.add({ ...good, ...mailbox }, { ...fine, ...findings });
  return { summary: tally.summary(), troubles: tally.troubles() };
}

describe('the mailboxes of a report', () => {
  it.each<[MailboxState, Partial<ReviewedMailbox>, boolean]>([
    ['ready', {}, false],
    ['paused', { status: 'paused' }, false],
    ['paused', { status: 'paused' }, true],
    ['disconnected', { status: 'disconnected' }, false],
    ['disconnected', { status: 'disconnected' }, true],
    ['stopped', {}, true],
    ['stopped', { status: 'error' }, true],
    ['unreachable', { status: 'error' }, false],
    ['switched_off', { sendingEnabled: false }, false],
  ])('are %s: %j, stopped %s', (state, mailbox, isStopped) => {
    const { summary } = summarise([mailbox, { isStopped }]);
    expect(summary.states[state]).toBe(1);
    expect(summary.shown[0]?.state).toBe(state);
    expect(summary.dailyLimit).toBe(state === 'ready' ? 50 : 0);
  });

  it.each([
    [100, 'good'],
    [80, 'good'],
    [79, 'fair'],
    [50, 'fair'],
    [49, 'poor'],
    [0, 'poor'],
  ] as const)('with a score of %d are in %s health', (healthScore, band) => {
    expect(summarise([{ setup: { ...good.setup, healthScore } }]).summary.health[band]).toBe(1);
  });

  it('have no score before the first finding', () => {
    const unknown = { domain: null, healthScore: 0, mx: 'unknown', spf: 'unknown', dkim: 'unknown', dmarc: 'unknown' };
    const { summary, troubles } = summarise([{ setup: unknown }]);
    expect(summary.health.unknown).toBe(1);
    expect(summary.shown[0]?.healthScore).toBeNull();
    expect(troubles.failingDomains.count).toBe(0);
  });

  it('are listed by their need for attention, then by what they sent; the others are counted', () => {
    const many = Array.from({ length: 20 }, (_, n) => [{ email: `m${n}@acme.test` }, { figures: sent(n) }] as const);
    const { summary } = summarise(
      ...many.map(([mailbox, findings]): [Partial<ReviewedMailbox>, Partial<MailboxFindings>] => [mailbox, findings]),
      [{ email: 'paused@acme.test', status: 'paused' }, { figures: sent(18) }],
      [{ email: 'gone@acme.test', status: 'disconnected' }],
    );
    expect(summary.total).toBe(22);
    expect(summary.shown).toHaveLength(MAX_MAILBOXES_SHOWN);
    const names = summary.shown.map(({ email }) => email.split('@')[0]);
    expect(names).toEqual(['gone', 'm19', 'm18', 'paused', 'm17', 'm16', 'm15', 'm14']);
  });

  it('that need a person are named, three of each kind', () => {
    const four = ['a', 'b', 'c', 'd'].map((name): [Partial<ReviewedMailbox>] => [
      { email: `${name}@acme.test`, status: 'disconnected', warmup: { status: 'suspended' } },
    ]);
    const { troubles } = summarise(...four, [{ email: 'e@acme.test' }, { isListed: true }]);
    const first = ['a@acme.test', 'b@acme.test', 'c@acme.test'];
    expect(troubles.disconnected).toEqual({ count: 4, examples: first });
    expect(troubles.warmupSuspended).toEqual({ count: 4, examples: first });
    expect(troubles.blacklisted).toEqual({ count: 1, examples: ['e@acme.test'] });
    expect(troubles.stopped).toEqual({ count: 0, examples: [] });
  });

  it('of one domain share its failing check, which is reported once', () => {
    const setup = { ...good.setup, spf: 'fail', dmarc: 'fail', dkim: 'warn' };
    const { troubles } = summarise([{ setup }], [{ setup, email: 'b@acme.test' }]);
    expect(troubles.failingDomains).toEqual({ count: 1, examples: ['acme.test (SPF, DMARC)'] });
  });
});
