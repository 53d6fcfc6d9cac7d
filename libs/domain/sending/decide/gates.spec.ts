import { campaignGate, newLeadsGate } from './campaign-gate';
import { type Opening } from './facts';
import { mailboxGate } from './mailbox-gate';
import { at, campaignFacts, mailboxFacts, NOW, describeDecision } from './testing/facts';

const TODAY = '2026-11-20';
/** The window of the next working day: Monday, 09:00 in Berlin. */
const MONDAY = '2026-11-23T08:00:00.000Z';

describe('gates', () => {
  const empty = { day: '', used: 0 };
  const used = { day: TODAY, used: 1 };
  const tired = mailboxFacts({ lastSentAt: NOW });
  const gates: [name: string, opening: Opening, expected: string][] = [
    ['the gate of a mailbox ignores windows', mailboxGate(at('23:00:00'), mailboxFacts()), 'open'],
    [
      'the gate of a mailbox observes its gap',
      mailboxGate(NOW, tired),
      'wait mailbox_gap until 2026-11-20T09:01:00.000Z',
    ],
    ['the gate of a campaign is open', campaignGate(NOW, campaignFacts()), 'open'],
    [
      'the gate of a campaign observes its window',
      campaignGate(at('16:00:00'), campaignFacts()),
      `wait campaign_window until ${MONDAY}`,
    ],
    [
      'the gate of a campaign ignores the window if lead zones apply',
      campaignGate(at('16:00:00'), campaignFacts({ useLeadTimezone: true })),
      'open',
    ],
    [
      'the gate of a campaign observes the mailbox',
      campaignGate(NOW, campaignFacts(), tired),
      'wait mailbox_gap until 2026-11-20T09:01:00.000Z',
    ],
    [
      'the gate of campaign and mailbox opens when both do',
      campaignGate(at('15:59:30'), campaignFacts(), mailboxFacts({ lastSentAt: at('15:59:30') })),
      `wait mailbox_gap until ${MONDAY}`,
    ],
    [
      'the gate of a campaign ignores the limit of new leads',
      campaignGate(NOW, campaignFacts({ newLeadsPerDay: 1, newLeadsToday: used })),
      'open',
    ],
    [
      'the gate of new leads observes their limit',
      newLeadsGate(NOW, campaignFacts({ newLeadsPerDay: 1, newLeadsToday: used })),
      `wait new_leads_day until ${MONDAY}`,
    ],
    [
      'the gate of new leads is open',
      newLeadsGate(NOW, campaignFacts({ newLeadsPerDay: 1, newLeadsToday: empty }), mailboxFacts()),
      'open',
    ],
    [
      'the gate of new leads observes the mailbox',
      newLeadsGate(NOW, campaignFacts(), tired),
      'wait mailbox_gap until 2026-11-20T09:01:00.000Z',
    ],
  ];
  it.each(gates)('%s', (_name, opening, expected) => {
    expect(describeDecision(opening)).toBe(expected);
  });
});
