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

/** A data source in memory that records reads and changes. */
class MemoryDataSource implements PlannerDataSource<Campaign, Lead> {
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

async function planned(source: MemoryDataSource): Promise<string> {
  const plan = await planNextSend(source);
  if (plan.kind === 'send') return `${plan.campaign.id}: ${plan.lead.id} (${plan.leadKind})`;
  return plan.nextAt?.toISOString() ?? (plan.works ? 'nothing due' : 'no campaign');
}

describe('the next email of a mailbox', () => {
  it('belongs to the first campaign, and to its follow-ups before its new leads', async () => {
    const source = new MemoryDataSource([
      campaign('a', [fresh('n1'), followUp('f1')]),
      campaign('b', [followUp('f2')]),
    ]);
    expect(await planned(source)).toBe('a: f1 (followUp)');
    expect(source.reads).toEqual(['a followUp']);
  });

  it('goes to a new lead before follow-ups if the campaign prefers that', async () => {
    const source = new MemoryDataSource([campaign('a', [fresh('n1'), followUp('f1')], {}, { followUpsFirst: false })]);
    expect(await planned(source)).toBe('a: n1 (new)');
  });

  it('belongs to the next campaign if the first one can send nothing', async () => {
    const shut = campaign('shut', [fresh('n1')], { nextAt: at('09:30:00') });
    const source = new MemoryDataSource([shut, campaign('empty', []), campaign('b', [fresh('n2')])]);
    expect(await planned(source)).toBe('b: n2 (new)');
    expect(source.reads).not.toContain('shut new'); // Leads of a campaign with a closed gate are not even read.
  });

  it('goes to a follow-up if the day’s new leads are used up, also if new leads come first', async () => {
    const used = { newLeadsPerDay: 1, newLeadsToday: { day: '2026-11-20', used: 1 } };
    const source = new MemoryDataSource([
      campaign('a', [fresh('n1'), followUp('f1')], used, { followUpsFirst: false }),
    ]);
    expect(await planned(source)).toBe('a: f1 (followUp)');
    expect(source.reads).toEqual(['a followUp']);
  });

  it('goes to the lead that has been due longest', async () => {
    const leads = [followUp('late', { dueAt: at('08:30:00') }), followUp('first', { dueAt: at('08:00:00') })];
    expect(await planned(new MemoryDataSource([campaign('a', leads)]))).toBe('a: first (followUp)');
  });

  it('goes to another campaign while rotation delays a new lead', async () => {
    const waits = campaign('a', [fresh('n1')], {}, { wait: at('09:00:20') });
    expect(await planned(new MemoryDataSource([waits]))).toBe(at('09:00:20').toISOString());
    expect(await planned(new MemoryDataSource([waits, campaign('b', [fresh('n2')])]))).toBe('b: n2 (new)');
    const follows = campaign('a', [followUp('f1')], {}, { wait: at('09:00:20') });
    expect(await planned(new MemoryDataSource([follows]))).toBe('a: f1 (followUp)');
  });

  it('goes to the next lead if another mailbox has reserved the first one', async () => {
    const source = new MemoryDataSource([campaign('a', [fresh('n1'), fresh('n2')])]);
    jest.spyOn(source, 'reserve').mockReturnValueOnce(false);
    expect(await planned(source)).toBe('a: n2 (new)');
  });

  it('does not exist while the mailbox may not send: not even leads are read', async () => {
    const source = new MemoryDataSource([campaign('a', [fresh('n1')])], { lastSentAt: at('08:59:30') });
    expect(await planned(source)).toBe(at('09:00:30').toISOString());
    const paused = new MemoryDataSource([campaign('a', [fresh('n1')])], { status: 'paused' });
    expect(await planned(paused)).toBe('nothing due');
    expect([...source.reads, ...paused.reads]).toEqual([]);
  });
});

describe('leads that cannot be contacted now', () => {
  it('are postponed until they can, and other leads do not wait for them', async () => {
    const domain = { domainUsedToday: { day: '2026-11-20', used: 3 } };
    const leads = [fresh('n1', domain), fresh('n2', { timezone: 'America/New_York' }), fresh('n3')];
    const source = new MemoryDataSource([campaign('a', leads, { domainDailyLimit: 3, useLeadTimezone: true })]);
    expect(await planned(source)).toBe('a: n3 (new)');
    expect(source.postponed).toEqual([
      ['n1', MONDAY],
      ['n2', at('14:00:00')],
    ]);
    expect(source.reasons).toEqual(['a domain_day', 'a campaign_window']);
  });

  it('are planned again in an hour if only an event can release them', async () => {
    const source = new MemoryDataSource([campaign('a', [followUp('f1', { senderIsThisMailbox: false })])]);
    expect(await planned(source)).toBe(at('10:00:00').toISOString());
    expect(source.postponed).toEqual([['f1', at('10:00:00')]]);
  });

  it('are stopped with their reason if they can never be contacted', async () => {
    const leads = [
      fresh('n1', { suppressed: true }),
      fresh('n2', { missingVariables: ['firstName'] }),
      followUp('f1', { hasNextStep: false }),
    ];
    const source = new MemoryDataSource([campaign('a', leads)]);
    expect(await planned(source)).toBe('nothing due');
    expect(source.stopped).toEqual([
      ['f1', 'finished'],
      ['n1', 'suppressed'],
      ['n2', 'missing_variable'],
    ]);
  });

  it('are processed 200 at a time, so that many of them do not delay the mailbox', async () => {
    const many = Array.from({ length: 450 }, (_, number) => fresh(`n${number}`, { suppressed: true }));
    const source = new MemoryDataSource([campaign('a', [...many, fresh('last')])]);
    expect(await planned(source)).toBe(NOW.toISOString());
    expect(source.stopped).toHaveLength(200);
    await planned(source);
    expect(await planned(source)).toBe('a: last (new)');
    expect(source.stopped).toHaveLength(450);
  });

  it('do not delay another campaign', async () => {
    const many = Array.from({ length: 300 }, (_, number) => fresh(`n${number}`, { suppressed: true }));
    const source = new MemoryDataSource([campaign('a', many), campaign('b', [fresh('n')])]);
    expect(await planned(source)).toBe('b: n (new)');
  });
});

describe('a mailbox that has nothing to send', () => {
  it('plans again at the first due lead, window or limit', async () => {
    const later = campaign('later', [
      followUp('f1', { dueAt: at('13:00:00') }),
      fresh('n1', { dueAt: at('12:00:00') }),
    ]);
    const interval = campaign('interval', [fresh('n2')], { nextAt: at('11:00:00') });
    const shut = campaign('shut', [fresh('n3')], { dailyLimit: 1, usedToday: { day: '2026-11-20', used: 1 } });
    expect(await planned(new MemoryDataSource([later]))).toBe(at('12:00:00').toISOString());
    expect(await planned(new MemoryDataSource([shut]))).toBe(MONDAY.toISOString());
    expect(await planned(new MemoryDataSource([later, shut, interval]))).toBe(at('11:00:00').toISOString());
  });

  it('knows no due lead without leads, and does no work without campaigns', async () => {
    expect(await planned(new MemoryDataSource([campaign('a', [])]))).toBe('nothing due');
    expect(await planned(new MemoryDataSource([]))).toBe('no campaign');
  });

  it.each([
    ['when the next lead or limit is due', { nextAt: new Date(NOW.getTime() + MINUTE), works: true }, 1],
    ['in a quarter of an hour at the latest', { nextAt: MONDAY, works: true }, 15],
    ['in a quarter of an hour if nothing is due', { nextAt: null, works: true }, 15],
    ['never without a campaign', { nextAt: null, works: false }, null],
  ])('has its next run %s', (_name, idle, minutes) => {
    const next = nextPollAt({ kind: 'idle', ...idle }, NOW);
    expect(next && (next.getTime() - NOW.getTime()) / MINUTE).toBe(minutes);
  });
});
