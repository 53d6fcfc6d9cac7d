import {
  ActiveCampaignsRepository,
  CampaignCountersService,
  type CampaignRecord,
  type CampaignShare,
  type PublishedSequence,
  SequenceVersionService,
} from '@domain/campaigns';
import { getDueAt, LeadRecord, findPostponement } from '@domain/leads';
import { type MailboxRecord, MailboxRepository } from '@domain/mailboxes';
import { SuppressionsService } from '@domain/suppressions';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { limitExceeded } from '@platform/errors';
import { afterDelay } from '@platform/time';
import { isFreeMail } from '@platform/validation';
import { type Model } from 'mongoose';
import { mailboxGate } from '../decide/mailbox-gate';
import { REASONS } from '../explain/reasons';
import { storedMailboxFacts } from '../explain/stored-mailbox-facts';
import { leadFacts } from '../pipeline/lead-facts';
import { nextEmail } from '../pipeline/next-email';
import { campaignFacts } from '../pipeline/stored-facts';
import { SendBudgetRepository } from '../quota/send-budget.repository';
import { domainQuota, SendQuotaRepository } from '../quota/send-quota.repository';
import { type SimulatedCampaign, type SimulatedLead, type SimulatedMailbox } from './simulation-input';

/** Maximum leads of a simulation, over all its campaigns. */
const MOST_LEADS = 100_000;

/** Recipient domains per query for today's use. */
const DOMAINS = 1_000;

/** The initial state of a simulation, with notes for its caller. */
export interface SimulationFacts {
  readonly mailboxes: SimulatedMailbox[];
  readonly campaigns: SimulatedCampaign[];
  readonly leads: SimulatedLead[];
  readonly assumptions: string[];
}

interface Gathered {
  readonly campaigns: { readonly record: CampaignRecord; readonly shares: readonly CampaignShare[] }[];
  readonly mailboxes: Map<string, MailboxRecord>;
  /** Number of campaigns that share mailboxes but have too many leads. */
  leftOut: number;
}

/** Leads per read and per lookup of suppressions. */
const LEADS_PER_CHUNK = 4_000;

const NOBODY = { mailboxId: '', email: '', displayName: '' };

const NONE_USED = { day: '', used: 0 };

/** The campaign whose leads are read. */
export interface LeadsSource {
  readonly campaign: CampaignRecord;
  readonly sequence: PublishedSequence;
  /** By id. For a lead with any other sender, the first mailbox provides the sender's values. */
  readonly mailboxes: ReadonlyMap<string, MailboxRecord>;
}

export interface ReadLeadsResult {
  readonly leads: SimulatedLead[];
  /** Number of emails in flight, which count as sent. */
  readonly inFlight: number;
}

const LEAD_FIELDS = {
  campaignId: 1,
  email: 1,
  domain: 1,
  timezone: 1,
  status: 1,
  resumeAt: 1,
  stepId: 1,
  dueAt: 1,
  postponement: 1,
  mailboxId: 1,
  sendId: 1,
  sentCount: 1,
} as const;

/**
 * Reads what a simulation of a campaign needs: the campaign, those that share its mailboxes, and those that share
 * theirs.
 */
@Injectable()
export class SimulationFactsService {
  constructor(
    private readonly campaigns: ActiveCampaignsRepository,
    private readonly counters: CampaignCountersService,
    private readonly sequences: SequenceVersionService,
    private readonly mailboxes: MailboxRepository,
    private readonly budgets: SendBudgetRepository,
    private readonly quotas: SendQuotaRepository,
    @InjectModel(LeadRecord.name) private readonly leadRecords: Model<LeadRecord>,
    private readonly suppressions: SuppressionsService,
  ) {}

