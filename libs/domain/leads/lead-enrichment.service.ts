import { type WorkspaceScope } from '@domain/access';
import { type CampaignRecord } from '@domain/campaigns';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type Types } from 'mongoose';
import { LeadCampaignService } from './lead-campaign.service';
import { planEnrichment, type FilledValue, type FoundValue } from './lead-enrichment';
import { LeadsService } from './leads.service';
import { LeadRecord, type PersonField } from './schemas/lead.record';

/** A lead as it is told to somebody who finds out more about it. */
export type LeadPerson = Pick<LeadRecord, '_id' | 'email' | PersonField>;

const KNOWN: { readonly [field in keyof LeadPerson]: 1 } = {
  _id: 1,
  email: 1,
  firstName: 1,
  lastName: 1,
  companyName: 1,
  jobTitle: 1,
  phone: 1,
  website: 1,
  linkedinUrl: 1,
  city: 1,
  country: 1,
};

export interface FilledLead {
  /** What became of each value, in the order in which they were given. */
  readonly values: readonly FilledValue[];
  /** For `wake`. */
  readonly toSchedule: CampaignRecord | null;
}

/** What is found out about leads elsewhere, and put into them by the rules for changes by hand. */
@Injectable()
export class LeadEnrichmentService {
  constructor(
    @InjectModel(LeadRecord.name) private readonly leads: Model<LeadRecord>,
    private readonly campaigns: LeadCampaignService,
    private readonly leadsService: LeadsService,
  ) {}

  /** Those of these leads that are there and not removed. */
  async listPeople(workspaceId: string, leadIds: readonly Types.ObjectId[]): Promise<LeadPerson[]> {
    if (leadIds.length === 0) return [];
    return this.leads
      .find({ workspaceId, _id: { $in: leadIds }, status: { $ne: 'removed' } }, KNOWN)
      .lean<LeadPerson[]>();
  }

  /**
   * Puts values into a lead and tells of each what became of it; joins the running transaction, after which `wake` is to be
   * called with the answer. A lead that was paused for want of one of them goes on.
   * @param email its address: a lead that was erased meanwhile has another one
   * @returns null when the lead is not there any more
   */
  async fill(
    workspace: WorkspaceScope,
    { _id, email }: Pick<LeadPerson, '_id' | 'email'>,
    found: readonly FoundValue[],
    { overwrite }: { overwrite: boolean },
  ): Promise<FilledLead | null> {
    const { workspaceId } = workspace;
    const there = { workspaceId, _id, email, status: { $ne: 'removed' as const } };
    const lead = await this.leads.findOne(there).lean<LeadRecord>();
    const campaign = lead && (await this.campaigns.peek(workspaceId, lead.campaignId));
    if (!lead || !campaign) return null;
    const { values, changes } = planEnrichment(lead, found, overwrite);
    if (Object.keys(changes).length === 0) return { values, toSchedule: null };
    const sequence = await this.campaigns.sequence(campaign);
    const { toSchedule } = await this.leadsService.apply(workspace, campaign, sequence, _id.toHexString(), changes);
    return { values, toSchedule: toSchedule };
  }

  /** After the transaction of `fill`. */
  async scheduleSending(workspace: WorkspaceScope, { toSchedule: toSchedule }: FilledLead): Promise<void> {
    if (toSchedule) await this.campaigns.scheduleSending(workspace, toSchedule);
  }
}
