import { getSite } from '@adapters/web';
import { WorkspaceRepository } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { type Lease, LeaseService, parseId } from '@platform/database';
import { type Sweep } from '@platform/queues';
import { type AgentTrainingRecord } from './schemas/agent-training.record';
import { TrainingSupersededError } from './training.errors';
import { OpenTrainingsRepository } from './open-trainings.repository';
import { AgentTrainingQueue, type RunAgentTraining } from './agent-training.queue';
import { AgentTrainingRepository } from './agent-training.repository';
import { TrainingWorkService } from './training-work.service';

/** A worker that dies is missed after this time; it renews its hold several times in it. */
const LEASE_MS = 60_000;
const RENEW_EVERY_MS = 15_000;

/**
 * Carries trainings out, in the worker: one at a time for each workspace, so that none keeps the others waiting, and one at a time for
 * each website, whoever asks for it.
 */
@Injectable()
export class AgentTrainingJobService implements Sweep {
  readonly name = 'agent-training';

  constructor(
    private readonly open: OpenTrainingsRepository,
    private readonly states: AgentTrainingRepository,
    private readonly work: TrainingWorkService,
    private readonly queue: AgentTrainingQueue,
    private readonly leases: LeaseService,
    private readonly workspaces: WorkspaceRepository,
  ) {}

  /**
   * Goes on with a training where it stands, to its end. Does nothing for one that is over, and for one whose workspace or website has
   * another in hand: the sweep brings it back.
   * @param signal stops it at once; what it has read by then is kept
   */
  async run({ workspaceId, trainingId }: RunAgentTraining, signal: AbortSignal): Promise<void> {
    if (!(await this.workspaces.filterAlive([workspaceId])).has(workspaceId)) return;
    const training = await this.open.find(workspaceId, parseId(trainingId));
    if (!training) return;
    await this.#under(`agent-training-${workspaceId}`, signal, async (turn, stop) => {
      if (training.isRead) return this.#carryOut(training, turn, stop);
      const { host } = getSite(training.url);
      return this.#under(`website-${host}`, stop, (_site, either) => this.#carryOut(training, turn, either));
    });
  }

  /** Gives the oldest training of each workspace that has no job its job again: Redis may have been emptied. */
  async sweep(): Promise<number> {
    const open = await this.open.oldestOfEach();
    const alive = await this.workspaces.filterAlive(open.map(({ workspaceId }) => workspaceId.toHexString()));
    return this.queue.planMissing(open.filter(({ workspaceId }) => alive.has(workspaceId.toHexString())));
  }

  async #carryOut({ _id, workspaceId }: AgentTrainingRecord, turn: Lease, signal: AbortSignal): Promise<void> {
    const workspace = workspaceId.toHexString();
    try {
      const training = await this.states.acquire(workspace, _id, turn);
      if (training) await this.work.carryOut(training, signal);
    } catch (error) {
      if (!(error instanceof TrainingSupersededError)) throw error;
    }
    const next = await this.open.oldestOf(workspace);
    if (next && !next._id.equals(_id)) await this.queue.plan([next]);
  }

  /** Works while it holds the lease; nothing is done when somebody else has it, and the work is stopped when it is lost. */
  async #under(
    name: string,
    signal: AbortSignal,
    work: (lease: Lease, signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const lease = await this.leases.acquire(name, LEASE_MS);
    if (!lease) return;
    const lost = new AbortController();
    const renewal = setInterval(() => void this.#renew(lease, lost), RENEW_EVERY_MS);
    try {
      await work(lease, AbortSignal.any([signal, lost.signal]));
    } finally {
      clearInterval(renewal);
      await this.leases.release(lease);
    }
  }

  async #renew(lease: Lease, lost: AbortController): Promise<void> {
    // A database that does not answer is asked again; the fence keeps out what is written too late.
    const isMine = await this.leases.renew(lease, LEASE_MS).catch(() => true);
    if (!isMine) lost.abort(new TrainingSupersededError('The lease was lost'));
  }
}