  /** @throws LIMIT_EXCEEDED if the campaign itself has too many leads */
  async read(campaign: CampaignRecord, { now, startsAt }: { now: Date; startsAt: Date }): Promise<SimulationFacts> {
    const gathered = await this.#gather(campaign);
    const campaigns: SimulatedCampaign[] = [];
    const leads: SimulatedLead[] = [];
    let inFlight = 0;
    for (const { record, shares } of gathered.campaigns) {
      const sequence = await this.sequences.findCurrent(record);
      if (!sequence) continue;
      const read = await this.readLeads({ campaign: record, sequence, mailboxes: gathered.mailboxes }, now);
      const starts = record === campaign ? startsAt : now;
      campaigns.push({
        ...(await this.#campaign(record, read.leads, now)),
        startsAt: starts,
        steps: sequence.steps.map(({ _id, delay }) => ({ id: _id.toHexString(), delay })),
        shares: shares.flatMap(toShare),
        formerMailboxes: record.formerMailboxes.map((id) => id.toHexString()),
      });
      for (const lead of read.leads) leads.push(lead);
      inFlight += read.inFlight;
    }
    const mailboxes = await this.#mailboxes(gathered);
    const assumptions = [
      ...listAssumptions(gathered, inFlight),
      ...describeStranded(campaigns, leads),
      ...describeClosed(mailboxes, gathered, now),
    ];
    return { mailboxes, campaigns, leads, assumptions };
  }

  async readLeads(source: LeadsSource, now: Date): Promise<ReadLeadsResult> {
    const { _id: campaignId, workspaceId } = source.campaign;
    const withVariables = needsVariables(source.sequence);
    const fields = withVariables ? {} : { projection: LEAD_FIELDS };
    const cursor = this.leadRecords
      .find({ workspaceId, campaignId, status: { $in: ['active', 'paused'] } }, fields.projection)
      .lean<LeadRecord[]>()
      .cursor({ batchSize: LEADS_PER_CHUNK });
    const found: SimulatedLead[] = [];
    let inFlight = 0;
    let chunk: LeadRecord[] = [];
    const take = async () => {
      const suppressed = await this.suppressions.matching(
        workspaceId.toHexString(),
        chunk.map(({ email }) => email),
      );
      for (const lead of chunk) {
        if (lead.sendId !== null) inFlight += 1;
        found.push(
          ...toSimulatedLeads(lead, source, {
            now,
            needsVariables: withVariables,
            isSuppressed: suppressed.has(lead.email),
          }),
        );
      }
      chunk = [];
    };
    for await (const lead of cursor) {
      chunk.push(lead);
      if (chunk.length === LEADS_PER_CHUNK) await take();
    }
    if (chunk.length > 0) await take();
    return { leads: found, inFlight };
  }

  async #gather(campaign: CampaignRecord): Promise<Gathered> {
    const { workspaceId } = campaign;
    const gathered: Gathered = { campaigns: [], mailboxes: new Map(), leftOut: 0 };
    const queued = new Set<string>([campaign._id.toHexString()]);
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
      for (const other of await this.campaigns.listWithMailboxes(
        workspaceId,
        await this.#add(gathered, record, shares),
      )) {
        const id = other._id.toHexString();
        if (!queued.has(id)) queue.push(other);
        queued.add(id);
      }
    }
    return gathered;
  }

  /** Reads existing mailboxes of the campaign that are not yet gathered. */
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

function toShare({ _id, mailboxId, lastServedAt, nextAt, newLeads }: CampaignShare) {
  return mailboxId
    ? [{ id: _id.toHexString(), mailboxId: mailboxId.toHexString(), lastServedAt, nextAt, newLeads }]
    : [];
}

function tooMany(count: number) {
  return limitExceeded(`A simulation covers up to ${MOST_LEADS} leads; this campaign has ${count} pending leads`);
}

function listAssumptions({ campaigns, leftOut }: Gathered, inFlight: number): string[] {
  const others = campaigns.length - 1;
  return [
    'Every email is accepted at once, and no lead replies, unsubscribes or bounces.',
    'Leads, settings and mailboxes stay unchanged; of other mail, only the part reserved for warmup is considered.',
    ...(others > 0 ? [`Active campaigns that share its mailboxes keep sending: ${others}.`] : []),
    ...(leftOut > 0
      ? [`Active campaigns left out, because together they have more than ${MOST_LEADS} leads: ${leftOut}.`]
      : []),
    ...(inFlight > 0 ? [`Emails in flight count as sent: ${inFlight}.`] : []),
  ];
}

