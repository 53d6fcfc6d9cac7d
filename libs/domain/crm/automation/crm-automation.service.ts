import { type CrmType, isCrmType } from '@adapters/crm';
import { type WorkspaceScope } from '@domain/access';
import { AuditService, getChanges } from '@domain/audit';
import { CampaignRepository } from '@domain/campaigns';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { KeyedMutex } from '@platform/concurrency';
import { parseId, rerunOnWriteConflict, TransactionService } from '@platform/database';
import { invalidField, notFound } from '@platform/errors';
import { type Model, Types } from 'mongoose';
import { CrmConnectionRecord } from '../connections/schemas/crm-connection.record';
import { CrmSyncJobsService } from '../jobs/crm-sync-jobs.service';
import { CrmSyncJobRecord } from '../jobs/schemas/crm-sync-job.record';
import { type CrmAutomationResponse, toCrmAutomation } from './dto/crm-automation.dto';
import { type SetCrmAutomationRequest } from './dto/crm-automation-requests.dto';
import { CrmAutomationRecord } from './schemas/crm-automation.record';
import { getEarliestSyncAt, toSyncSchedule } from './sync-interval';

type Settings = Pick<
  CrmAutomationRecord,
  'activities' | 'pushOn' | 'campaignIds' | 'createPeople' | 'since' | 'pull' | 'push'
>;

const AUDITED = ['activities', 'pushOn', 'campaignIds', 'createPeople', 'pull', 'push'] as const;

const RESTORED_PROBLEM =
  'The database was restored from a backup: people that a pull would add may already have been added and contacted. Pulls were switched off';

/** The automation settings of a CRM. */
@Injectable()
export class CrmAutomationService {
  readonly #mutex = new KeyedMutex();

  constructor(
    @InjectModel(CrmAutomationRecord.name) private readonly automations: Model<CrmAutomationRecord>,
    @InjectModel(CrmConnectionRecord.name) private readonly connections: Model<CrmConnectionRecord>,
    private readonly campaigns: CampaignRepository,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
    @InjectModel(CrmSyncJobRecord.name) private readonly jobs: Model<CrmSyncJobRecord>,
    private readonly syncJobs: CrmSyncJobsService,
  ) {}

  /** @throws NOT_FOUND for an unknown or unconnected CRM */
  async get(workspace: WorkspaceScope, type: string): Promise<CrmAutomationResponse> {
    const crmType = await this.#requireConnected(workspace, type);
    return toCrmAutomation(crmType, await this.#find(workspace, crmType));
  }

  /**
   * Replaces the settings. Earlier events are not posted; an unchanged schedule continues.
   * @throws NOT_FOUND as `get`, VALIDATION_ERROR for a campaign that the workspace does not have
   */
  async set(workspace: WorkspaceScope, type: string, input: SetCrmAutomationRequest): Promise<CrmAutomationResponse> {
    // Concurrent transactions on one record would conflict until they time out.
    return this.#mutex.run(workspace.workspaceId, () => this.#set(workspace, type, input));
  }

  /**
   * After a restore, switches off scheduled pulls and cancels open ones: they would add people as new who may have
   * been contacted. Repeat it after a failure.
   * @returns the number of pulls
   */
  async reconcile(workspace: WorkspaceScope, until: Date): Promise<number> {
    const { workspaceId } = workspace;
    const switchedOff = await this.#switchOffPulls(workspaceId);
    // Few: a workspace has at most ten open jobs per CRM.
    const open = await this.jobs
      .find({ workspaceId, open: true, jobType: 'pull', dryRun: false, createdAt: { $lte: until } }, { _id: 1 })
      .lean<Pick<CrmSyncJobRecord, '_id'>[]>();
    for (const { _id } of open) await this.syncJobs.cancel(workspace, _id.toHexString());
    return switchedOff + open.length;
  }

  #set(workspace: WorkspaceScope, type: string, input: SetCrmAutomationRequest): Promise<CrmAutomationResponse> {
    return this.transactions.run(async () => {
      const crmType = await this.#requireConnected(workspace, type);
      const before = await this.#find(workspace, crmType);
      const settings = await this.#settings(workspace, input, before);
      const nextAt = getEarliestSyncAt(settings);
      const after = await rerunOnWriteConflict(() =>
        this.automations
          .findOneAndUpdate(
            { workspaceId: workspace.workspaceId, crmType },
            {
              $set: { ...settings, problem: null, ...(nextAt && { nextAt }) },
              ...(nextAt === null && { $unset: { nextAt: 1 } }),
              $setOnInsert: { backfill: null },
            },
            { upsert: true, returnDocument: 'after' },
          )
          .lean<CrmAutomationRecord>()
          .orFail(),
      );
      const set = toCrmAutomation(crmType, after);
      const changes = getChanges(toCrmAutomation(crmType, before), set, AUDITED);
      if (changes) {
        const target = { type: 'integration', id: crmType } as const;
        await this.audit.record(workspace, { action: 'integration.updated', target, changes });
      }
      return set;
    });
  }

