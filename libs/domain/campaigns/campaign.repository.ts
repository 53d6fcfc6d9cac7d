import { systemScope, type WorkspaceScope } from '@domain/access';
import { type AuditedAct, AuditService } from '@domain/audit';
import { EventsService } from '@domain/events';
import { MailboxLeaseService, SendRepository } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { parseId, TransactionService, writeConflict } from '@platform/database';
import { notFound } from '@platform/errors';
import { type Model, type Types } from 'mongoose';
import { auditedChanges, auditTarget } from './campaign-audit';
import { type IdLike } from './campaign-counters.service';
import { CampaignMailboxRecord } from './schemas/campaign-mailbox.record';
import { CampaignRecord } from './schemas/campaign.record';

type Workspace = Pick<WorkspaceScope, 'workspaceId'>;

/** The fields of a campaign that show whether it runs. */
export type ReviewedCampaign = Pick<
  CampaignRecord,
  '_id' | 'name' | 'status' | 'problem' | 'startedAt' | 'sendingSchedule'
>;

const REVIEW_FIELDS = { name: 1, status: 1, problem: 1, startedAt: 1, sendingSchedule: 1 } as const;

/** The counters of one share. */
export type CountedShare = Pick<CampaignMailboxRecord, 'mailboxId' | 'newLeads' | 'stats' | 'leads' | 'steps'>;

const SHARE_FIELDS = { mailboxId: 1, newLeads: 1, stats: 1, leads: 1, steps: 1 };

/** The campaign records, for this library and for other domains. */
@Injectable()
export class CampaignRepository {
  constructor(
    @InjectModel(CampaignRecord.name) private readonly campaigns: Model<CampaignRecord>,
    private readonly events: EventsService,
    private readonly transactions: TransactionService,
    private readonly audit: AuditService,
    private readonly leases: MailboxLeaseService,
    private readonly sends: SendRepository,
    private readonly clock: ClockPort,
    @InjectModel(CampaignMailboxRecord.name) private readonly shares: Model<CampaignMailboxRecord>,
  ) {}

  /** @throws NOT_FOUND, also for a malformed id, another workspace's and a deleted one */
  async find({ workspaceId }: Workspace, campaignId: string): Promise<CampaignRecord> {
    const _id = parseId(campaignId);
    const record = _id && (await this.campaigns.findOne({ workspaceId, _id, deletedAt: null }).lean<CampaignRecord>());
    if (!record) throw notFound('Campaign');
    return record;
  }

  /** Finds a campaign that exists; null when it was deleted. */
  async peek(workspaceId: IdLike, campaignId: IdLike): Promise<CampaignRecord | null> {
    return this.campaigns.findOne({ workspaceId, _id: campaignId, deletedAt: null }).lean<CampaignRecord>();
  }

  /** Returns the existing ones of these campaigns; one query by primary key. Joins a running transaction. */
  async existing(ids: readonly Types.ObjectId[]): Promise<CampaignRecord[]> {
    return this.campaigns
      .find({ _id: { $in: ids }, deletedAt: null })
      .setOptions({ allWorkspaces: 'the ids are those of records that name their workspaces' })
      .lean<CampaignRecord[]>();
  }

  /** Returns the names of existing campaigns by id; one query by primary key. Joins a running transaction. */
  async names(ids: readonly Types.ObjectId[]): Promise<Map<string, string>> {
    if (ids.length === 0) return new Map();
    const found = await this.campaigns
      .find({ _id: { $in: ids }, deletedAt: null }, { name: 1 })
      .setOptions({ allWorkspaces: 'the ids are those of records that name their workspaces' })
      .lean<Pick<CampaignRecord, '_id' | 'name'>[]>();
    return new Map(found.map(({ _id, name }) => [_id.toHexString(), name]));
  }

  /**
   * Records that leads were added or resumed: a campaign that is about to complete checks again, and a completed campaign
   * becomes active. Call it in the transaction that adds the leads.
   * @returns the campaign as it is then
   * @throws NOT_FOUND when it was deleted
   */
  async onLeadsAdded(workspaceId: IdLike, campaignId: IdLike): Promise<CampaignRecord> {
    return this.transactions.run(async () => {
      const campaign = { workspaceId, _id: campaignId, deletedAt: null };
      const found = await this.campaigns
        .findOneAndUpdate(campaign, { $inc: { leadsRevision: 1 } }, { returnDocument: 'after', timestamps: false })
        .lean<CampaignRecord | null>();
      if (!found) throw notFound('Campaign');
      return found.status === 'completed' ? this.#reopen(found) : found;
    });
  }

  /** @throws NOT_FOUND */