/** Notes the number of leads that no mailbox writes to; `explain` names the reason `no_sender`. */
function describeStranded(campaigns: readonly SimulatedCampaign[], leads: readonly SimulatedLead[]): string[] {
  const senders = new Map(
    campaigns.map(({ id, shares, formerMailboxes }) => [
      id,
      new Set([...shares.map(({ mailboxId }) => mailboxId), ...formerMailboxes]),
    ]),
  );
  const stranded = leads.filter(({ campaignId, mailboxId }) => mailboxId && !senders.get(campaignId)?.has(mailboxId));
  return stranded.length > 0 ? [`Leads that no mailbox of their campaign can write to: ${stranded.length}.`] : [];
}

/** Notes each mailbox that only a person can activate. */
function describeClosed(mailboxes: readonly SimulatedMailbox[], gathered: Gathered, now: Date): string[] {
  return mailboxes.flatMap(({ id, facts }) => {
    const gate = mailboxGate(now, facts);
    if (gate.kind === 'open' || gate.nextEligibleAt !== null) return [];
    return [`${gathered.mailboxes.get(id)?.email ?? id} sends nothing: ${REASONS[gate.reason]}`];
  });
}

/** Leaves out a lead that waits for a person, and one with nothing due. */
function toSimulatedLeads(
  lead: LeadRecord,
  { campaign, sequence, mailboxes }: LeadsSource,
  { now, needsVariables, isSuppressed }: { now: Date; needsVariables: boolean; isSuppressed: boolean },
): SimulatedLead[] {
  if (lead.status === 'paused' && lead.resumeAt === null) return [];
  const id = lead._id.toHexString();
  const next = nextEmail(sequence, { id, stepId: lead.stepId });
  const at = next ? sequence.steps.findIndex(({ _id }) => _id.equals(next.step._id)) : sequence.steps.length;
  const isOnItsWay = lead.sendId !== null;
  const step = isOnItsWay ? at + 1 : at;
  const following = sequence.steps[step];
  const postponed = findPostponement(lead, campaign);
  const ownDueAt = postponed?.until ?? getDueAt(lead);
  const dueAt = isOnItsWay ? following && afterDelay(now, following.delay, campaign.sendingSchedule) : ownDueAt;
  if (!dueAt) return [];
  const sender = mailboxes.get(lead.mailboxId?.toHexString() ?? '') ?? mailboxes.values().next().value;
  return [
    {
      id,
      campaignId: campaign._id.toHexString(),
      domain: lead.domain,
      freeMail: isFreeMail(lead.domain),
      timezone: lead.timezone,
      suppressed: isSuppressed,
      step,
      missingAt: needsVariables ? findMissingStep(lead, sequence, step, sender) : null,
      postponed: postponed !== null,
      sentCount: lead.sentCount + (isOnItsWay ? 1 : 0),
      mailboxId: lead.mailboxId?.toHexString() ?? null,
      dueAt: lead.resumeAt !== null && lead.resumeAt > dueAt ? lead.resumeAt : dueAt,
    },
  ];
}

/** Returns the first step, from a given one on, for which the lead lacks a value. */
function findMissingStep(
  lead: LeadRecord,
  sequence: PublishedSequence,
  from: number,
  mailbox: MailboxRecord | undefined,
): number | null {
  const sender = mailbox
    ? { mailboxId: mailbox._id.toHexString(), email: mailbox.email, displayName: mailbox.displayName }
    : NOBODY;
  const around = { suppressed: false, revision: 0, domainUsedToday: NONE_USED, sender };
  const missing = sequence.steps.findIndex(({ _id }, at) => {
    const email = at < from ? null : nextEmail(sequence, { id: lead._id.toHexString(), stepId: _id });
    return email !== null && leadFacts(lead, { ...around, next: email.templates }).missingVariables.length > 0;
  });
  return missing < 0 ? null : missing;
}

function needsVariables(sequence: PublishedSequence): boolean {
  const variants = sequence.steps.flatMap((step) => step.variants);
  return variants.some(({ _id }) => {
    const { subject, body } = sequence.templates(_id);
    return [subject, body].some(({ needs }) => needs.length > 0);
  });
}
