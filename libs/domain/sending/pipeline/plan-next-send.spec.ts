import { type CampaignFacts, type LeadFacts, type MailboxFacts, type StopReason } from '../decide/facts';
import { at, campaignFacts, leadFacts, mailboxFacts, NOW } from '../decide/testing/facts';
import {
  type CampaignAtWork,
  type LeadAtWork,
  type LeadKind,
  nextPollAt,
  planNextSend,
  type Postponing,
  type PlannerDataSource,
} from './plan-next-send';

const MINUTE = 60_000;
const MONDAY = new Date('2026-11-23T08:00:00.000Z');

interface Campaign extends CampaignAtWork {
  readonly leads: Lead[];
  wait: Date | null;
}
interface Lead extends LeadAtWork {
  readonly kind: LeadKind;
  facts: LeadFacts;
}

/** A world in memory that keeps book of what is done in it. */
class MemoryWorld implements PlannerDataSource<Campaign, Lead> {
  readonly now = NOW;
  readonly batch = 5;
  readonly mailbox: MailboxFacts;
  readonly reads: string[] = [];
  readonly stopped: [string, StopReason][] = [];
  readonly postponed: [string, Date][] = [];
  readonly reasons: string[] = [];
  readonly reserved = new Set<string>();

  constructor(
    private readonly all: Campaign[],
    mailbox: Partial<MailboxFacts> = {},
  ) {
    this.mailbox = mailboxFacts(mailbox);
  }

  campaigns(): Promise<Campaign[]> {
    return Promise.resolve(this.all);
  }

  due(campaign: Campaign, kind: LeadKind, limit: number): Promise<Lead[]> {
    this.reads.push(`${campaign.id} ${kind}`);
    const due = this.#row(campaign, kind).filter(({ id, facts }) => facts.dueAt! <= NOW && !this.reserved.has(id));
    return Promise.resolve(due.slice(0, limit));
  }

  nextDue(campaign: Campaign, kind: LeadKind): Promise<Date | null> {
    return Promise.resolve(this.#row(campaign, kind)[0]?.facts.dueAt ?? null);
  }

  rotationWait({ wait }: Campaign): Promise<Date | null> {
    return Promise.resolve(wait);
  }

  reserve({ id }: Lead): boolean {
    if (this.reserved.has(id)) return false;
    this.reserved.add(id);
    return true;
  }

  postpone(lead: Lead, until: Date, { reason, campaign: { id } }: Postponing<Campaign>): Promise<void> {
    this.reasons.push(`${id} ${reason}`);
    this.postponed.push([lead.id, until]);
    lead.facts = { ...lead.facts, dueAt: until };
    return Promise.resolve();
  }

  stop(lead: Lead, reason: StopReason): Promise<void> {
    this.stopped.push([lead.id, reason]);
    lead.facts = { ...lead.facts, status: 'completed', dueAt: null };
    return Promise.resolve();
  }

  #row({ leads }: Campaign, kind: LeadKind): Lead[] {
    const waiting = leads.filter((lead) => lead.kind === kind && lead.facts.dueAt !== null);
    return waiting.toSorted((one, other) => one.facts.dueAt!.getTime() - other.facts.dueAt!.getTime());
  }
}

function campaign(
  id: string,
  leads: Lead[],
  facts: Partial<CampaignFacts> = {},
  more: Partial<Campaign> = {},
): Campaign {
  return { id, facts: campaignFacts(facts), followUpsFirst: true, lastServedAt: null, leads, wait: null, ...more };
}

const fresh = (id: string, facts: Partial<LeadFacts> = {}): Lead => ({ id, kind: 'new', facts: leadFacts(facts) });
const followUp = (id: string, facts: Partial<LeadFacts> = {}): Lead => ({
  id,
  kind: 'followUp',
  facts: leadFacts({
    isNew: false,
    ...facts,
  }),
});

