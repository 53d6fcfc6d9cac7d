import { WorkspaceRepository } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { parseId } from '@platform/database';
import { type Sweep } from '@platform/queues';
import { type Model } from 'mongoose';
import { DomainHealthRecord } from '../schemas/domain-health.record';
import { DomainEnrolmentService } from './domain-enrolment.service';
import { DomainHealthService } from './domain-health.service';
import { nextDaily } from './health-check-interval';
import { type CheckDomainHealth, MailboxHealthQueue } from './mailbox-health.queue';

/** Domains that one sweep reads, the longest due first. */
const SWEEP_AT_MOST = 500;
/** Tolerated clock difference between two machines for a job that comes early. */
const CLOCK_TOLERANCE_MS = 5_000;

/** Checks due domains. */
@Injectable()
export class DomainHealthJobService implements Sweep {
  readonly name = 'mailbox-health';

  constructor(
    @InjectModel(DomainHealthRecord.name) private readonly healths: Model<DomainHealthRecord>,
    private readonly enrolment: DomainEnrolmentService,
    private readonly domainHealth: DomainHealthService,
    private readonly queue: MailboxHealthQueue,
    private readonly workspaces: WorkspaceRepository,
    private readonly clock: ClockPort,
  ) {}

  /** Does nothing for a deleted domain or one that is not due; deletes a domain without mailboxes. */
  async run({ workspaceId, healthId }: CheckDomainHealth, signal: AbortSignal): Promise<void> {
    const health = await this.#findDue(workspaceId, healthId);
    if (!health) return;
    if (!(await this.workspaces.filterAlive([workspaceId])).has(workspaceId)) return this.#postpone(health);
    if (await this.enrolment.forgetIfEmpty(health)) return;
    await this.domainHealth.examineDue(health, signal);
  }

  /**
   * Enrols domains of new mailboxes, and restores the job of every due domain.
   * @returns the number of missing jobs
   */
  async sweep(): Promise<number> {
    for await (const enrolled of this.enrolment.enrolNew()) await this.queue.plan([enrolled]);
    const due = await this.healths
      .find({ nextCheckAt: { $lte: this.clock.now() } }, { workspaceId: 1, nextCheckAt: 1 })
      .setOptions({ allWorkspaces: 'the worker checks the domains of all workspaces' })
      .sort({ nextCheckAt: 1, _id: 1 })
      .limit(SWEEP_AT_MOST)
      .lean<DomainHealthRecord[]>();
    return this.queue.planMissing(due);
  }

  async #findDue(workspaceId: string, healthId: string): Promise<DomainHealthRecord | null> {
    const _id = parseId(healthId);
    if (!_id) return null;
    const dueBy = this.clock.in(CLOCK_TOLERANCE_MS);
    return this.healths.findOne({ _id, workspaceId, nextCheckAt: { $lte: dueBy } }).lean<DomainHealthRecord>();
  }

  /** A deleted workspace may be restored, so its domains stay. */
  async #postpone({ _id, workspaceId, nextCheckAt }: DomainHealthRecord): Promise<void> {
    const next = nextDaily(_id.toHexString(), this.clock.now());
    await this.healths.updateOne({ _id, workspaceId, nextCheckAt }, { $set: { nextCheckAt: next } });
  }
}
