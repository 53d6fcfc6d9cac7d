import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { MetricsService } from '@platform/observability';
import { type Sweep } from '@platform/queues';
import { ReportAttemptService } from './report-attempt.service';
import { decideAfterLookup, type AttemptOutcome } from './report-decision';
import { ReportLookupsService } from './report-lookups.service';
import { type LeasedReport, ReportRepository } from './report.repository';
import { type DeliverReport, ReportQueue } from './report.queue';

/** How late a report may be before the sweep asks for its job. */
const SWEEP_AFTER_MS = 3_000;
/** One that was let go of is tried again after so long. */
const RELEASED_MS = 1_000;

/** Sends reports when their time has come, each at most once. */
@Injectable()
export class ReportDeliveryService implements Sweep {
  readonly name = 'report-delivery';

  constructor(
    private readonly outbox: ReportRepository,
    private readonly attempts: ReportAttemptService,
    private readonly lookups: ReportLookupsService,
    private readonly queue: ReportQueue,
    private readonly clock: ClockPort,
    private readonly metrics: MetricsService,
  ) {
    for (const outcome of ['sent', 'failed', 'unknown']) metrics.reports.inc({ outcome }, 0);
  }

  /** Does nothing when it is not due, or somebody else has it. */
  async run({ workspaceId, reportId }: DeliverReport, signal: AbortSignal): Promise<void> {
    const report = await this.outbox.acquire(workspaceId, reportId);
    if (!report) return;
    const follows = report.state === 'handing' ? await this.#resolve(report) : await this.attempts.send(report, signal);
    await this.#write(report, follows);
  }

  /** Gives every report that is due its job again: Redis may have been emptied, or a worker have died. */
  async sweep(): Promise<number> {
    let created = 0;
    for await (const page of this.outbox.due(this.clock.in(-SWEEP_AFTER_MS))) {
      created += await this.queue.addMissing(page);
    }
    return created;
  }

  /** A server was given it before, and nobody wrote what became of it. */
  async #resolve(report: LeasedReport): Promise<AttemptOutcome> {
    const found = await this.lookups.findSent(report);
    const canLook = report.mailboxId !== null;
    const attempt = this.attempts.toAttempt(report, canLook);
    return decideAfterLookup(found, report.handedAt ?? report.createdAt, attempt, this.clock.now());
  }

  async #write(report: LeasedReport, follows: AttemptOutcome): Promise<void> {
    this.metrics.reports.inc({ outcome: follows.kind === 'end' ? follows.end.state : follows.kind });
    switch (follows.kind) {
      case 'end':
        return this.outbox.complete(report, follows.end);
      case 'wait':
        await this.outbox.postpone(report, follows.until, follows.reason, follows.attempts);
        break;
      case 'look':
        await this.outbox.rescheduleLookup(report, follows.at, follows.reason);
        break;
      case 'released':
        await this.outbox.postpone(report, this.clock.in(RELEASED_MS), null);
        break;
    }
    await this.queue.enqueue([report]);
  }
}
