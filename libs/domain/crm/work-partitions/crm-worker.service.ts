import { CrmError } from '@adapters/crm';
import { WorkspaceRepository } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { toFailure } from '@platform/errors';
import { CrmConnectionRepository, type OpenCrm } from '../connections/crm-connection.repository';
import { CrmLinkRepository } from '../links/crm-link.repository';
import { CrmLeaseLostError, type CrmPartitionLease } from './crm-partition-lease';
import { cooldownMs } from './crm-cooldown';
import { type CrmWorkContext, CrmWorkHandlerRegistry } from './crm-work-handler.registry';
import { type RunCrmPartition } from './crm-work.queue';
import { type CrmPartitionState, CrmWorkPartitionService } from './crm-work-partition.service';

/** A lane is held for so long, renewed several times in that time: what a worker had that dies is late by so much. */
const LEASE_MS = 20_000;
const RENEW_MS = 5_000;
/** Then other workspaces have their turn, in case many wait. */
const TURN_MS = 20_000;
/** A connection that cannot be opened for a fault of ours is not tried at once again. */
const FAILED_MS = 60_000;
/** How soon is looked again whether a workspace that was deleted is there again, or whether what waits for a connection waits too long. */
const IDLE_MS = 6 * 3_600_000;

/** Works with the CRM of a workspace: one batch of each kind of work in its turn. */
@Injectable()
export class CrmWorkerService {
  constructor(
    private readonly lanes: CrmWorkPartitionService,
    private readonly works: CrmWorkHandlerRegistry,
    private readonly connections: CrmConnectionRepository,
    private readonly links: CrmLinkRepository,
    private readonly workspaces: WorkspaceRepository,
    private readonly clock: ClockPort,
  ) {}

  /** Without effect while another worker has the lane. `signal` ends what is under way; it is taken up again by others. */
  async run({ laneId }: RunCrmPartition, signal: AbortSignal): Promise<void> {
    const lane = await this.lanes.acquire(laneId, LEASE_MS);
    if (!lane) return;
    const { workspaceId, crmType, restUntil } = lane;
    if (!(await this.workspaces.filterAlive([workspaceId])).has(workspaceId)) {
      // It may be restored; its work goes on then.
      await this.lanes.complete(lane, this.clock.in(IDLE_MS));
      return;
    }
    const crm = await this.#open(lane);
    if (lane.forgets) {
      await this.links.forgetOthers(workspaceId, crmType, crm?.connectionId ?? null, signal);
      await this.lanes.recordState(lane, { forgets: false });
    }
    if (!crm) return this.#unconnected(lane);
    if (restUntil && restUntil > this.clock.now()) {
      await this.lanes.complete(lane, restUntil);
      return;
    }
    await this.#work(lane, crm, signal);
  }

  async #work(lane: CrmPartitionLease & CrmPartitionState, crm: OpenCrm, signal: AbortSignal): Promise<void> {
    const lost = new AbortController();
    const renewing = setInterval(() => {
      void this.lanes
        .renew(lane, LEASE_MS)
        // Whether it is lost is not known then; whatever is written asks again.
        .catch(() => true)
        .then((isHeld) => isHeld || lost.abort());
    }, RENEW_MS);
    try {
      await this.#turn(this.#atWork(lane, crm, AbortSignal.any([signal, lost.signal])), lane);
      // With the lane, for whoever is woken earlier begins with a session that knows nothing of it.
      const { restUntil } = crm.session;
      if (restUntil && restUntil > this.clock.now()) await this.lanes.recordState(lane, { restUntil });
      await this.lanes.complete(lane, await this.#nextAt(lane, crm));
    } catch (error) {
      if (error instanceof CrmLeaseLostError || lost.signal.aborted) return;
      await this.#failed(lane, crm, error, signal);
    } finally {
      clearInterval(renewing);
    }
  }

  async #turn(atWork: CrmWorkContext, lane: CrmPartitionLease & CrmPartitionState): Promise<void> {
    const until = performance.now() + TURN_MS;
    let { strikes } = lane;
    let isIdle = false;
    while (!isIdle) {
      isIdle = true;
      for (const work of this.works.all) {
        const dueAt = await work.dueAt(lane.workspaceId, lane.crmType);
        if (!dueAt || dueAt > this.clock.now()) continue;
        if (atWork.signal.aborted || performance.now() > until || isResting(atWork, this.clock.now())) return;
        await work.step(atWork);
        isIdle = false;
        if (strikes > 0) await this.lanes.recordState(lane, { strikes: (strikes = 0), restUntil: null });
      }
    }
  }

  async #nextAt({ workspaceId, crmType }: CrmPartitionLease, { session }: OpenCrm): Promise<Date | null> {
    let next: Date | null = null;
    for (const work of this.works.all) {
      const dueAt = await work.dueAt(workspaceId, crmType);
      if (dueAt && (!next || dueAt < next)) next = dueAt;
    }
    const { restUntil } = session;
    return next && restUntil && restUntil > next ? restUntil : next;
  }

  /** Null while nobody may work with it. */
  async #open(lane: CrmPartitionLease): Promise<OpenCrm | null> {
    try {
      return await this.connections.open(lane.workspaceId, lane.crmType);
    } catch (error) {
      if (toFailure(error) === 'needs-human') return null;
      await this.lanes.complete(lane, this.clock.in(FAILED_MS));
      throw error;
    }
  }

  async #unconnected(lane: CrmPartitionLease): Promise<void> {
    const { workspaceId, crmType } = lane;
    let isWaiting = false;
    for (const work of this.works.all) {
      await work.onDisconnected?.(workspaceId, crmType);
      isWaiting ||= (await work.dueAt(workspaceId, crmType)) !== null;
    }
    await this.lanes.complete(lane, isWaiting ? this.clock.in(IDLE_MS) : null);
  }

  async #failed(
    lane: CrmPartitionLease & CrmPartitionState,
    crm: OpenCrm,
    error: unknown,
    signal: AbortSignal,
  ): Promise<void> {
    const now = this.clock.now();
    if (signal.aborted) {
      // This worker is going: it is not the CRM's fault.
      await this.lanes.complete(lane, now);
      return;
    }
    const { workspaceId, crmType } = lane;
    const isPresent =
      !(error instanceof CrmError) || (await this.connections.failed(workspaceId, crmType, error, crm.revision));
    if (toFailure(error) === 'needs-human') {
      // As soon as it is connected again, the lane is woken. One that was only set otherwise meanwhile has to be met as it is now.
      await this.lanes.complete(lane, isPresent ? this.clock.in(IDLE_MS) : now);
      return;
    }
    const strikes = lane.strikes + 1;
    const rest = cooldownMs(error, { strikes, restUntil: crm.session.restUntil, now, chance: Math.random() });
    const restUntil = this.clock.in(rest);
    await this.lanes.recordState(lane, { strikes, restUntil });
    await this.lanes.complete(lane, restUntil);
    if (!(error instanceof CrmError)) throw error;
  }

  #atWork(lane: CrmPartitionLease, crm: OpenCrm, signal: AbortSignal): CrmWorkContext {
    const renew = () => this.lanes.renew(lane, LEASE_MS);
    return {
      workspaceId: lane.workspaceId,
      type: lane.crmType,
      crm,
      signal,
      stillOurs: renew,
      hold: async () => {
        if (!(await renew())) throw new CrmLeaseLostError();
      },
    };
  }
}

function isResting({ crm }: CrmWorkContext, now: Date): boolean {
  return crm.session.restUntil !== null && crm.session.restUntil > now;
}