async function planned(world: MemoryWorld): Promise<string> {
  const plan = await planNextSend(world);
  if (plan.kind === 'send') return `${plan.campaign.id}: ${plan.lead.id} (${plan.leadKind})`;
  return plan.nextAt?.toISOString() ?? (plan.works ? 'nothing in sight' : 'works for nobody');
}

describe('the next email of a mailbox', () => {
  it('is of the campaign that comes first, and of its follow-ups before its new leads', async () => {
    const world = new MemoryWorld([campaign('a', [fresh('n1'), followUp('f1')]), campaign('b', [followUp('f2')])]);
    expect(await planned(world)).toBe('a: f1 (followUp)');
    expect(world.reads).toEqual(['a followUp']);
  });

  it('is of a new lead before follow-ups where the campaign wants that', async () => {
    const world = new MemoryWorld([campaign('a', [fresh('n1'), followUp('f1')], {}, { followUpsFirst: false })]);
    expect(await planned(world)).toBe('a: n1 (new)');
  });

  it('is of the next campaign when the first has nothing that can go', async () => {
    const shut = campaign('shut', [fresh('n1')], { nextAt: at('09:30:00') });
    const world = new MemoryWorld([shut, campaign('empty', []), campaign('b', [fresh('n2')])]);
    expect(await planned(world)).toBe('b: n2 (new)');
    expect(world.reads).not.toContain('shut new'); // no lead of a campaign that is shut is even read
  });

  it('is of a follow-up when the day’s new leads are used up, also where new leads come first', async () => {
    const used = { newLeadsPerDay: 1, newLeadsToday: { day: '2026-11-20', used: 1 } };
    const world = new MemoryWorld([campaign('a', [fresh('n1'), followUp('f1')], used, { followUpsFirst: false })]);
    expect(await planned(world)).toBe('a: f1 (followUp)');
    expect(world.reads).toEqual(['a followUp']);
  });

  it('is of whoever is due longest', async () => {
    const leads = [followUp('late', { dueAt: at('08:30:00') }), followUp('first', { dueAt: at('08:00:00') })];
    expect(await planned(new MemoryWorld([campaign('a', leads)]))).toBe('a: first (followUp)');
  });

  it('is not of a new lead while rotation says to wait, but of another campaign', async () => {
    const waits = campaign('a', [fresh('n1')], {}, { wait: at('09:00:20') });
    expect(await planned(new MemoryWorld([waits]))).toBe(at('09:00:20').toISOString());
    expect(await planned(new MemoryWorld([waits, campaign('b', [fresh('n2')])]))).toBe('b: n2 (new)');
    const follows = campaign('a', [followUp('f1')], {}, { wait: at('09:00:20') });
    expect(await planned(new MemoryWorld([follows]))).toBe('a: f1 (followUp)');
  });

  it('is of the next lead when another mailbox has the first one in hand', async () => {
    const world = new MemoryWorld([campaign('a', [fresh('n1'), fresh('n2')])]);
    jest.spyOn(world, 'reserve').mockReturnValueOnce(false);
    expect(await planned(world)).toBe('a: n2 (new)');
  });

  it('is none while the mailbox may not send: nothing is even read', async () => {
    const world = new MemoryWorld([campaign('a', [fresh('n1')])], { lastSentAt: at('08:59:30') });
    expect(await planned(world)).toBe(at('09:00:30').toISOString());
    const paused = new MemoryWorld([campaign('a', [fresh('n1')])], { status: 'paused' });
    expect(await planned(paused)).toBe('nothing in sight');
    expect([...world.reads, ...paused.reads]).toEqual([]);
  });
});

