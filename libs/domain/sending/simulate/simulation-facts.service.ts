import {
  type CampaignRecord,
  CampaignCountersService,
  type CampaignShare,
  ActiveCampaignsRepository,
  SequenceVersionService,
} from '@domain/campaigns';
import { MailboxRepository, type MailboxRecord } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { limitExceeded } from '@platform/errors';
import { mailboxGate } from '../decide/mailbox-gate';
import { REASONS } from '../explain/reasons';
import { SendBudgetRepository } from '../quota/send-budget.repository';
import { domainQuota, SendQuotaRepository } from '../quota/send-quota.repository';
import { campaignFacts } from '../pipeline/stored-facts';
import { storedMailboxFacts } from '../explain/stored-mailbox-facts';
import { SimulatedLeadsService } from './simulated-leads.service';
import { type SimulatedCampaign, type SimulatedLead, type SimulatedMailbox } from './simulation-input';

/** Leads of a simulation, over all its campaigns. */
const MOST_LEADS = 100_000;
/** Recipient domains whose use of today is asked for at a time. */
const DOMAINS = 1_000;

/** What a simulation begins with, and what is to be said about it. */
export interface SimulationFacts {
  readonly mailboxes: SimulatedMailbox[];
  readonly campaigns: SimulatedCampaign[];
  readonly leads: SimulatedLead[];
  readonly assumptions: string[];
}

interface Gathered {
  readonly campaigns: { readonly record: CampaignRecord; readonly shares: readonly CampaignShare[] }[];
  readonly mailboxes: Map<string, MailboxRecord>;
  /** Campaigns that share mailboxes and have too many leads. */
  leftOut: number;
}

/** Reads what a simulation of a campaign needs: the campaign, those that share its mailboxes, and those that share theirs. */
@Injectable()
export class SimulationFactsService {
  constructor(
    private readonly campaigns: ActiveCampaignsRepository,
    private readonly counters: CampaignCountersService,
    private readonly sequences: SequenceVersionService,
    private readonly mailboxes: MailboxRepository,
    private readonly budgets: SendBudgetRepository,
    private readonly quotas: SendQuotaRepository,
    private readonly leads: SimulatedLeadsService,
  ) {}

  /** @throws LIMIT_EXCEEDED when the campaign itself has too many leads */
  async read(campaign: CampaignRecord, { now, startsAt }: { now: Date; startsAt: Date }): Promise<SimulationFacts> {
    const gathered = await this.#gather(campaign);
    const campaigns: SimulatedCampaign[] = [];
    const leads: SimulatedLead[] = [];
    let inFlight = 0;
    for (const { record, shares } of gathered.campaigns) {
      const sequence = await this.sequences.findCurrent(record);
      if (!sequence) continue;
      const read = await this.leads.read({ campaign: record, sequence, mailboxes: gathered.mailboxes }, now);
      const starts = record === campaign ? startsAt : now;
      campaigns.push({
        ...(await this.#campaign(record, read.leads, now)),
        startsAt: starts,
        steps: sequence.steps.map(({ _id, delay }) => ({ id: _id.toHexString(), delay })),
        shares: shares.flatMap(shareOf),
        formerMailboxes: record.formerMailboxes.map((id) => id.toHexString()),
      });
      for (const lead of read.leads) leads.push(lead);
      inFlight += read.inFlight;
    }
    const mailboxes = await this.#mailboxes(gathered);
    const assumptions = [
      ...assumptionsOf(gathered, inFlight),
      ...strandedOf(campaigns, leads),
      ...closedOf(mailboxes, gathered, now),
    ];
    return { mailboxes, campaigns, leads, assumptions };
  }

  async #gather(campaign: CampaignRecord): Promise<Gathered> {
    const { workspaceId } = campaign;
    const gathered: Gathered = { campaigns: [], mailboxes: new Map(), leftOut: 0 };
    const seen = new Set<string>([campaign._id.toHexString()]);
    const queue: CampaignRecord[] = [campaign];
    let room = MOST_LEADS;
    for (let record = queue.shift(); record; record = queue.shift()) {
      const count = await this.#toWriteTo(record);
      if (count > room) {
        if (record === campaign) throw tooMany(count);
        gathered.leftOut += 1;
        continue;
      }
      room -= count;
      const shares = await this.campaigns.listShares(workspaceId, record._id);
      gathered.campaigns.push({ record, shares });
      for (const other of await this.campaigns.listWithMailboxes(workspaceId, await this.#add(gathered, record, shares))) {
        const id = other._id.toHexString();
        if (!seen.has(id)) queue.push(other);
        seen.add(id);
      }
    }
    return gathered;
  }

  /** Mailboxes of the campaign that are there and were not known before. */
  async #add({ mailboxes }: Gathered, { workspaceId }: CampaignRecord, shares: readonly CampaignShare[]) {
    const ids = shares.flatMap(({ mailboxId }) =>
      mailboxId && !mailboxes.has(mailboxId.toHexString()) ? [mailboxId] : [],
    );
    const fresh = await this.mailboxes.findAll(workspaceId, ids);
    for (const id of ids) {
      const mailbox = fresh.get(id.toHexString());
      if (mailbox) mailboxes.set(id.toHexString(), mailbox);
    }
    return ids.filter((id) => fresh.has(id.toHexString()));
  }

