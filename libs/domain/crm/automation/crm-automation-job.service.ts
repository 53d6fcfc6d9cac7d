import { type CrmType } from '@adapters/crm';
import { systemScope } from '@domain/access';
import { WorkspaceRepository } from '@domain/identity';
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

/** CRMs per run; the next run continues. */
const BATCH_SIZE = 500;

/** Maximum leads of one push. */
const MAX_LEADS_PER_PUSH = 1_000;

interface Due {
  readonly workspaceId: Types.ObjectId;
  readonly crmType: CrmType;
}

/** A sync to start, with the claim that joins its transaction. */
export interface ScheduledSync {
  readonly workspaceId: Types.ObjectId;
  readonly crmType: CrmType;
  readonly jobType: SyncType;
  readonly trigger: SyncTrigger;
  readonly campaignId?: Types.ObjectId;
  readonly leadIds?: readonly Types.ObjectId[];
  /** Returns false when another worker has started it or the settings changed. May run twice. */
  claim(): Promise<boolean>;
}

/** Starts the due syncs: by their schedule, and because of events of leads. */
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

  /** Each sync starts once, whatever the number of workers; a failure does not block the others. @throws the reason of `signal`, between two syncs */
  async run(signal: AbortSignal): Promise<void> {
    const postpone = ({ workspaceId, crmType }: Due): Promise<void> => this.pushes.postpone(workspaceId, crmType);
    await this.#beginEach(await this.pushes.listDueConnections(BATCH_SIZE), signal, (due) => this.#push(due), postpone);
    const automations = await this.automations
      .find({ nextAt: { $lte: this.clock.now(), $gt: new Date(0) } })
      .setOptions({ allWorkspaces: 'the worker starts the syncs of all workspaces' })
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

  /** @param postpone used for deleted workspaces, which may be restored */
  async #beginEach<T extends Due>(
    due: readonly T[],
    signal: AbortSignal,
    begin: (one: T) => Promise<void>,
    postpone: (one: T) => Promise<void>,
  ): Promise<void> {
    const alive = await this.workspaces.filterAlive([
      ...new Set(due.map(({ workspaceId }) => workspaceId.toHexString())),
    ]);
    for (const one of due) {
      signal.throwIfAborted();
      const isAlive = alive.has(one.workspaceId.toHexString());
      await (isAlive ? begin : postpone)(one).catch((error: unknown) =>
        this.log.error('A CRM sync could not be started', error),
      );
    }
  }

  /** Pushes changed leads together; they wait while such a push is open. */
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
      const schedule = automation[jobType];
      if (!schedule || schedule.nextAt > this.clock.now()) continue;
      if (isSkipped) await this.#advanceSchedule(automation, jobType, schedule);
      else await this.#beginOne(automation, jobType, schedule);
    }
  }

  /** A sync that cannot start or is still running is tried at its next time. */
  async #beginOne(automation: CrmAutomationRecord, jobType: SyncType, schedule: SyncSchedule): Promise<void> {
    const { workspaceId, crmType, pull } = automation;
    const kind = { workspaceId, crmType, jobType, trigger: 'schedule' } as const;
    const claim = (): Promise<boolean> => this.#advanceSchedule(automation, jobType, schedule);
    const landing = jobType === 'pull' && pull ? { campaignId: pull.campaignId } : {};
    const isOver = !(await this.#isOpen(kind)) && (await this.#beginJob({ ...kind, ...landing, claim }));
    if (!isOver) await claim();
  }

  /** False when another worker was first or the settings changed. */
  async #advanceSchedule(
    { _id, workspaceId }: CrmAutomationRecord,
    jobType: SyncType,
    schedule: SyncSchedule,
  ): Promise<boolean> {
    const after = await this.automations
      .findOneAndUpdate(
        { _id, workspaceId, [`${jobType}.nextAt`]: schedule.nextAt },
        { $set: { [`${jobType}.nextAt`]: getNextSyncAt(schedule, this.clock.now()) } },
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

  /** Whether the last sync of this kind is still open: a second one would only queue behind it. */
  async #isOpen({ workspaceId, crmType, jobType, trigger }: Omit<ScheduledSync, 'claim'>): Promise<boolean> {
    return (await this.records.exists({ workspaceId, crmType, open: true, jobType, trigger })) !== null;
  }

  /**
   * Claims and creates the job in one transaction. An error is shown with the settings.
   * @returns whether it succeeded
   */
  async #beginJob({ workspaceId, crmType, claim, ...input }: ScheduledSync): Promise<boolean> {
    const workspace = systemScope(workspaceId.toHexString());
    try {
      const isOurs = await this.transactions.run(async () => {
        if (!(await claim())) return false;
        await this.jobs.begin(workspace, { crmType, ...input });
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
