import { WorkspaceRepository } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { type Lease, LeaseService, parseId } from '@platform/database';
import { type Sweep } from '@platform/queues';
import { type BlacklistTestRecord } from '../schemas/blacklist-test.record';
import { BlacklistTestSupersededError } from './blacklist.errors';
import { BlacklistTestQueue, type RunBlacklistTest } from './blacklist-test.queue';
import { TestExaminationsService } from './test-examinations.service';
import { BlacklistTestRepository } from './blacklist-test.repository';

/** A worker that dies is missed after this time; it renews its hold several times in it. */
const LEASE_MS = 60_000;
const RENEW_AFTER_MS = 15_000;

/** Does blacklist tests, in the worker. */
@Injectable()
export class BlacklistTestJobService implements Sweep {
  readonly name = 'blacklist-test';

  constructor(
    private readonly states: BlacklistTestRepository,
    private readonly examinations: TestExaminationsService,
    private readonly queue: BlacklistTestQueue,
    private readonly leases: LeaseService,
    private readonly workspaces: WorkspaceRepository,
  ) {}

  /**
   * Goes on with a test where it stands, to its end. Does nothing for one that is over, or that somebody else works on.
   * @param signal stops it at once; what it has found by then is kept
   */
  async run({ workspaceId, testId }: RunBlacklistTest, signal: AbortSignal): Promise<void> {
    if (!(await this.workspaces.filterAlive([workspaceId])).has(workspaceId)) return;
    const lease = await this.leases.acquire(`blacklist-test-${testId}`, LEASE_MS);
    if (!lease) return;
    try {
      const test = await this.states.begin(workspaceId, parseId(testId));
      if (test) await this.#examine(test, lease, signal);
    } catch (error) {
      if (!(error instanceof BlacklistTestSupersededError)) throw error;
    } finally {
      await this.leases.release(lease);
    }
  }

  /** Gives every test that is not done and has no job its job again: Redis may have been emptied. */
  async sweep(): Promise<number> {
    const open = await this.states.open();
    const alive = await this.workspaces.filterAlive(open.map(({ workspaceId }) => workspaceId.toHexString()));
    return this.queue.planMissing(open.filter(({ workspaceId }) => alive.has(workspaceId.toHexString())));
  }

  async #examine(test: BlacklistTestRecord, lease: Lease, signal: AbortSignal): Promise<void> {
    let renewedAt = performance.now();
    const stillMine = async (): Promise<void> => {
      if (performance.now() - renewedAt < RENEW_AFTER_MS) return;
      renewedAt = performance.now();
      if (!(await this.leases.renew(lease, LEASE_MS))) throw new BlacklistTestSupersededError('The lease was lost');
    };
    await this.examinations.finish(test, stillMine, signal);
  }
}
