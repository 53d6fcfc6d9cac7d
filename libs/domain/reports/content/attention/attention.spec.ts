import { type MailboxTroubles, type Named } from '../figures/mailbox-summary';
import { listAttention, type AttentionFacts, MAX_ITEMS } from './attention';

const none: Named = { count: 0, examples: [] };
const quiet: MailboxTroubles = {
  disconnected: none,
  stopped: none,
  unreachable: none,
  blacklisted: none,
  warmupSuspended: none,
  failingDomains: none,
};
const nothing: AttentionFacts = {
  mailboxes: quiet,
  stoppedCampaigns: [],
  furtherStopped: 0,
  idleCampaigns: none,
  waitingReplies: { count: 0, isMore: false },
  disabledWebhooks: none,
  credits: null,
  others: [],
};
const named = (count: number, ...examples: string[]): Named => ({ count, examples });
const mailboxes = (troubles: Partial<MailboxTroubles>) => ({ mailboxes: { ...quiet, ...troubles } });

describe('attention items', () => {
  it.each<[string, Partial<AttentionFacts>, string, string]>([
    ['a mailbox that is disconnected', mailboxes({ disconnected: named(1, 'a@x.test') }), 'critical', '1 mailbox is disconnected: a@x.test.'],
    ['several disconnected mailboxes', mailboxes({ disconnected: named(5, 'a@x.test', 'b@x.test', 'c@x.test') }), 'critical', '5 mailboxes are disconnected: a@x.test, b@x.test, c@x.test and 2 more.'],
    ['a mailbox stopped for bounces', mailboxes({ stopped: named(1, 'a@x.test') }), 'critical', '1 mailbox was stopped until a person resumes it: a@x.test.'],
    ['mailboxes on a blacklist', mailboxes({ blacklisted: named(2, 'a@x.test', 'b@x.test') }), 'critical', '2 mailboxes are on a blacklist: a@x.test, b@x.test.'],
    ['a domain that fails checks', mailboxes({ failingDomains: named(1, 'x.test (SPF, DKIM)') }), 'warning', '1 domain fails its DNS checks: x.test (SPF, DKIM).'],
    ['a mailbox that cannot be reached', mailboxes({ unreachable: named(1, 'a@x.test') }), 'warning', '1 mailbox cannot be reached at the moment: a@x.test.'],
    ['a warmup that was suspended', mailboxes({ warmupSuspended: named(1, 'a@x.test') }), 'warning', '1 warmup was suspended: a@x.test.'],
    ['a campaign paused for bounces', { stoppedCampaigns: [{ name: 'Autumn', isForBounces: true, reason: '9 of 40 came back' }] }, 'critical', 'Campaign “Autumn” was paused for too many bounces: 9 of 40 came back.'],
    ['a campaign with another problem', { stoppedCampaigns: [{ name: 'Autumn', isForBounces: false, reason: 'No mailbox is left.' }] }, 'critical', 'Campaign “Autumn” cannot go on: No mailbox is left.'],
    ['one positive reply that waits', { waitingReplies: { count: 1, isMore: false } }, 'warning', '1 positive reply waits to be read.'],
    ['more of them than are counted', { waitingReplies: { count: 1000, isMore: true } }, 'warning', 'At least 1000 positive replies wait to be read.'],
    ['campaigns that sent nothing', { idleCampaigns: named(4, 'A', 'B', 'C') }, 'info', '4 active campaigns sent nothing: “A”, “B”, “C” and 1 more.'],
    ['webhooks that were switched off', { disabledWebhooks: named(1, 'CRM') }, 'warning', '1 webhook was switched off because its deliveries failed: CRM.'],
    ['credits that will not last', { credits: { balance: 30, spent: 70 } }, 'warning', '30 credits are left; 70 were used in this period.'],
    ['credits that are gone', { credits: { balance: 0, spent: 70 } }, 'warning', 'No credits are left; 70 were used in this period.'],
    ['what another domain says', { others: [{ severity: 'critical', sentence: 'HubSpot is disconnected.' }] }, 'critical', 'HubSpot is disconnected.'],
  ])('report %s', (_what, facts, severity, sentence) => {
    expect(listAttention({ ...nothing, ...facts })).toEqual({ items: [{ severity, sentence }], more: 0 });
  }); // prettier-ignore

  it.each<[string, Partial<AttentionFacts>]>([
    ['nothing is wrong', {}],
    ['the credits last for another such period', { credits: { balance: 70, spent: 70 } }],
    ['there are no credits, and none were used', { credits: { balance: 0, spent: 0 } }],
  ])('are empty when %s', (_what, facts) => {
    expect(listAttention({ ...nothing, ...facts })).toEqual({ items: [], more: 0 });
  });

  it('begin with the most urgent, and keep the order of equally urgent ones', () => {
    const facts: AttentionFacts = {
      ...nothing,
      ...mailboxes({ disconnected: named(1, 'a@x.test'), unreachable: named(1, 'b@x.test') }),
      idleCampaigns: named(1, 'A'),
      waitingReplies: { count: 2, isMore: false },
      stoppedCampaigns: [{ name: 'B', isForBounces: true, reason: 'too many' }],
    };
    const { items } = listAttention(facts);
    expect(items.map(({ severity }) => severity)).toEqual(['critical', 'critical', 'warning', 'warning', 'info']);
    expect(items[0]?.sentence).toContain('“B”');
  });

  it('are limited to twelve sentences, with the number of the others', () => {
    const stopped = Array.from({ length: 15 }, (_, n) => ({ name: `C${n}`, isForBounces: true, reason: 'too many' }));
    const all = {
      ...nothing,
      stoppedCampaigns: stopped,
      furtherStopped: 4,
      waitingReplies: { count: 2, isMore: false },
    };
    const { items, more } = listAttention(all);
    expect(items).toHaveLength(MAX_ITEMS);
    expect(more).toBe(3 + 1 + 4);
  });
});
