import { type CountedShare } from '@domain/campaigns';
import { type EventCount } from '@domain/events';
import { type LeadGroup } from '@domain/leads';
import { Types } from 'mongoose';
import { getDifferences, type Recount } from './recounted-figures';

const mailboxId = new Types.ObjectId();
const campaignId = new Types.ObjectId();
const step = new Types.ObjectId().toHexString();

const NONE = {
  sent: 0,
  delivered: 0,
  opened: 0,
  clicked: 0,
  replied: 0,
  bounced: 0,
  unsubscribed: 0,
  machineOpened: 0,
  machineClicked: 0,
  autoReplied: 0,
  positiveReplied: 0,
  complained: 0,
};
const NO_LEADS = { total: 0, active: 0, paused: 0, completed: 0, bounced: 0, removed: 0 };

function share(more: Partial<CountedShare> = {}): CountedShare {
  return { mailboxId, newLeads: 0, stats: NONE, leads: NO_LEADS, steps: {}, ...more };
}

function events(type: EventCount['type'], count: number, firsts = 0): EventCount {
  return { campaignId, mailboxId, type, stepId: step, count, firsts };
}

function leads(status: LeadGroup['status'], count: number): LeadGroup {
  return { status, count };
}

/** A recount with these figures and no others. */
const recounted = (more: Partial<Recount>): Recount => ({ events: [], leads: [], machines: [], taken: [], ...more });

describe('a recount of a campaign', () => {
  it('finds no difference if every figure is correct', () => {
    const shares = [
      share({
        newLeads: 3,
        stats: { ...NONE, sent: 2, delivered: 2, bounced: 1 },
        leads: { ...NO_LEADS, active: -3, completed: 2, bounced: 1 },
        steps: { [step]: { sent: 2, bounced: 1 } },
      }),
      share({ mailboxId: null, leads: { ...NO_LEADS, total: 5, active: 5 } }),
    ];
    const recount = {
      events: [events('email.sent', 2), events('email.bounced', 1)],
      leads: [leads('completed', 2), leads('bounced', 1), leads('active', 2)],
      machines: [],
      taken: [{ mailboxId, count: 3 }],
    };
    expect(getDifferences(shares, recount)).toEqual([]);
  });

  it('names each figure that is too high or too low, with its share', () => {
    const shares = [share({ newLeads: 2, stats: { ...NONE, sent: 3, delivered: 1 }, steps: { [step]: { sent: 1 } } })];
    const taken = [{ mailboxId, count: 1 }];
    const recount = { events: [events('email.sent', 1)], leads: [leads('completed', 1)], machines: [], taken };
    const own = String(mailboxId);
    expect(getDifferences(shares, recount)).toEqual([
      { mailboxId: own, figure: 'newLeads', is: 2, shouldBe: 1 },
      { mailboxId: own, figure: 'stats.sent', is: 3, shouldBe: 1 },
      { mailboxId: null, figure: 'leads.total', is: 0, shouldBe: 1 },
      { mailboxId: null, figure: 'leads.completed', is: 0, shouldBe: 1 },
    ]);
  });

  it('finds events of a mailbox that has no share at all', () => {
    const found = getDifferences([], recounted({ events: [events('email.bounced', 4)] }));
    expect(found).toEqual([
      { mailboxId: String(mailboxId), figure: 'stats.bounced', is: 0, shouldBe: 4 },
      { mailboxId: String(mailboxId), figure: `steps.${step}.bounced`, is: 0, shouldBe: 4 },
    ]);
  });

  it('compares leads by status with the sum of all shares: a single share may be negative', () => {
    const shares = [
      share({ leads: { ...NO_LEADS, active: -2, completed: 2 } }),
      share({ mailboxId: null, leads: { ...NO_LEADS, total: 2, active: 2 } }),
    ];
    expect(getDifferences(shares, recounted({ leads: [leads('completed', 2)] }))).toEqual([]);
  });

  it.each([
    ['email.opened', 'opened'],
    ['email.clicked', 'clicked'],
    ['email.replied', 'replied'],
    ['email.unsubscribed', 'unsubscribed'],
    ['email.positive_reply', 'positiveReplied'],
  ] as const)('counts leads of %s: only the first event of each lead', (type, figure) => {
    const found = getDifferences([], recounted({ events: [events(type, 5, 2)] }));
    expect(found).toContainEqual({ mailboxId: String(mailboxId), figure: `stats.${figure}`, is: 0, shouldBe: 2 });
  });

  it.each(['opened', 'clicked'] as const)('counts every email of a step that was %s', (figure) => {
    const steps = { [step]: { [figure]: 5 } };
    const shares = [share({ stats: { ...NONE, [figure]: 2 }, steps })];
    expect(getDifferences(shares, recounted({ events: [events(`email.${figure}`, 5, 2)] }))).toEqual([]);
  });

  it.each([
    ['email.auto_replied', 'autoReplied'],
    ['email.complained', 'complained'],
  ] as const)('counts each of %s', (type, figure) => {
    const shares = [share({ stats: { ...NONE, [figure]: 5 } })];
    expect(getDifferences(shares, recounted({ events: [events(type, 5)] }))).toEqual([]);
  });

  it('takes machine engagement from the sends', () => {
    const shares = [share({ stats: { ...NONE, machineOpened: 3, machineClicked: 1 } })];
    const machines = [{ mailboxId, opened: 3, clicked: 2 }];
    const found = getDifferences(shares, recounted({ machines }));
    expect(found).toEqual([{ mailboxId: String(mailboxId), figure: 'stats.machineClicked', is: 1, shouldBe: 2 }]);
  });

  it('removes figures without a source', () => {
    const found = getDifferences([share({ stats: { ...NONE, opened: 7 } })], recounted({}));
    expect(found).toEqual([{ mailboxId: String(mailboxId), figure: 'stats.opened', is: 7, shouldBe: 0 }]);
  });
});
