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

/** A lane is held for so long, renewed several times in that time: what a worker had that dies is late by so much. */
const LEASE_MS = 20_000;
const RENEW_MS = 5_000;
/** Then other workspaces have their turn, in case many wait. */
const RUN_MS = 20_000;
/** A connection that cannot be opened for a fault of ours is not tried at once again. */
const FAILED_MS = 60_000;
/** How soon is looked again whether a workspace that was deleted is there again, or whether what waits for a connection waits too long. */
const IDLE_MS = 6 * 3_600_000;

/** Works with the CRM of a workspace: one batch of each kind of work in its turn. */
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

  /** Without effect while another worker has the lane. `signal` ends what is under way; it is taken up again by others. */
  async run({ laneId }: RunCrmPartition, signal: AbortSignal): Promise<void> {
    const lease = await this.partitions.acquire(laneId, LEASE_MS);
    if (!lease) return;
    const { workspaceId, crmType, restUntil } = lease;
    if (!(await this.workspaces.alive([workspaceId])).has(workspaceId)) {
      // It may be restored; its work goes on then.
      await this.partitions.complete(lease, this.clock.in(IDLE_MS));
      return;
    }
    const crm = await this.#open(lease);
    if (lease.forgets) {
      await this.links.removeOthers(workspaceId, crmType, crm?.connectionId ?? null, signal);
      await this.partitions.recordState(lease, { forgets: false });
    }
    if (!crm) return this.#handleDisconnected(lease);
    if (restUntil && restUntil > this.clock.now()) {
      await this.partitions.complete(lease, restUntil);
      return;
    }
    await this.#runWithLease(lease, crm, signal);
  }

  async #runWithLease(lease: CrmPartitionLease & CrmPartitionState, crm: OpenCrm, signal: AbortSignal): Promise<void> {
    const lost = new AbortController();
    const renewing = setInterval(() => {
      void this.partitions
        .renew(lease, LEASE_MS)
        // Whether it is lost is not known then; whatever is written asks again.
        .catch(() => true)
        .then((isHeld) => isHeld || lost.abort());
    }, RENEW_MS);
    try {
      await this.#runBatches(this.#createContext(lease, crm, AbortSignal.any([signal, lost.signal])), lease);
      // With the lane, for whoever is woken earlier begins with a session that knows nothing of it.
      const { restUntil } = crm.session;
      if (restUntil && restUntil > this.clock.now()) await this.partitions.recordState(lease, { restUntil });
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
    let { strikes } = lease;
    let isIdle = false;
    while (!isIdle) {
      isIdle = true;
      for (const work of this.handlers.all) {
        const dueAt = await work.dueAt(lease.workspaceId, lease.crmType);
        if (!dueAt || dueAt > this.clock.now()) continue;
        if (context.signal.aborted || performance.now() > until || isResting(context, this.clock.now())) return;
        await work.step(context);
        isIdle = false;
        if (strikes > 0) await this.partitions.recordState(lease, { strikes: (strikes = 0), restUntil: null });
      }
    }
  }

  async #nextAt({ workspaceId, crmType }: CrmPartitionLease, { session }: OpenCrm): Promise<Date | null> {
    let next: Date | null = null;
    for (const work of this.handlers.all) {
      const dueAt = await work.dueAt(workspaceId, crmType);
      if (dueAt && (!next || dueAt < next)) next = dueAt;
    }
    const { cooldownUntil: restUntil } = session;
    return next && restUntil && restUntil > next ? restUntil : next;
  }

  /** Null while nobody may work with it. */
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
      // This worker is going: it is not the CRM's fault.
      await this.partitions.complete(lease, now);
      return;
    }
    const { workspaceId, crmType } = lease;
    const isPresent =
      !(error instanceof CrmError) || (await this.connections.markFailed(workspaceId, crmType, error, crm.revision));
    if (toFailure(error) === 'needs-human') {
      // As soon as it is connected again, the lane is woken. One that was only set otherwise meanwhile has to be met as it is now.
      await this.partitions.complete(lease, isPresent ? this.clock.in(IDLE_MS) : now);
      return;
    }
    const strikes = lease.strikes + 1;
    const cooldown = getCooldownMs(error, { strikes, restUntil: crm.session.restUntil, now, chance: Math.random() });
    const restUntil = this.clock.in(cooldown);
    await this.partitions.recordState(lease, { strikes, restUntil });
    await this.partitions.complete(lease, restUntil);
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
