import { type CrmType } from '@adapters/crm';
import { WorkspaceRepository } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { LogService } from '@platform/observability';
import { type Model, type Types } from 'mongoose';
import { type SyncType } from '../jobs/schemas/crm-sync-job.record';
import { CrmPushQueueRepository } from './crm-push-queue.repository';
import { CrmAutomationRecord, type SyncRhythm } from './schemas/crm-automation.record';
import { SyncBeginsService } from './sync-begins.service';
import { earliest, nextSyncAt } from './sync-interval';

/** CRMs that one run looks at; the next one goes on. */
const AT_MOST = 500;
/** Leads of one push. */
const MOST_LEADS = 1_000;

interface Due {
  readonly workspaceId: Types.ObjectId;
  readonly crmType: CrmType;
}

/** Begins the syncs that are due: by their rhythm, and because something happened to leads. */
@Injectable()
export class CrmAutomationJobService {
  constructor(
    @InjectModel(CrmAutomationRecord.name) private readonly automations: Model<CrmAutomationRecord>,
    private readonly begins: SyncBeginsService,
    private readonly pushes: CrmPushQueueRepository,
    private readonly workspaces: WorkspaceRepository,
    private readonly clock: ClockPort,
    private readonly log: LogService,
  ) {}

  /** Each is begun once, by however many workers; one that fails keeps no other. @throws the signal's reason, between two */
  async run(signal: AbortSignal): Promise<void> {
    const postpone = ({ workspaceId, crmType }: Due): Promise<void> => this.pushes.postpone(workspaceId, crmType);
    await this.#each(await this.pushes.due(AT_MOST), signal, (due) => this.#push(due), postpone);
    const automations = await this.automations
      .find({ nextAt: { $lte: this.clock.now(), $gt: new Date(0) } })
      .setOptions({ allWorkspaces: 'the worker begins the syncs of all workspaces' })
      .sort({ nextAt: 1 })
      .limit(AT_MOST)
      .lean<CrmAutomationRecord[]>();
    await this.#each(
      automations,
      signal,
      (automation) => this.#begin(automation, false),
      (automation) => this.#begin(automation, true),
    );
  }

  /** @param postpone what is done for workspaces that are deleted and may be restored */
  async #each<T extends Due>(
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
        this.log.error('A sync with a CRM was not begun', error),
      );
    }
  }

  /** Leads to which something happened: together, and while a push of such leads is open they wait. */
  async #push({ workspaceId, crmType }: Due): Promise<void> {
    const kind = { workspaceId, crmType, jobType: 'push', trigger: 'event' } as const;
    const isBegun = !(await this.begins.isOpen(kind)) && (await this.#pushLeads(kind));
    if (!isBegun) await this.pushes.postpone(workspaceId, crmType);
  }

  async #pushLeads(kind: Due & { readonly jobType: 'push'; readonly trigger: 'event' }): Promise<boolean> {
    const { workspaceId, crmType } = kind;
    const due = await this.pushes.leads(workspaceId, crmType, MOST_LEADS);
    return this.begins.begin({
      ...kind,
      leadIds: due.map(({ leadId }) => leadId),
      claim: async () => (await this.pushes.markTaken(workspaceId, due)) > 0,
    });
  }

  async #begin(automation: CrmAutomationRecord, isSkipped: boolean): Promise<void> {
    for (const jobType of ['pull', 'push'] as const) {
      const rhythm = automation[jobType];
      if (!rhythm || rhythm.nextAt > this.clock.now()) continue;
      if (isSkipped) await this.#moveOn(automation, jobType, rhythm);
      else await this.#beginOne(automation, jobType, rhythm);
    }
  }

  /** One that cannot be begun, or is still under way, is tried at its next time. */
  async #beginOne(automation: CrmAutomationRecord, jobType: SyncType, rhythm: SyncRhythm): Promise<void> {
    const { workspaceId, crmType, pull } = automation;
    const kind = { workspaceId, crmType, jobType, trigger: 'schedule' } as const;
    const claim = (): Promise<boolean> => this.#moveOn(automation, jobType, rhythm);
    const landing = jobType === 'pull' && pull ? { campaignId: pull.campaignId } : {};
    const isOver = !(await this.begins.isOpen(kind)) && (await this.begins.begin({ ...kind, ...landing, claim }));
    if (!isOver) await claim();
  }

  /** False when another worker was there first, or the settings changed. */
  async #moveOn({ _id, workspaceId }: CrmAutomationRecord, jobType: SyncType, rhythm: SyncRhythm): Promise<boolean> {
    const after = await this.automations
      .findOneAndUpdate(
        { _id, workspaceId, [`${jobType}.nextAt`]: rhythm.nextAt },
        { $set: { [`${jobType}.nextAt`]: nextSyncAt(rhythm, this.clock.now()) } },
        { returnDocument: 'after', timestamps: false },
      )
      .lean<CrmAutomationRecord>();
    if (!after) return false;
    await this.automations.updateOne(
      { _id, workspaceId },
      { $set: { nextAt: earliest(after) } },
      { timestamps: false },
    );
    return true;
  }
}
