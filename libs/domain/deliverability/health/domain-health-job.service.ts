import { WorkspaceRepository } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { parseId } from '@platform/database';
import { type Sweep } from '@platform/queues';
import { type Model } from 'mongoose';
import { DomainHealthRecord } from '../schemas/domain-health.record';
import { DomainEnrolmentService } from './domain-enrolment.service';
import { HealthExaminationsService } from './health-examinations.service';
import { nextDaily } from './health-check-interval';
import { type CheckDomainHealth, MailboxHealthQueue } from './mailbox-health.queue';

/** Domains that one sweep looks at, those due for longest first; the next one goes on. */
const SWEEP_AT_MOST = 500;
/** By how much the clocks of two machines may differ before a job that comes early is sent away. */
const CLOCK_TOLERANCE_MS = 5_000;

/** Checks domains when their time has come. */
@Injectable()
export class DomainHealthJobService implements Sweep {
  readonly name = 'mailbox-health';

  constructor(
    @InjectModel(DomainHealthRecord.name) private readonly healths: Model<DomainHealthRecord>,
    private readonly enrolment: DomainEnrolmentService,
    private readonly examinations: HealthExaminationsService,
    private readonly queue: MailboxHealthQueue,
    private readonly workspaces: WorkspaceRepository,
    private readonly clock: ClockPort,
  ) {}

  /** Does nothing for a domain that is gone or not due; lets go of one that has no mailbox any more. */
  async run({ workspaceId, healthId }: CheckDomainHealth, signal: AbortSignal): Promise<void> {
    const health = await this.#due(workspaceId, healthId);
    if (!health) return;
    if (!(await this.workspaces.filterAlive([workspaceId])).has(workspaceId)) return this.#postpone(health);
    if (await this.enrolment.forgetIfEmpty(health)) return;
    await this.examinations.byScheduleOf(health, signal);
  }

  /**
   * Takes in mailboxes that nobody looks after yet, and gives every domain that is due and has no job its job again.
   * @returns how many domains had no job that should have had one
   */
  async sweep(): Promise<number> {
    for await (const enrolled of this.enrolment.enrolNew()) await this.queue.plan([enrolled]);
    const due = await this.healths
      .find({ nextCheckAt: { $lte: this.clock.now() } }, { workspaceId: 1, nextCheckAt: 1 })
      .setOptions({ allWorkspaces: 'the worker looks after the domains of all workspaces' })
      .sort({ nextCheckAt: 1, _id: 1 })
      .limit(SWEEP_AT_MOST)
      .lean<DomainHealthRecord[]>();
    return this.queue.planMissing(due);
  }

  async #due(workspaceId: string, healthId: string): Promise<DomainHealthRecord | null> {
    const _id = parseId(healthId);
    if (!_id) return null;
    const dueBy = this.clock.in(CLOCK_TOLERANCE_MS);
    return this.healths.findOne({ _id, workspaceId, nextCheckAt: { $lte: dueBy } }).lean<DomainHealthRecord>();
  }

  /** Nobody asks for a workspace that was deleted; it may be restored. */
  async #postpone({ _id, workspaceId, nextCheckAt }: DomainHealthRecord): Promise<void> {
    const next = nextDaily(_id.toHexString(), this.clock.now());
    await this.healths.updateOne({ _id, workspaceId, nextCheckAt }, { $set: { nextCheckAt: next } });
  }
}
