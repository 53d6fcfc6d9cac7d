import { CampaignRepository, PERSON_FIELDS } from '@domain/campaigns';
import { EventsService } from '@domain/events';
import { LeadRecord } from '@domain/leads';
import { SuppressionsService } from '@domain/suppressions';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { type SyncLead, type SyncPerson } from './sync-person';

const READ = [
  ...PERSON_FIELDS,
  'campaignId',
  'email',
  'variables',
  'status',
  'stopReason',
  'sentCount',
  'lastSentAt',
  'openedAt',
  'repliedAt',
  'unsubscribedAt',
  'updatedAt',
] as const;
const PROJECTION = Object.fromEntries(READ.map((field) => [field, 1]));

/** People here: merged from all their leads. */
@Injectable()
export class CrmPeopleService {
  constructor(
    @InjectModel(LeadRecord.name) private readonly leads: Model<LeadRecord>,
    private readonly campaigns: CampaignRepository,
    private readonly history: EventsService,
    private readonly suppressions: SuppressionsService,
  ) {}

  /** One person per normalized address, also for addresses without a lead. */
  async findByEmails(workspaceId: string, emails: readonly string[]): Promise<Map<string, SyncPerson>> {
    if (emails.length === 0) return new Map();
    const found = await this.leads
      .find({ workspaceId, email: { $in: emails } }, PROJECTION)
      .sort({ email: 1, campaignId: 1 })
      .lean<SyncLead[]>();
    const byEmail = Map.groupBy(found, ({ email }) => email);
    const suppressed = await this.suppressions.matching(workspaceId, emails);
    const positive = await this.#findPositive(workspaceId, found);
    const names = await this.campaigns.names(found.map(({ campaignId }) => campaignId));
    return new Map(
      emails.map((email) => {
        const all = byEmail.get(email) ?? [];
        const leads = all.filter(({ status }) => status !== 'removed').toSorted(compareLatestFirst);
        const removed = all.filter(({ status }) => status === 'removed');
        const person: SyncPerson = {
          email,
          leads,
          removedFrom: new Set(removed.map(({ campaignId }) => campaignId.toHexString())),
          isSuppressed: suppressed.has(email),
          isPositive: positive.has(email),
          campaign: names.get(leads[0]?.campaignId.toHexString() ?? '') ?? '',
        };
        return [email, person] as const;
      }),
    );
  }

  /** Addresses with a positive reply. */
  async #findPositive(workspaceId: string, leads: readonly SyncLead[]): Promise<Set<string>> {
    const keys = new Map(
      leads.filter(({ repliedAt }) => repliedAt).map((lead) => [getPositiveReplyKey(lead), lead.email]),
    );
    const recorded = await this.history.findRecordedKeys({ workspaceId }, [...keys.keys()]);
    return new Set([...recorded].flatMap((key) => keys.get(key) ?? []));
  }
}

/** The dedupe key of the inbox event, one per lead. */
function getPositiveReplyKey({ _id }: SyncLead): string {
  return `email.positive_reply:${_id.toHexString()}`;
}

function compareLatestFirst(one: SyncLead, other: SyncLead): number {
  return (
    other.updatedAt.getTime() - one.updatedAt.getTime() || other._id.toHexString().localeCompare(one._id.toHexString())
  );
}
