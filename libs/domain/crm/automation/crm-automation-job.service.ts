import { type CrmType } from '@adapters/crm';
import { systemScope } from '@domain/access';
import { WorkspaceEntryRepository } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { AppError } from '@platform/errors';
import { LogService } from '@platform/observability';
import { type Model, type Types } from 'mongoose';
import { type SyncType, CrmSyncJobRecord, type SyncTrigger } from '../jobs/schemas/crm-sync-job.record';
import { CrmSyncJobsService } from '../jobs/crm-sync-jobs.service';
import { CrmPushQueueRepository } from './crm-push-queue.repository';
import { CrmAutomationRecord, type SyncSchedule } from './schemas/crm-automation.record';
import { getEarliestSyncAt, getNextSyncAt } from './sync-interval';

/** CRMs that one run looks at; the next one goes on. */
const BATCH_SIZE = 500;

/** Leads of one push. */
const MAX_LEADS_PER_PUSH = 1_000;

interface Due {
  readonly workspaceId: Types.ObjectId;
  readonly crmType: CrmType;
}

/** Which sync is begun, and what in the same transaction says that it is nobody else's any more. */
export interface ScheduledSync {
  readonly workspaceId: Types.ObjectId;
  readonly crmType: CrmType;
  readonly jobType: SyncType;
  readonly trigger: SyncTrigger;
  readonly campaignId?: Types.ObjectId;
  readonly leadIds?: readonly Types.ObjectId[];
  /** False: somebody else has begun it, or it is not wanted any more. It may be run again. */
  claim(): Promise<boolean>;
}

/** Begins the syncs that are due: by their rhythm, and because something happened to leads. */
@Injectable()
export class CrmAutomationJobService {
  constructor(
    @InjectModel(CrmAutomationRecord.name) private readonly automations: Model<CrmAutomationRecord>,
    private readonly pushes: CrmPushQueueRepository,
    private readonly workspaces: WorkspaceRepository,
    private readonly clock: ClockPort,
    private readonly log: LogService,
    @InjectModel(CrmSyncJobRecord.name) private readonly records: Model<CrmSyncJobRecord>,
    private readonly jobs: CrmSyncJobsService,
    private readonly transactions: TransactionService,
  ) {}

