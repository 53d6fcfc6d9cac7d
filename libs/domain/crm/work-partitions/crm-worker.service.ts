import { CrmError } from '@adapters/crm';
import { WorkspaceRepository } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { toFailure } from '@platform/errors';
import { HookRegistry } from '@platform/hooks';
import { type RunWorkPartition, type WorkPartitionLease } from '@platform/work-partitions';
import { CrmConnectionRepository, type OpenCrm } from '../connections/crm-connection.repository';
import { CrmLinkRepository } from '../links/crm-link.repository';
import { CrmLeaseLostError } from './crm-lease-lost.errors';
import { getCooldownMs } from './crm-cooldown';
import { type CrmWorkContext, CRM_WORK_HANDLERS } from './crm-work-handler';
import { type CrmPartitionState, CrmWorkPartitionService } from './crm-work-partition.service';

type CrmPartitionLease = WorkPartitionLease & CrmPartitionState;

interface RunSignals {
  /** Aborts when the lease is lost, or with `stopping`. */
  readonly signal: AbortSignal;
  /** Aborts when the process stops or the time of the run is over. */
  readonly stopping: AbortSignal;
}

/** Maximum time of one run, so that other workspaces are not starved. */
const RUN_MS = 20_000;
/** How soon deleted workspaces and waiting work without a connection are checked again. */
const IDLE_MS = 6 * 3_600_000;

/** Runs the due work of a CRM partition, one batch of each kind in turn. */
@Injectable()
export class CrmWorkerService {
  constructor(
    private readonly partitions: CrmWorkPartitionService,
    private readonly hooks: HookRegistry,
    private readonly connections: CrmConnectionRepository,
    private readonly links: CrmLinkRepository,
    private readonly workspaces: WorkspaceRepository,
    private readonly clock: ClockPort,
  ) {}

  /** No effect while another worker holds the lease. `stopping` aborts the work, which other workers continue. */
  async run({ partitionId }: RunWorkPartition, stopping: AbortSignal): Promise<void> {
    await this.partitions.run(partitionId, stopping, async (lease, signal) => {
      const state = await this.partitions.readState(lease);
      return state && this.#runOnce({ ...lease, ...state }, { signal, stopping });
    });
  }

  /** @returns when the next run is due */
  async #runOnce(lease: CrmPartitionLease, signals: RunSignals): Promise<Date | null> {
    const { workspaceId, crmType, cooldownUntil } = lease;
    // It may be restored; its work then continues.
    if (!(await this.workspaces.filterAlive([workspaceId])).has(workspaceId)) return this.clock.in(IDLE_MS);
    const crm = await this.#open(lease);
    if (lease.deletesLinks) {
      await this.links.removeOthers(workspaceId, crmType, crm?.connectionId ?? null, signals.signal);
      await this.partitions.recordState(lease, { deletesLinks: false });
    }
    if (!crm) return this.#handleDisconnected(lease);
    if (cooldownUntil && cooldownUntil > this.clock.now()) return cooldownUntil;
    return this.#runConnected(lease, crm, signals);
  }

  async #runConnected(lease: CrmPartitionLease, crm: OpenCrm, signals: RunSignals): Promise<Date | null> {
    try {
      await this.#runBatches(this.#createContext(lease, crm, signals.signal), lease);
      // Stored with the partition: an earlier run has a new session, which does not know it.
      const cooldownUntil = crm.session.cooldownUntil;
      if (cooldownUntil && cooldownUntil > this.clock.now())
        await this.partitions.recordState(lease, { cooldownUntil });
      return await this.#nextAt(lease, crm);
    } catch (error) {
      // The next holder schedules: what this run returns has no effect.
      if (error instanceof CrmLeaseLostError) return null;
      return this.#handleFailure(lease, crm, error, signals);
    }
  }

  async #runBatches(context: CrmWorkContext, lease: CrmPartitionLease): Promise<void> {
    const until = performance.now() + RUN_MS;
    let { failures } = lease;
    let isIdle = false;
    while (!isIdle) {
      isIdle = true;
      for (const work of this.hooks.list(CRM_WORK_HANDLERS)) {
        const dueAt = await work.dueAt(lease.workspaceId, lease.crmType);
        if (!dueAt || dueAt > this.clock.now()) continue;
        if (context.signal.aborted || performance.now() > until || isResting(context, this.clock.now())) return;
        await work.step(context);
        isIdle = false;
        if (failures > 0) await this.partitions.recordState(lease, { failures: (failures = 0), cooldownUntil: null });
      }
    }
  }

  async #nextAt({ workspaceId, crmType }: CrmPartitionLease, { session }: OpenCrm): Promise<Date | null> {
    let next: Date | null = null;
    for (const work of this.hooks.list(CRM_WORK_HANDLERS)) {
      const dueAt = await work.dueAt(workspaceId, crmType);
      if (dueAt && (!next || dueAt < next)) next = dueAt;
    }
    const { cooldownUntil } = session;
    return next && cooldownUntil && cooldownUntil > next ? cooldownUntil : next;
  }

  /** Null while it is disconnected or switched off. */
  async #open(lease: CrmPartitionLease): Promise<OpenCrm | null> {
    try {
      return await this.connections.open(lease.workspaceId, lease.crmType);
    } catch (error) {
      if (toFailure(error) === 'needs-human') return null;
      throw error;
    }
  }

  async #handleDisconnected(lease: CrmPartitionLease): Promise<Date | null> {
    const { workspaceId, crmType } = lease;
    let isWaiting = false;
    for (const work of this.hooks.list(CRM_WORK_HANDLERS)) {
      await work.onDisconnected?.(workspaceId, crmType);
      isWaiting ||= (await work.dueAt(workspaceId, crmType)) !== null;
    }
    return isWaiting ? this.clock.in(IDLE_MS) : null;
  }

  /** @throws Error that is no failure of the CRM */
  async #handleFailure(
    lease: CrmPartitionLease,
    crm: OpenCrm,
    error: unknown,
    { signal, stopping }: RunSignals,
  ): Promise<Date> {
    const now = this.clock.now();
    // The worker shuts down, or another one holds the lease: no failure of the CRM.
    if (stopping.aborted) return now;
    if (signal.aborted) throw error;
    const { workspaceId, crmType } = lease;
    const isPresent =
      !(error instanceof CrmError) || (await this.connections.markFailed(workspaceId, crmType, error, crm.revision));
    // A reconnection schedules the partition. Changed settings need a run now.
    if (toFailure(error) === 'needs-human') return isPresent ? this.clock.in(IDLE_MS) : now;
    const failures = lease.failures + 1;
    const { cooldownUntil: restsUntil } = crm.session;
    const cooldown = getCooldownMs(error, { failures, cooldownUntil: restsUntil, now, chance: Math.random() });
    const cooldownUntil = this.clock.in(cooldown);
    await this.partitions.recordState(lease, { failures, cooldownUntil });
    if (!(error instanceof CrmError)) throw error;
    return cooldownUntil;
  }

  #createContext(lease: CrmPartitionLease, crm: OpenCrm, signal: AbortSignal): CrmWorkContext {
    const renew = () => this.partitions.renew(lease);
    return {
      workspaceId: lease.workspaceId,
      type: lease.crmType,
      crm,
      signal,
      renewLease: renew,
      requireLease: async () => {
        if (!(await renew())) throw new CrmLeaseLostError();
      },
    };
  }
}

function isResting({ crm }: CrmWorkContext, now: Date): boolean {
  return crm.session.cooldownUntil !== null && crm.session.cooldownUntil > now;
}