  /**
   * Writes the changes unless the campaign was changed since it was read: then the transaction runs again. The
   * revision grows, and the mailboxes of an active campaign are scheduled. Without changes nothing is written.
   */
  async write(
    workspace: WorkspaceScope,
    before: CampaignRecord,
    changes: Partial<CampaignRecord>,
    action: AuditedAct['action'],
  ): Promise<CampaignRecord> {
    if (Object.keys(changes).length === 0) return before;
    const { _id, workspaceId, revision } = before;
    const after = await this.campaigns
      .findOneAndUpdate(
        { _id, workspaceId, revision, deletedAt: null },
        { $set: changes, $inc: { revision: 1 } },
        { returnDocument: 'after' },
      )
      .lean<CampaignRecord>();
    if (!after) throw writeConflict('The campaign');
    await this.audit.record(workspace, { action, target: auditTarget(_id), changes: auditedChanges(before, after) });
    if (after.status === 'active') {
      await this.leases.schedule(workspace.workspaceId, getMailboxIds(after), this.clock.now());
    }
    return after;
  }

  /**
   * Applies the side effects of a change before it is acknowledged: sends that the campaign no longer allows are withheld,
   * and runs of its mailboxes are enqueued.
   */
  async notify({ workspaceId }: WorkspaceScope, before: CampaignRecord, after: CampaignRecord): Promise<void> {
    const campaignId = after._id.toHexString();
    if (before.status === 'active' && after.status !== 'active') {
      await this.sends.withhold(workspaceId, { campaignId }, `campaign ${after.status}`);
    }
    if (after.status !== 'active') return;
    const stay = new Set(getMailboxIds(after));
    for (const mailboxId of getMailboxIds(before).filter((id) => !stay.has(id))) {
      await this.sends.withhold(workspaceId, { campaignId, mailboxId }, 'mailbox taken out of the campaign');
    }
    if (before.revision !== after.revision) await this.leases.enqueue(workspaceId, [...stay]);
  }

  /**
   * Streams active and paused campaigns, the newest first.
   * @param only those of these; null: all of the workspace
   */
  async *listActiveOrPaused(
    workspaceId: string,
    only: readonly Types.ObjectId[] | null,
  ): AsyncGenerator<ReviewedCampaign> {
    const found = this.campaigns
      .find(
        {
          workspaceId,
          status: { $in: ['active', 'paused'] },
          deletedAt: null,
          ...(only && { _id: { $in: [...only] } }),
        },
        REVIEW_FIELDS,
      )
      .sort({ createdAt: -1, _id: -1 })
      .lean<ReviewedCampaign[]>()
      .cursor();
    yield* found as AsyncIterable<ReviewedCampaign>;
  }

  /** Returns the existing ones of these campaigns with their mailboxes. */
  async listWithMailboxes(
    workspaceId: string,
    campaignIds: readonly Types.ObjectId[],
  ): Promise<Pick<CampaignRecord, '_id' | 'name' | 'mailboxes'>[]> {
    return this.campaigns
      .find({ workspaceId, _id: { $in: [...campaignIds] }, deletedAt: null }, { name: 1, mailboxes: 1 })
      .lean<Pick<CampaignRecord, '_id' | 'name' | 'mailboxes'>[]>();
  }

  /** Lists the ids of the workspace's campaigns, oldest first, without deleted ones. */
  async listIds(workspaceId: string): Promise<Types.ObjectId[]> {
    const found = await this.campaigns
      .find({ workspaceId, deletedAt: null }, { _id: 1 })
      .sort({ _id: 1 })
      .lean<{ _id: Types.ObjectId }[]>();
    return found.map(({ _id }) => _id);
  }

  /** Returns the workspace of a campaign that the operator names. @throws NOT_FOUND */
  async getWorkspaceId(campaignId: string): Promise<string> {
    const _id = parseId(campaignId);
    const found =
      _id &&
      (await this.campaigns
        .findOne({ _id, deletedAt: null }, { workspaceId: 1 }, { allWorkspaces: 'the operator names the campaign' })
        .lean<Pick<CampaignRecord, 'workspaceId'>>());
    if (!found) throw notFound('Campaign');
    return found.workspaceId.toHexString();
  }

  /** Joins a running transaction. */
  async listShares(workspaceId: string, campaignId: Types.ObjectId): Promise<CountedShare[]> {
    return this.shares.find({ workspaceId, campaignId }, SHARE_FIELDS).lean<CountedShare[]>();
  }

  async #reopen({ _id, workspaceId, name }: CampaignRecord): Promise<CampaignRecord> {
    const changes = { $set: { status: 'active', completedAt: null }, $inc: { revision: 1 } } as const;
    const reopened = await this.campaigns
      .findOneAndUpdate({ _id, workspaceId }, changes, { returnDocument: 'after' })
      .orFail()
      .lean<CampaignRecord>();
    const campaignId = _id.toHexString();
    await this.events.record(systemScope(workspaceId.toHexString()), {
      type: 'campaign.resumed',
      dedupeKey: `campaign.resumed:${campaignId}:${reopened.revision}`,
      about: { campaignId },
      data: { name, reason: 'leads were added' },
    });
    return reopened;
  }
}

function getMailboxIds({ mailboxes }: CampaignRecord): string[] {
  return mailboxes.map((id) => id.toHexString());
}
