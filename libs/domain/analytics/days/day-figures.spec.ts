import { Types } from 'mongoose';
import { getIncrements } from './day-figures';

const workspaceId = new Types.ObjectId();
const campaignId = new Types.ObjectId();
const mailboxId = new Types.ObjectId();

type Told = Parameters<typeof getIncrements>[0][number];

function createEvent(type: Told['type'], at: string, data: Told['data'] = {}, more: Partial<Told> = {}): Told {
  return { workspaceId, campaignId, mailboxId, type, at: new Date(at), data, ...more };
}

describe('the effect of events on daily figures', () => {
  it('increments the campaign and the mailbox by day and quarter of an hour in UTC', () => {
    const events = [
      createEvent('email.sent', '2026-11-21T23:59:59.999Z', { firstOfLead: true }),
      createEvent('email.sent', '2026-11-21T23:45:00Z', { firstOfLead: false }),
      createEvent('email.sent', '2026-11-22T00:00:00Z'),
    ];
    const first = {
      day: new Date('2026-11-21'),
      by: { 'figures.sent': 2, 'figures.contacted': 1, 'quarters.95.sent': 2, 'quarters.95.contacted': 1 },
    };
    const second = { day: new Date('2026-11-22'), by: { 'figures.sent': 1, 'quarters.0.sent': 1 } };
    const of = (mailbox: Types.ObjectId | null) => ({ workspaceId, campaignId, mailboxId: mailbox });
    expect(getIncrements(events)).toEqual([
      { ...of(null), ...first },
      { ...of(mailboxId), ...first },
      { ...of(null), ...second },
      { ...of(mailboxId), ...second },
    ]);
  });

  it.each([
    ['email.opened', 'opened'],
    ['email.clicked', 'clicked'],
    ['email.replied', 'replied'],
    ['email.positive_reply', 'positiveReplied'],
    ['email.unsubscribed', 'unsubscribed'],
  ] as const)('counts %s once for a lead', (type, figure) => {
    const at = '2026-11-21T10:00:00Z';
    expect(getIncrements([createEvent(type, at, { firstOfLead: false })])).toEqual([]);
    const [sum] = getIncrements([
      createEvent(type, at, { firstOfLead: true }),
      createEvent(type, at, { firstOfLead: false }),
    ]);
    expect(sum?.by).toEqual({ [`figures.${figure}`]: 1, [`quarters.40.${figure}`]: 1 });
  });

  it.each([
    ['email.bounced', 'bounced'],
    ['email.auto_replied', 'autoReplied'],
    ['email.complained', 'complained'],
  ] as const)('counts each %s', (type, figure) => {
    const event = createEvent(type, '2026-11-21T10:00:00Z');
    expect(getIncrements([event, event])[0]?.by[`figures.${figure}`]).toBe(2);
  });

  it('ignores events without a campaign, and uncounted types', () => {
    const at = '2026-11-21T10:00:00Z';
    expect(
      getIncrements([createEvent('email.sent', at, {}, { campaignId: null }), createEvent('lead.completed', at)]),
    ).toEqual([]);
  });

  it('increments only the campaign for events without a mailbox', () => {
    const found = getIncrements([createEvent('email.complained', '2026-11-21T10:00:00Z', {}, { mailboxId: null })]);
    expect(found.map(({ mailboxId: of }) => of)).toEqual([null]);
  });
});