  /** Each is begun once, by however many workers; one that fails keeps no other. @throws the signal's reason, between two */
  async run(signal: AbortSignal): Promise<void> {
    const postpone = ({ workspaceId, crmType }: Due): Promise<void> => this.pushes.postpone(workspaceId, crmType);
    await this.#beginEach(await this.pushes.listDueConnections(BATCH_SIZE), signal, (due) => this.#push(due), postpone);
    const automations = await this.automations
      .find({ nextAt: { $lte: this.clock.now(), $gt: new Date(0) } })
      .setOptions({ allWorkspaces: 'the worker begins the syncs of all workspaces' })
      .sort({ nextAt: 1 })
      .limit(BATCH_SIZE)
      .lean<CrmAutomationRecord[]>();
    await this.#beginEach(
      automations,
      signal,
      (automation) => this.#begin(automation, false),
      (automation) => this.#begin(automation, true),
    );
  }

  /** @param postpone what is done for workspaces that are deleted and may be restored */
  async #beginEach<T extends Due>(
    due: readonly T[],
    signal: AbortSignal,
    begin: (one: T) => Promise<void>,
    postpone: (one: T) => Promise<void>,
  ): Promise<void> {
    const alive = await this.workspaces.alive([...new Set(due.map(({ workspaceId }) => workspaceId.toHexString()))]);
    for (const one of due) {
      signal.throwIfAborted();
      const isAlive = alive.has(one.workspaceId.toHexString());
      await (isAlive ? begin : postpone)(one).catch((error: unknown) =>
        this.log.error('A sync with a CRM was not begun', error),
      );
    }
  }

  /** Leads to which something happened: together, and while a push of such leads is open they wait. */
  async #push({ workspaceId, crmType }: Due): Promise<void> {
    const kind = { workspaceId, crmType, jobType: 'push', trigger: 'event' } as const;
    const isBegun = !(await this.#isOpen(kind)) && (await this.#pushLeads(kind));
    if (!isBegun) await this.pushes.postpone(workspaceId, crmType);
  }

  async #pushLeads(kind: Due & { readonly jobType: 'push'; readonly trigger: 'event' }): Promise<boolean> {
    const { workspaceId, crmType } = kind;
    const due = await this.pushes.listDueLeads(workspaceId, crmType, MAX_LEADS_PER_PUSH);
    return this.#beginJob({
      ...kind,
      leadIds: due.map(({ leadId }) => leadId),
      claim: async () => (await this.pushes.removeTaken(workspaceId, due)) > 0,
    });
  }

  async #begin(automation: CrmAutomationRecord, isSkipped: boolean): Promise<void> {
    for (const jobType of ['pull', 'push'] as const) {
      const rhythm = automation[jobType];
      if (!rhythm || rhythm.nextAt > this.clock.now()) continue;
      if (isSkipped) await this.#advanceSchedule(automation, jobType, rhythm);
      else await this.#beginOne(automation, jobType, rhythm);
    }
  }

  /** One that cannot be begun, or is still under way, is tried at its next time. */
  async #beginOne(automation: CrmAutomationRecord, jobType: SyncType, rhythm: SyncSchedule): Promise<void> {
    const { workspaceId, crmType, pull } = automation;
    const kind = { workspaceId, crmType, jobType, trigger: 'schedule' } as const;
    const claim = (): Promise<boolean> => this.#advanceSchedule(automation, jobType, rhythm);
    const landing = jobType === 'pull' && pull ? { campaignId: pull.campaignId } : {};
    const isOver = !(await this.#isOpen(kind)) && (await this.#beginJob({ ...kind, ...landing, claim }));
    if (!isOver) await claim();
  }

  /** False when another worker was there first, or the settings changed. */
  async #advanceSchedule(
    { _id, workspaceId }: CrmAutomationRecord,
    jobType: SyncType,
    rhythm: SyncSchedule,
  ): Promise<boolean> {
    const after = await this.automations
      .findOneAndUpdate(
        { _id, workspaceId, [`${jobType}.nextAt`]: rhythm.nextAt },
        { $set: { [`${jobType}.nextAt`]: getNextSyncAt(rhythm, this.clock.now()) } },
        { returnDocument: 'after', timestamps: false },
      )
      .lean<CrmAutomationRecord>();
    if (!after) return false;
    await this.automations.updateOne(
      { _id, workspaceId },
      { $set: { nextAt: getEarliestSyncAt(after) } },
      { timestamps: false },
    );
    return true;
  }

  /** Whether the last one of its kind is still under way: a second one would only stand in line behind it. */
  async #isOpen({ workspaceId, crmType, jobType, trigger }: Omit<ScheduledSync, 'claim'>): Promise<boolean> {
    return (await this.records.exists({ workspaceId, crmType, open: true, jobType, trigger })) !== null;
  }

  /**
   * Claim and job come to be together. What keeps the job from being made is shown with the settings.
   * @returns whether nothing kept it
   */
  async #beginJob({ workspaceId, crmType, claim, ...wanted }: ScheduledSync): Promise<boolean> {
    const workspace = systemScope(workspaceId.toHexString());
    try {
      const isOurs = await this.transactions.run(async () => {
        if (!(await claim())) return false;
        await this.jobs.begin(workspace, { crmType, ...wanted });
        return true;
      });
      if (isOurs) await this.jobs.enqueue(workspace, crmType);
      await this.#recordProblem(workspaceId, crmType, null);
      return true;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      await this.#recordProblem(workspaceId, crmType, error.message);
      return false;
    }
  }

  async #recordProblem(workspaceId: Types.ObjectId, crmType: CrmType, problem: string | null): Promise<void> {
    const changed = { workspaceId, crmType, problem: { $ne: problem } };
    await this.automations.updateOne(changed, { $set: { problem } }, { timestamps: false });
  }
}
