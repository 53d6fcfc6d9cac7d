import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { WorkspaceLimitsService } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { TransactionService } from '@platform/database';
import { type Model, Types } from 'mongoose';
import { auditedChanges, auditTarget } from './campaign-audit';
import { DEFAULT_SCHEDULE, DEFAULT_SETTINGS } from './campaign-defaults';
import { CampaignMailboxesService } from './campaign-mailboxes.service';
import { pickDefined, scheduleWith, verificationWith } from './campaign-settings-merge';
import { DEFAULT_VERIFICATION } from './campaign-verification';
import { CampaignsService } from './campaigns.service';
import { type CampaignResponse } from './dto/campaign.dto';
import { type CreateCampaignRequest } from './dto/campaign-requests.dto';
import { CampaignRecord } from './schemas/campaign.record';
import { type SequenceStep } from './schemas/campaign-sequence.record';
import { SequenceVersionService } from './sequence-version.service';

export interface NewCampaign {
  name: string;
  settings: Partial<CampaignRecord>;
  /** Ids of mailboxes, which have to exist. */
  mailboxes: readonly string[];
  /** Checked; empty for none yet. */
  steps: SequenceStep[];
}

/** How a campaign comes to be: as a draft. */
@Injectable()
export class CampaignCreationService {
  constructor(
    @InjectModel(CampaignRecord.name) private readonly campaigns: Model<CampaignRecord>,
    private readonly senders: CampaignMailboxesService,
    private readonly publication: SequenceVersionService,
    private readonly limits: WorkspaceLimitsService,
    private readonly shown: CampaignsService,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
  ) {}

  /** @throws VALIDATION_ERROR naming mailboxes, times and steps that are wrong, LIMIT_EXCEEDED (maxCampaigns) */
  async create(workspace: WorkspaceScope, input: CreateCampaignRequest): Promise<CampaignResponse> {
    const { name, mailboxes = [], sequence = [], sendingSchedule } = input;
    const settings = {
      ...pickDefined(input),
      sendingSchedule: scheduleWith(DEFAULT_SCHEDULE, sendingSchedule),
      ...(input.verification && { verification: verificationWith(DEFAULT_VERIFICATION, input.verification) }),
    };
    const none = unpublished(workspace, new Types.ObjectId());
    const steps = sequence.length === 0 ? [] : await this.publication.checked(none, sequence);
    return this.shown.shown(workspace, await this.insert(workspace, { name, settings, mailboxes, steps }));
  }

  /** Stores a draft with its shares and its sequence. @throws as `create` */
  async insert(workspace: WorkspaceScope, { name, settings, mailboxes, steps }: NewCampaign): Promise<CampaignRecord> {
    const { workspaceId, actor } = workspace;
    const _id = new Types.ObjectId();
    return this.transactions.run(async () => {
      // Claims the workspace: of two that create the last allowed campaign at once, one is run again.
      const { ownerId } = await this.limits.claim(workspaceId);
      const existing = await this.campaigns.countDocuments({ workspaceId, deletedAt: null });
      await this.limits.ensureRoom(workspace, 'maxCampaigns', existing);
      const held = await this.senders.lockMailboxes(workspace, mailboxes);
      const sequenceVersion =
        steps.length === 0 ? 0 : await this.publication.publish(workspace, unpublished(workspace, _id), steps);
      const created = await this.campaigns.create({
        ...DEFAULT_SETTINGS,
        sendingSchedule: DEFAULT_SCHEDULE,
        ...settings,
        _id,
        workspaceId,
        // What a key of the workspace or the operator makes is its owner's.
        userId: actor.userId === null ? ownerId : new Types.ObjectId(actor.userId),
        name,
        mailboxes: held,
        sequenceVersion,
      });
      await this.senders.assign(workspace, _id, held);
      const record = created.toObject<CampaignRecord>();
      const changes = auditedChanges(null, record);
      await this.audit.record(workspace, { action: 'campaign.created', target: auditTarget(_id), changes });
      return record;
    });
  }
}

function unpublished({ workspaceId }: WorkspaceScope, _id: Types.ObjectId) {
  return { _id, workspaceId: new Types.ObjectId(workspaceId), sequenceVersion: 0 };
}
