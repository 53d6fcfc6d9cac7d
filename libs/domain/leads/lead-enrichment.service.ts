import { type WorkspaceScope } from '@domain/access';
import { type CampaignRecord, CampaignRepository, SequenceVersionService } from '@domain/campaigns';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type Types } from 'mongoose';
import { LeadCampaignService } from './lead-campaign.service';
import { planEnrichment, type FilledValue, type FoundValue } from './lead-enrichment';
import { LeadsService } from './leads.service';
import { LeadRecord, type PersonField } from './schemas/lead.record';

/** The personal data of a lead, as an enrichment source receives it. */
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
  /** The outcome of each value, in the given order. */
  readonly values: readonly FilledValue[];
  /** The campaign for `scheduleSending`; null when nothing has to be scheduled. */
  readonly toSchedule: CampaignRecord | null;
}

/** Personal data of leads for enrichment sources, and the values that these return. */
@Injectable()
export class LeadEnrichmentService {
  constructor(
    @InjectModel(LeadRecord.name) private readonly leads: Model<LeadRecord>,
    private readonly campaigns: CampaignRepository,
    private readonly sequences: SequenceVersionService,
    private readonly leadCampaigns: LeadCampaignService,
    private readonly leadsService: LeadsService,
  ) {}

  /** The given leads, without deleted and removed ones. */
  async listPeople(workspaceId: string, leadIds: readonly Types.ObjectId[]): Promise<LeadPerson[]> {
    if (leadIds.length === 0) return [];
    return this.leads
      .find({ workspaceId, _id: { $in: leadIds }, status: { $ne: 'removed' } }, KNOWN)
      .lean<LeadPerson[]>();
  }

  /**
   * Writes values into a lead under the rules for manual changes, and resumes a lead that was paused for a missing
   * value. Joins the running transaction; call `scheduleSending` with the result after it.
   * @param email its address: an erased lead has another one
   * @returns null when the lead no longer exists
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
    const sequence = await this.sequences.findCurrent(campaign);
    const { toSchedule } = await this.leadsService.apply(workspace, campaign, sequence, _id.toHexString(), changes);
    return { values, toSchedule };
  }

  /** Call it after the transaction of `fill`. */
  async scheduleSending(workspace: WorkspaceScope, { toSchedule }: FilledLead): Promise<void> {
    if (toSchedule) await this.leadCampaigns.scheduleSending(workspace, toSchedule);
  }
}