  async #settings(
    workspace: WorkspaceScope,
    input: SetCrmAutomationRequest,
    before: CrmAutomationRecord | null,
  ): Promise<Settings> {
    const { activities, pushOn, createPeople, pull, push } = input;
    const now = this.clock.now();
    const wasOn = before !== null && before.activities.length + before.pushOn.length > 0;
    const campaignIds = await this.#campaigns(workspace, 'campaignIds', input.campaignIds);
    const [landing] = pull ? await this.#campaigns(workspace, 'pull.campaignId', [pull.campaignId]) : [];
    return {
      activities,
      pushOn,
      campaignIds,
      createPeople,
      since: wasOn ? before.since : now,
      pull:
        pull && landing
          ? { ...toSyncSchedule(pull.everyMinutes, before?.pull ?? null, now), campaignId: landing }
          : null,
      push: push && toSyncSchedule(push.everyMinutes, before?.push ?? null, now),
    };
  }

  /** Unique, in the given order. */
  async #campaigns(
    { workspaceId }: WorkspaceScope,
    field: string,
    input: readonly string[],
  ): Promise<Types.ObjectId[]> {
    const ids = [...new Set(input)].map((id) => parseId(id));
    const found = await this.campaigns.existing(ids.filter((id) => id !== null));
    const own = new Set(found.filter((one) => String(one.workspaceId) === workspaceId).map(({ _id }) => String(_id)));
    return ids.map((id, index) => {
      if (id !== null && own.has(String(id))) return id;
      throw invalidField(
        field,
        `${field} names a campaign that the workspace does not have: ${[...new Set(input)][index]}`,
      );
    });
  }

  async #requireConnected({ workspaceId }: WorkspaceScope, type: string): Promise<CrmType> {
    if (!isCrmType(type) || !(await this.connections.exists({ workspaceId, type }))) throw notFound('Integration');
    return type;
  }

  #find({ workspaceId }: WorkspaceScope, crmType: CrmType): Promise<CrmAutomationRecord | null> {
    return this.automations.findOne({ workspaceId, crmType }).lean<CrmAutomationRecord>();
  }

  async #switchOffPulls(workspaceId: string): Promise<number> {
    // At most one per CRM.
    const pulling = await this.automations.find({ workspaceId, pull: { $ne: null } }).lean<CrmAutomationRecord[]>();
    for (const { _id, push } of pulling) {
      const nextAt = getEarliestSyncAt({ pull: null, push });
      await this.automations.updateOne(
        { _id, workspaceId },
        {
          $set: { pull: null, problem: RESTORED_PROBLEM, ...(nextAt && { nextAt }) },
          ...(nextAt === null && { $unset: { nextAt: 1 } }),
        },
      );
    }
    return pulling.length;
  }
}