describe('leads that cannot be written to now', () => {
  it('are put off until they can, and the others do not wait for them', async () => {
    const domain = { domainUsedToday: { day: '2026-11-20', used: 3 } };
    const leads = [fresh('n1', domain), fresh('n2', { timezone: 'America/New_York' }), fresh('n3')];
    const world = new MemoryWorld([campaign('a', leads, { domainDailyLimit: 3, useLeadTimezone: true })]);
    expect(await planned(world)).toBe('a: n3 (new)');
    expect(world.postponed).toEqual([
      ['n1', MONDAY],
      ['n2', at('14:00:00')],
    ]);
    expect(world.reasons).toEqual(['a domain_day', 'a campaign_window']);
  });

  it('and that only an event can set going are looked at again in an hour', async () => {
    const world = new MemoryWorld([campaign('a', [followUp('f1', { senderIsThisMailbox: false })])]);
    expect(await planned(world)).toBe(at('10:00:00').toISOString());
    expect(world.postponed).toEqual([['f1', at('10:00:00')]]);
  });

  it('and never can are stopped, each for its reason', async () => {
    const leads = [
      fresh('n1', { suppressed: true }),
      fresh('n2', { missingVariables: ['firstName'] }),
      followUp('f1', { hasNextStep: false }),
    ];
    const world = new MemoryWorld([campaign('a', leads)]);
    expect(await planned(world)).toBe('nothing in sight');
    expect(world.stopped).toEqual([
      ['f1', 'finished'],
      ['n1', 'suppressed'],
      ['n2', 'missing_variable'],
    ]);
  });

  it('are worked off 200 at a time: the mailbox is not held up by a long row of them', async () => {
    const many = Array.from({ length: 450 }, (_, number) => fresh(`n${number}`, { suppressed: true }));
    const world = new MemoryWorld([campaign('a', [...many, fresh('last')])]);
    expect(await planned(world)).toBe(NOW.toISOString());
    expect(world.stopped).toHaveLength(200);
    await planned(world);
    expect(await planned(world)).toBe('a: last (new)');
    expect(world.stopped).toHaveLength(450);
  });

  it('do not keep another campaign waiting', async () => {
    const many = Array.from({ length: 300 }, (_, number) => fresh(`n${number}`, { suppressed: true }));
    const world = new MemoryWorld([campaign('a', many), campaign('b', [fresh('n')])]);
    expect(await planned(world)).toBe('b: n (new)');
  });
});

describe('a mailbox that has nothing to send', () => {
  it('looks again when the first thing comes: a lead, a window, a limit', async () => {
    const later = campaign('later', [
      followUp('f1', { dueAt: at('13:00:00') }),
      fresh('n1', { dueAt: at('12:00:00') }),
    ]);
    const interval = campaign('interval', [fresh('n2')], { nextAt: at('11:00:00') });
    const shut = campaign('shut', [fresh('n3')], { dailyLimit: 1, usedToday: { day: '2026-11-20', used: 1 } });
    expect(await planned(new MemoryWorld([later]))).toBe(at('12:00:00').toISOString());
    expect(await planned(new MemoryWorld([shut]))).toBe(MONDAY.toISOString());
    expect(await planned(new MemoryWorld([later, shut, interval]))).toBe(at('11:00:00').toISOString());
  });

  it('has nothing in sight without leads, and works for nobody without campaigns', async () => {
    expect(await planned(new MemoryWorld([campaign('a', [])]))).toBe('nothing in sight');
    expect(await planned(new MemoryWorld([]))).toBe('works for nobody');
  });

  it.each([
    ['when the next thing comes', { nextAt: new Date(NOW.getTime() + MINUTE), works: true }, 1],
    ['in a quarter of an hour at the latest', { nextAt: MONDAY, works: true }, 15],
    ['in a quarter of an hour when nothing is in sight', { nextAt: null, works: true }, 15],
    ['not at all when it works for nobody', { nextAt: null, works: false }, null],
  ])('has its next turn %s', (_name, idle, minutes) => {
    const next = nextPollAt({ kind: 'idle', ...idle }, NOW);
    expect(next && (next.getTime() - NOW.getTime()) / MINUTE).toBe(minutes);
  });
});