  async #toWriteTo({ _id, workspaceId }: CampaignRecord): Promise<number> {
    const sums = (await this.counters.sum(workspaceId, [_id])).get(_id.toHexString());
    return sums ? sums.leads.active + sums.leads.paused : 0;
  }

  async #campaign(record: CampaignRecord, leads: readonly SimulatedLead[], now: Date) {
    const day = this.quotas.dayOf(record, now);
    const used = await this.quotas.usedToday(record, now);
    const { nextAt: _nextAt, ...facts } = campaignFacts(record, { nextAt: null }, { day, used });
    return {
      id: record._id.toHexString(),
      facts: { ...facts, status: 'active' as const },
      domains: await this.#domains(record, leads, now),
      followUpsFirst: record.followUpsFirst,
      emailIntervalMinutes: record.emailIntervalMinutes,
    };
  }

  async #domains(record: CampaignRecord, leads: readonly SimulatedLead[], now: Date): Promise<Map<string, number>> {
    const used = new Map<string, number>();
    if (record.domainDailyLimit === null) return used;
    const domains = [...new Set(leads.flatMap(({ domain, freeMail }) => (freeMail ? [] : [domain])))];
    for (let from = 0; from < domains.length; from += DOMAINS) {
      const some = domains.slice(from, from + DOMAINS);
      const counts = await this.quotas.usedToday(record, now, some);
      for (const domain of some) used.set(domain, counts.get(domainQuota(domain)) ?? 0);
    }
    return used;
  }

  async #mailboxes({ mailboxes }: Gathered): Promise<SimulatedMailbox[]> {
    const states = await this.budgets.statesOf([...mailboxes.values()]);
    return [...mailboxes].map(([id, record]) => ({ id, facts: storedMailboxFacts(record, states.get(id)) }));
  }
}

function shareOf({ _id, mailboxId, lastServedAt, nextAt, newLeads }: CampaignShare) {
  return mailboxId
    ? [{ id: _id.toHexString(), mailboxId: mailboxId.toHexString(), lastServedAt, nextAt, newLeads }]
    : [];
}

function tooMany(count: number) {
  return limitExceeded(`A simulation looks at up to ${MOST_LEADS} leads; this campaign has ${count} to write to`);
}

function assumptionsOf({ campaigns, leftOut }: Gathered, inFlight: number): string[] {
  const others = campaigns.length - 1;
  return [
    'Every email is accepted at once, and nobody answers, unsubscribes or bounces.',
    'Leads, settings and mailboxes stay as they are; of other emails only what is kept for warmup is foreseen.',
    ...(others > 0 ? [`Active campaigns that share its mailboxes go on sending: ${others}.`] : []),
    ...(leftOut > 0
      ? [`Active campaigns left out, because together they have more than ${MOST_LEADS} leads: ${leftOut}.`]
      : []),
    ...(inFlight > 0 ? [`Emails on their way are taken as sent: ${inFlight}.`] : []),
  ];
}

/** Leads that nobody writes to: `explain` calls that `no_sender`. */
function strandedOf(campaigns: readonly SimulatedCampaign[], leads: readonly SimulatedLead[]): string[] {
  const senders = new Map(
    campaigns.map(({ id, shares, formerMailboxes }) => [
      id,
      new Set([...shares.map(({ mailboxId }) => mailboxId), ...formerMailboxes]),
    ]),
  );
  const stranded = leads.filter(({ campaignId, mailboxId }) => mailboxId && !senders.get(campaignId)?.has(mailboxId));
  return stranded.length > 0 ? [`Leads that no mailbox of their campaign can write to: ${stranded.length}.`] : [];
}

/** Mailboxes that only a person can set going. */
function closedOf(mailboxes: readonly SimulatedMailbox[], gathered: Gathered, now: Date): string[] {
  return mailboxes.flatMap(({ id, facts }) => {
    const gate = mailboxGate(now, facts);
    if (gate.kind === 'open' || gate.nextEligibleAt !== null) return [];
    return [`${gathered.mailboxes.get(id)?.email ?? id} sends nothing: ${REASONS[gate.reason]}`];
  });
}
