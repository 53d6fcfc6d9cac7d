import { CrmError, type CrmType } from '@adapters/crm';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { AppError, toFailure } from '@platform/errors';
import { Listens } from '@platform/hooks';
import { type Model } from 'mongoose';
import { CrmSyncJobRecord, type SyncProblem } from '../jobs/schemas/crm-sync-job.record';
import { CrmLeaseLostError } from '../work-partitions/crm-lease-lost.errors';
import { CRM_WORK_HANDLERS, type CrmWorkContext, type CrmWorkHandler } from '../work-partitions/crm-work-handler';
import { CrmLinkRepository } from '../links/crm-link.repository';
import { CrmPullService } from './crm-pull.service';
import { CrmPushService } from './crm-push.service';
import { CrmSyncJobRepository } from './crm-sync-job.repository';
import { SyncSupersededError } from './sync-superseded.errors';

/** A job without progress for this long fails: its data is outdated. */
export const TIMEOUT_MS = 7 * 86_400_000;

const NOT_CONNECTED = { code: 'CRM_NOT_CONNECTED', message: 'The CRM is not connected, or switched off' };
const OTHER_ACCOUNT = { code: 'CRM_NOT_CONNECTED', message: 'The workspace is connected with another account now' };

/** Runs the sync jobs of a CRM connection sequentially, oldest first. */
@Injectable()
@Listens(CRM_WORK_HANDLERS)
export class CrmSyncWorkerService implements CrmWorkHandler {
  readonly name = 'sync';

  constructor(
    @InjectModel(CrmSyncJobRecord.name) private readonly jobs: Model<CrmSyncJobRecord>,
    private readonly pull: CrmPullService,
    private readonly push: CrmPushService,
    private readonly repository: CrmSyncJobRepository,
    private readonly links: CrmLinkRepository,
    private readonly clock: ClockPort,
  ) {}

  async dueAt(workspaceId: string, type: CrmType): Promise<Date | null> {
    const job = await this.#next(workspaceId, type);
    if (!job) return null;
    const now = this.clock.now();
    return job.walked ? ((await this.links.waitingUntil(workspaceId, job._id)) ?? now) : now;
  }

  async step(context: CrmWorkContext): Promise<void> {
    const { workspaceId, type, crm } = context;
    const job = await this.#begin(workspaceId, type);
    if (!job) return;
    if (!job.connectionId.equals(crm.connectionId)) return this.repository.fail(job, OTHER_ACCOUNT);
    const before = crm.session.requests;
    try {
      await (job.jobType === 'pull' ? this.pull : this.push).step(context, job);
    } catch (error) {
      await this.#handleFailure(context, job, error);
    } finally {
      await this.#addApiCalls(job, crm.session.requests - before);
    }
  }

  /** Open jobs wait for the connection, up to `TIMEOUT_MS`. */
  async onDisconnected(workspaceId: string, crmType: CrmType): Promise<void> {
    const open = await this.jobs.find({ workspaceId, crmType, open: true }).lean<CrmSyncJobRecord[]>();
    for (const job of open) await this.#delay(job, NOT_CONNECTED);
  }

  async #handleFailure(context: CrmWorkContext, job: CrmSyncJobRecord, error: unknown): Promise<void> {
    // It was cancelled, or another worker has continued it.
    if (error instanceof SyncSupersededError) return;
    if (error instanceof CrmLeaseLostError || context.signal.aborted) throw error;
    if (error instanceof CrmError && error.failure === 'permanent') return this.repository.repair(context, job, error);
    // A deleted or archived campaign or a limit: a retry would fail again.
    if (error instanceof AppError && !(error instanceof CrmError) && toFailure(error) !== 'temporary') {
      return this.repository.fail(job, { code: error.code, message: error.message });
    }
    await this.#delay(job, toSyncProblem(error));
    throw error;
  }

  async #delay({ _id, workspaceId, progressAt }: CrmSyncJobRecord, delay: SyncProblem): Promise<void> {
    if (this.clock.now().getTime() - progressAt.getTime() > TIMEOUT_MS) {
      return this.repository.fail({ _id, workspaceId }, delay);
    }
    await this.jobs.updateOne({ _id, workspaceId, open: true }, { $set: { delay } });
  }

  /** The oldest open job, marked as processing. */
  async #begin(workspaceId: string, crmType: CrmType): Promise<CrmSyncJobRecord | null> {
    const job = await this.#next(workspaceId, crmType);
    if (!job || job.status === 'processing') return job;
    return this.jobs
      .findOneAndUpdate(
        { _id: job._id, workspaceId, open: true },
        { $set: { status: 'processing', startedAt: this.clock.now() }, $inc: { revision: 1 } },
        { returnDocument: 'after' },
      )
      .lean<CrmSyncJobRecord>();
  }

  #next(workspaceId: string, crmType: CrmType): Promise<CrmSyncJobRecord | null> {
    return this.jobs
      .findOne({ workspaceId, crmType, open: true })
      .sort({ createdAt: 1, _id: 1 })
      .lean<CrmSyncJobRecord>();
  }

  async #addApiCalls({ _id, workspaceId }: CrmSyncJobRecord, apiCalls: number): Promise<void> {
    if (apiCalls > 0) await this.jobs.updateOne({ _id, workspaceId }, { $inc: { apiCalls } });
  }
}

function toSyncProblem(error: unknown): SyncProblem {
  if (error instanceof AppError) return { code: error.code, message: error.message };
  return { code: 'INTERNAL', message: 'An internal error occurred; it is retried' };
}
