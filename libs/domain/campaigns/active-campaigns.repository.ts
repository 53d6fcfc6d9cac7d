import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type Types } from 'mongoose';
import { CampaignMailboxRecord } from './schemas/campaign-mailbox.record';
import { CampaignRecord } from './schemas/campaign.record';

/** The current role of a mailbox in a campaign. */
export type CampaignShare = Pick<
  CampaignMailboxRecord,
  '_id' | 'campaignId' | 'mailboxId' | 'lastServedAt' | 'nextAt' | 'newLeads'
>;

/** The fields that the last check before a handover reads. */
export type CampaignSendingState = Pick<
  CampaignRecord,
  '_id' | 'status' | 'mailboxes' | 'dailyLimit' | 'newLeadsPerDay' | 'domainDailyLimit'
>;

export interface CampaignWithShare {
  readonly campaign: CampaignRecord;
  readonly share: CampaignShare;
}

interface MailboxRef {
  readonly workspaceId: Types.ObjectId;
  readonly mailboxId: Types.ObjectId;
}

const SENDING_STATE_FIELDS = { status: 1, mailboxes: 1, dailyLimit: 1, newLeadsPerDay: 1, domainDailyLimit: 1 };
const SHARE_FIELDS = { campaignId: 1, mailboxId: 1, lastServedAt: 1, nextAt: 1, newLeads: 1 };

/** Active campaigns, for the mailbox sender. */
@Injectable()
export class ActiveCampaignsRepository {
  constructor(
    @InjectModel(CampaignRecord.name) private readonly campaigns: Model<CampaignRecord>,
    @InjectModel(CampaignMailboxRecord.name) private readonly shares: Model<CampaignMailboxRecord>,
  ) {}

  /** The active campaigns that the mailbox sends for, the one it served longest ago first. */
  async listFor({ workspaceId, mailboxId }: MailboxRef): Promise<CampaignWithShare[]> {
    return (await this.listForAll(workspaceId, [mailboxId])).get(mailboxId.toHexString()) ?? [];
  }

  /** As `listFor` for several mailboxes, by id; without mailboxes that no active campaign uses. */
  async listForAll(
    workspaceId: Types.ObjectId,
    mailboxIds: readonly Types.ObjectId[],
  ): Promise<Map<string, CampaignWithShare[]>> {
    const shares = await this.shares
      .find({ workspaceId, mailboxId: { $in: [...mailboxIds] }, assigned: true }, SHARE_FIELDS)
      .sort({ lastServedAt: 1, _id: 1 })
      .lean<CampaignShare[]>();
    if (shares.length === 0) return new Map();
    const active = await this.campaigns
      .find({ workspaceId, _id: { $in: shares.map(({ campaignId }) => campaignId) }, status: 'active' })
      .lean();
    const byId = new Map(active.map((campaign) => [campaign._id.toHexString(), campaign]));
    const works = shares.flatMap((share) => {
      const campaign = byId.get(share.campaignId.toHexString());
      return campaign ? [{ campaign, share }] : [];
    });
    return Map.groupBy(works, ({ share }) => String(share.mailboxId));
  }

  /** The active campaigns that any of the mailboxes sends for, oldest first. */
  async listWithMailboxes(
    workspaceId: Types.ObjectId,
    mailboxIds: readonly Types.ObjectId[],
  ): Promise<CampaignRecord[]> {
    if (mailboxIds.length === 0) return [];
    return this.campaigns
      .find({ workspaceId, mailboxes: { $in: mailboxIds }, status: 'active' })
      .sort({ _id: 1 })
      .lean();
  }

  /** All active ones of a workspace. */
  async listIds({ workspaceId }: Pick<WorkspaceScope, 'workspaceId'>): Promise<string[]> {
    const found = await this.campaigns
      .find({ workspaceId, status: 'active', deletedAt: null }, { _id: 1 })
      .sort({ _id: 1 })
      .lean<Pick<CampaignRecord, '_id'>[]>();
    return found.map(({ _id }) => _id.toHexString());
  }

  /** Finds a campaign in any status; null when its record was erased. */
  async find(workspaceId: Types.ObjectId, campaignId: Types.ObjectId): Promise<CampaignRecord | null> {
    return this.campaigns.findOne({ _id: campaignId, workspaceId }).lean();
  }

  /** The shares of all mailboxes that the campaign has now. */
  async listShares(workspaceId: Types.ObjectId, campaignId: Types.ObjectId): Promise<CampaignShare[]> {
    return this.shares
      .find({ workspaceId, campaignId, assigned: true, mailboxId: { $ne: null } }, SHARE_FIELDS)
      .sort({ _id: 1 })
      .lean();
  }

  /**
   * Records a new lead of the mailbox, in the transaction of the claim.
   * @returns false when the campaign no longer uses the mailbox
   */
  async recordServed(
    workspaceId: Types.ObjectId,
    { _id }: Pick<CampaignShare, '_id'>,
    { at, nextAt, isNew }: { at: Date; nextAt: Date | null; isNew: boolean },
  ): Promise<boolean> {
    const { matchedCount } = await this.shares.updateOne(
      { _id, workspaceId, assigned: true },
      { $set: { lastServedAt: at, nextAt }, ...(isNew && { $inc: { newLeads: 1 } }) },
    );
    return matchedCount === 1;
  }

  /** As `served` for each, in one write; false unless all were written. */
  async recordServedAll(
    workspaceId: Types.ObjectId,
    all: readonly { share: Pick<CampaignShare, '_id'>; at: Date; nextAt: Date | null; isNew: boolean }[],
  ): Promise<boolean> {
    const { matchedCount } = await this.shares.bulkWrite(
      all.map(({ share: { _id }, at, nextAt, isNew }) => ({
        updateOne: {
          filter: { _id, workspaceId, assigned: true },
          update: { $set: { lastServedAt: at, nextAt }, ...(isNew && { $inc: { newLeads: 1 } }) },
        },
      })),
      { ordered: false },
    );
    return matchedCount === all.length;
  }

  /** Returns the sending states of campaigns by id, without erased ones. */
  async findAll(
    workspaceId: Types.ObjectId,
    campaignIds: readonly Types.ObjectId[],
  ): Promise<Map<string, CampaignSendingState>> {
    const found = await this.campaigns
      .find({ workspaceId, _id: { $in: campaignIds } }, SENDING_STATE_FIELDS)
      .lean<CampaignSendingState[]>();
    return new Map(found.map((campaign) => [campaign._id.toHexString(), campaign]));
  }

  /** Undoes `recordServed`: the next email need not wait, and a new lead is no longer counted. */
  async undoServed(
    { workspaceId, mailboxId }: MailboxRef,
    campaignId: Types.ObjectId,
    { wasNew }: { wasNew: boolean },
  ): Promise<void> {
    await this.shares.updateOne(
      { workspaceId, campaignId, mailboxId },
      { $set: { nextAt: null }, ...(wasNew && { $inc: { newLeads: -1 } }) },
    );
  }

  /** Stores a problem, such as refused content, until a person resumes the campaign. */
  async setProblem(
    workspaceId: Types.ObjectId,
    campaignId: Types.ObjectId,
    problem: CampaignRecord['problem'],
  ): Promise<void> {
    await this.campaigns.updateOne({ _id: campaignId, workspaceId }, { $set: { problem } });
  }
}
