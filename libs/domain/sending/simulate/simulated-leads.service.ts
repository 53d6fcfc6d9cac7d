import { type CampaignRecord, type PublishedSequence } from '@domain/campaigns';
import { getDueAt, LeadRecord, findPostponement } from '@domain/leads';
import { type MailboxRecord } from '@domain/mailboxes';
import { SuppressionsService } from '@domain/suppressions';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { afterDelay } from '@platform/time';
import { isFreeMail } from '@platform/validation';
import { type Model } from 'mongoose';
import { leadFacts } from '../pipeline/lead-facts';
import { nextEmail } from '../pipeline/next-email';
import { type SimulatedLead } from './simulation-input';

/** Leads that are read, and looked up among the suppressions, at a time. */
const CHUNK = 4_000;
const NOBODY = { mailboxId: '', email: '', displayName: '' };
const NONE_USED = { day: '', used: 0 };

/** Whose leads are read. */
export interface LeadsSource {
  readonly campaign: CampaignRecord;
  readonly sequence: PublishedSequence;
  /** By id; to a lead whose sender is none of them the first one writes. */
  readonly mailboxes: ReadonlyMap<string, MailboxRecord>;
}

export interface ReadLeads {
  readonly leads: SimulatedLead[];
  /** Emails that are on their way, and are taken for sent. */
  readonly inFlight: number;
}

/** Reads leads of which something is still to come, in the little that a simulation needs to know of them. */
@Injectable()
export class SimulatedLeadsService {
  constructor(
    @InjectModel(LeadRecord.name) private readonly leads: Model<LeadRecord>,
    private readonly suppressions: SuppressionsService,
  ) {}

  async read(source: LeadsSource, now: Date): Promise<ReadLeads> {
    const { _id: campaignId, workspaceId } = source.campaign;
    const needsVariables = asksForVariables(source.sequence);
    const fields = needsVariables ? {} : { projection: LITTLE };
    const cursor = this.leads
      .find({ workspaceId, campaignId, status: { $in: ['active', 'paused'] } }, fields.projection)
      .lean<LeadRecord[]>()
      .cursor({ batchSize: CHUNK });
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
        found.push(...simulated(lead, source, { now, needsVariables, isSuppressed: suppressed.has(lead.email) }));
      }
      chunk = [];
    };
    for await (const lead of cursor) {
      chunk.push(lead);
      if (chunk.length === CHUNK) await take();
    }
    if (chunk.length > 0) await take();
    return { leads: found, inFlight };
  }
}

const LITTLE = {
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

/** None for a lead that waits for a person, and for one of which nothing is due. */
function simulated(
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
      missingAt: needsVariables ? missingAt(lead, sequence, step, sender) : null,
      postponed: postponed !== null,
      sentCount: lead.sentCount + (isOnItsWay ? 1 : 0),
      mailboxId: lead.mailboxId?.toHexString() ?? null,
      dueAt: lead.resumeAt !== null && lead.resumeAt > dueAt ? lead.resumeAt : dueAt,
    },
  ];
}

/** The first step, from a given one on, for which the lead lacks a value. */
function missingAt(
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

function asksForVariables(sequence: PublishedSequence): boolean {
  const variants = sequence.steps.flatMap((step) => step.variants);
  return variants.some(({ _id }) => {
    const { subject, body } = sequence.templates(_id);
    return [subject, body].some(({ needs }) => needs.length > 0);
  });
}
