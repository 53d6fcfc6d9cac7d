import { ERASED_DOMAIN, LeadRepository, LeadRecord } from '@domain/leads';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { notFound } from '@platform/errors';
import { type Model, Types } from 'mongoose';
import { type CrmSyncJobRecord } from '../jobs/schemas/crm-sync-job.record';
import { getPushFilter } from '../jobs/sync-filters';

/** A lead on the way of a push. */
export interface WalkedLead {
  readonly email: string;
  readonly leadId: Types.ObjectId;
  /** Whether it is still one: those that are gone are passed. */
  readonly isThere: boolean;
  /** Behind it. */
  readonly place: string;
}

const THERE = { status: { $ne: 'removed' }, domain: { $ne: ERASED_DOMAIN } } as const;

/** The leads of a push, in an order that stays, from any place on: constant memory, and nothing that a pause outlives. */
@Injectable()
export class SyncWalkService {
  constructor(
    @InjectModel(LeadRecord.name) private readonly leads: Model<LeadRecord>,
    private readonly addresses: LeadRepository,
  ) {}

  /** The next of them; less than `most` when there are no more. @throws NOT_FOUND when the campaign is gone */
  async next(job: CrmSyncJobRecord, place: string | null, most: number): Promise<WalkedLead[]> {
    if (job.leadIds) return this.#named(job, job.leadIds, place, most);
    return job.campaignId ? this.#ofCampaign(job, job.campaignId, place, most) : this.#ofAll(job, place, most);
  }

  /** How many there are about: of all campaigns, one person may be several. */
  async count({ workspaceId, campaignId, leadIds }: CrmSyncJobRecord): Promise<number> {
    if (leadIds) return leadIds.length;
    return this.leads.countDocuments({ workspaceId, ...(campaignId && { campaignId }), ...THERE });
  }

  /** By address: one person after the other. */
  async #ofAll({ workspaceId }: CrmSyncJobRecord, place: string | null, most: number): Promise<WalkedLead[]> {
    const found = await this.leads
      .find({ workspaceId, ...(place !== null && { email: { $gt: place } }) }, { email: 1, status: 1, domain: 1 })
      .sort({ email: 1, campaignId: 1 })
      .limit(most)
      .lean<Pick<LeadRecord, '_id' | 'email' | 'status' | 'domain'>[]>();
    return found.map(({ _id, email, status, domain }) => {
      const isThere = status !== 'removed' && domain !== ERASED_DOMAIN;
      return { email, leadId: _id, isThere, place: email };
    });
  }

  async #ofCampaign(
    { workspaceId, filter }: CrmSyncJobRecord,
    campaignId: Types.ObjectId,
    place: string | null,
    most: number,
  ): Promise<WalkedLead[]> {
    const after = place === null ? null : placeOf(place);
    const scope = { workspaceId: workspaceId.toHexString() };
    const found = await this.addresses.nextAddresses(scope, campaignId, getPushFilter(filter), { after, most });
    if (!found) throw notFound('Campaign');
    return found.map(({ _id, email, isThere, createdAt }) => {
      return { email, leadId: _id, isThere, place: `${createdAt.getTime()} ${_id.toHexString()}` };
    });
  }

  /** Those that are gone are passed, too, so that a place is a number of them. */
  async #named(
    { workspaceId }: CrmSyncJobRecord,
    leadIds: readonly Types.ObjectId[],
    place: string | null,
    most: number,
  ): Promise<WalkedLead[]> {
    const start = Number(place ?? '0');
    const ids = leadIds.slice(start, start + most);
    const found = await this.leads
      .find({ workspaceId, _id: { $in: ids }, ...THERE }, { email: 1 })
      .lean<Pick<LeadRecord, '_id' | 'email'>[]>();
    const emails = new Map(found.map(({ _id, email }) => [_id.toHexString(), email]));
    return ids.map((leadId, at) => {
      const email = emails.get(leadId.toHexString());
      return { email: email ?? '', leadId, isThere: email !== undefined, place: String(start + at + 1) };
    });
  }
}

function placeOf(text: string): { createdAt: Date; _id: Types.ObjectId } {
  const [at = '', id = ''] = text.split(' ');
  return { createdAt: new Date(Number(at)), _id: new Types.ObjectId(id) };
}
