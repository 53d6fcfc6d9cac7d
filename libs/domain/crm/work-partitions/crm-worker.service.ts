import { CrmError } from '@adapters/crm';
import { WorkspaceRepository } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { toFailure } from '@platform/errors';
import { CrmConnectionRepository, type OpenCrm } from '../connections/crm-connection.repository';
import { CrmLinkRepository } from '../links/crm-link.repository';
import { type CrmPartitionLease, CrmLeaseLostError } from './crm-partition-lease';
import { getCooldownMs } from './crm-cooldown';
import { type CrmWorkContext, CrmWorkHandlerRegistry } from './crm-work-handler.registry';
import { type RunCrmPartition } from './crm-work.queue';
import { type CrmPartitionState, CrmWorkPartitionService } from './crm-work-partition.service';

/** Lease time, renewed several times within it: the delay after a worker crash. */
const LEASE_MS = 20_000;
const RENEW_MS = 5_000;
/** Maximum time of one run, so that other workspaces are not starved. */
const RUN_MS = 20_000;
/** Retry time after an internal error of opening a connection. */
const FAILED_MS = 60_000;
/** How soon deleted workspaces and waiting work without a connection are checked again. */
const IDLE_MS = 6 * 3_600_000;

/** Runs the due work of a CRM partition, one batch of each kind in turn. */
@Injectable()
export class CrmWorkerService {
  constructor(
    private readonly partitions: CrmWorkPartitionService,
    private readonly handlers: CrmWorkHandlerRegistry,
    private readonly connections: CrmConnectionRepository,
    private readonly links: CrmLinkRepository,
    private readonly workspaces: WorkspaceRepository,
    private readonly clock: ClockPort,
  ) {}

  /** No effect while another worker holds the lease. `signal` aborts the work, which other workers continue. */
  async run({ laneId }: RunCrmPartition, signal: AbortSignal): Promise<void> {
    const lease = await this.partitions.acquire(laneId, LEASE_MS);
    if (!lease) return;
    const { workspaceId, crmType, cooldownUntil } = lease;
    if (!(await this.workspaces.filterAlive([workspaceId])).has(workspaceId)) {
      // It may be restored; its work then continues.
      await this.partitions.complete(lease, this.clock.in(IDLE_MS));
      return;
    }
    const crm = await this.#open(lease);
    if (lease.deletesLinks) {
      await this.links.removeOthers(workspaceId, crmType, crm?.connectionId ?? null, signal);
      await this.partitions.recordState(lease, { deletesLinks: false });
    }
    if (!crm) return this.#handleDisconnected(lease);
    if (cooldownUntil && cooldownUntil > this.clock.now()) {
      await this.partitions.complete(lease, cooldownUntil);
      return;
    }
    await this.#runWithLease(lease, crm, signal);
  }

  async #runWithLease(lease: CrmPartitionLease & CrmPartitionState, crm: OpenCrm, signal: AbortSignal): Promise<void> {
    const lost = new AbortController();
    const renewing = setInterval(() => {
      void this.partitions
        .renew(lease, LEASE_MS)
        // The lease state is then unknown; each write renews it again.
        .catch(() => true)
        .then((isHeld) => isHeld || lost.abort());
    }, RENEW_MS);
    try {
      await this.#runBatches(this.#createContext(lease, crm, AbortSignal.any([signal, lost.signal])), lease);
      // Stored with the partition: an earlier run has a new session, which does not know it.
      const cooldownUntil = crm.session.cooldownUntil;
      if (cooldownUntil && cooldownUntil > this.clock.now())
        await this.partitions.recordState(lease, { cooldownUntil });
      await this.partitions.complete(lease, await this.#nextAt(lease, crm));
    } catch (error) {
      if (error instanceof CrmLeaseLostError || lost.signal.aborted) return;
      await this.#handleFailure(lease, crm, error, signal);
    } finally {
      clearInterval(renewing);
    }
  }

  async #runBatches(context: CrmWorkContext, lease: CrmPartitionLease & CrmPartitionState): Promise<void> {
    const until = performance.now() + RUN_MS;
    let { failures } = lease;
    let isIdle = false;
    while (!isIdle) {
      isIdle = true;
      for (const work of this.handlers.all) {
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
    for (const work of this.handlers.all) {
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
      await this.partitions.complete(lease, this.clock.in(FAILED_MS));
      throw error;
    }
  }

  async #handleDisconnected(lease: CrmPartitionLease): Promise<void> {
    const { workspaceId, crmType } = lease;
    let isWaiting = false;
    for (const work of this.handlers.all) {
      await work.onDisconnected?.(workspaceId, crmType);
      isWaiting ||= (await work.dueAt(workspaceId, crmType)) !== null;
    }
    await this.partitions.complete(lease, isWaiting ? this.clock.in(IDLE_MS) : null);
  }

  async #handleFailure(
    lease: CrmPartitionLease & CrmPartitionState,
    crm: OpenCrm,
    error: unknown,
    signal: AbortSignal,
  ): Promise<void> {
    const now = this.clock.now();
    if (signal.aborted) {
      // The worker shuts down: no failure of the CRM.
      await this.partitions.complete(lease, now);
      return;
    }
    const { workspaceId, crmType } = lease;
    const isPresent =
      !(error instanceof CrmError) || (await this.connections.markFailed(workspaceId, crmType, error, crm.revision));
    if (toFailure(error) === 'needs-human') {
      // A reconnection schedules the partition. Changed settings need a run now.
      await this.partitions.complete(lease, isPresent ? this.clock.in(IDLE_MS) : now);
      return;
    }
    const failures = lease.failures + 1;
    const cooldown = getCooldownMs(error, {
      failures,
      cooldownUntil: crm.session.cooldownUntil,
      now,
      chance: Math.random(),
    });
    const cooldownUntil = this.clock.in(cooldown);
    await this.partitions.recordState(lease, { failures, cooldownUntil });
    await this.partitions.complete(lease, cooldownUntil);
    if (!(error instanceof CrmError)) throw error;
  }

  #createContext(lease: CrmPartitionLease, crm: OpenCrm, signal: AbortSignal): CrmWorkContext {
    const renew = () => this.partitions.renew(lease, LEASE_MS);
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
