import { WorkspaceRepository } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { AppError } from '@platform/errors';
import { LogService } from '@platform/observability';
import { type Model } from 'mongoose';
import { FAILURES_TO_STOP, TrackingHostRecord, nextCheckAt } from '../schemas/tracking-host.record';
import { HostProofService } from './host-proof.service';

/** Failures of the host itself; a check that we could not make says nothing. */
const UNREACHABLE = 'TRACKING_HOST_UNREACHABLE';
const AT_A_TIME = 500;
const AGAIN_MS = 600_000;
const FAILING_AGAIN_MS = 3_600_000;
const WORKER = 'the worker looks after the tracking hosts of all workspaces';

/** Looks once a day whether the hosts of workspaces still lead here: DNS and certificates are other people's. */
@Injectable()
export class TrackingHostChecksService {
  constructor(
    @InjectModel(TrackingHostRecord.name) private readonly hosts: Model<TrackingHostRecord>,
    private readonly proof: HostProofService,
    private readonly workspaces: WorkspaceRepository,
    private readonly clock: ClockPort,
    private readonly log: LogService,
  ) {}

  /**
   * Checks all whose time has come. A host that fails is checked again ten minutes later; if it fails then, too, emails name
   * the address of the platform, and it is checked every hour until it leads here again.
   */
  async checkDue(signal?: AbortSignal): Promise<void> {
    const due = await this.hosts
      // Those from before there were checks have no time: they are due.
      .find({ checkAt: { $not: { $gt: this.clock.now() } } })
      .setOptions({ allWorkspaces: WORKER })
      .sort({ checkAt: 1 })
      .limit(AT_A_TIME)
      .lean<TrackingHostRecord[]>();
    const alive = await this.workspaces.filterAlive(due.map(({ workspaceId }) => workspaceId.toHexString()));
    for (const host of due) {
      signal?.throwIfAborted();
      if (alive.has(host.workspaceId.toHexString())) await this.#check(host);
      else await this.#write(host, { checkAt: nextCheckAt(this.clock) });
    }
  }

  async #check(host: TrackingHostRecord): Promise<void> {
    const { url, workspaceId } = host;
    const failures = host.failures ?? 0;
    try {
      await this.proof.ensure(url);
      const now = this.clock.now();
      await this.#write(host, { verifiedAt: now, checkAt: nextCheckAt(this.clock), failures: 0, problem: null });
      if (failures >= FAILURES_TO_STOP) {
        this.log.info('A tracking host leads here again', { url, workspaceId: workspaceId.toHexString() });
      }
    } catch (error) {
      if (!(error instanceof AppError && error.code === UNREACHABLE)) throw error;
      const checkAt = this.clock.in(failures + 1 < FAILURES_TO_STOP ? AGAIN_MS : FAILING_AGAIN_MS);
      await this.#write(host, { checkAt, failures: failures + 1, problem: error.message });
      if (failures + 1 === FAILURES_TO_STOP) {
        this.log.warn('A tracking host does not lead here any more: emails name the platform’s', {
          url,
          workspaceId: workspaceId.toHexString(),
          problem: error.message,
        });
      }
    }
  }

  /** Unless somebody has set another one, or the same one anew, meanwhile. */
  async #write(
    { _id, workspaceId, url, verifiedAt }: TrackingHostRecord,
    fields: Partial<TrackingHostRecord>,
  ): Promise<void> {
    await this.hosts.updateOne({ _id, workspaceId, url, verifiedAt }, { $set: fields });
  }
}
