import { MailError, MailSessionPool, type SentLookup } from '@adapters/mail';
import { MailboxAccountService, MailboxRepository } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { MetricsService } from '@platform/observability';
import { type Sweep } from '@platform/queues';
import { type ReportRecord } from '../schemas/report.record';
import { ReportAttemptService } from './report-attempt.service';
import { decideAfterLookup, type AttemptOutcome } from './report-decision';
import { type LeasedReport, ReportRepository } from './report.repository';
import { type DeliverReport, ReportQueue } from './report.queue';

/** How late a report may be before the sweep adds its job. */
const SWEEP_AFTER_MS = 3_000;
/** Delay before a released report is retried. */
const RELEASED_MS = 1_000;

/** Sends reports that are due, each at most once. */
@Injectable()
export class ReportDeliveryService implements Sweep {
  readonly name = 'report-delivery';

  constructor(
    private readonly outbox: ReportRepository,
    private readonly attempts: ReportAttemptService,
    private readonly mailboxes: MailboxRepository,
    private readonly accounts: MailboxAccountService,
    private readonly sessions: MailSessionPool,
    private readonly queue: ReportQueue,
    private readonly clock: ClockPort,
    private readonly metrics: MetricsService,
  ) {
    for (const outcome of ['sent', 'failed', 'unknown']) metrics.reports.inc({ outcome }, 0);
  }

  /** Does nothing when the report is not due or another worker holds it. */
  async run({ workspaceId, reportId }: DeliverReport, signal: AbortSignal): Promise<void> {
    const report = await this.outbox.acquire(workspaceId, reportId);
    if (!report) return;
    const follows = report.state === 'sending' ? await this.#resolve(report) : await this.attempts.send(report, signal);
    await this.#write(report, follows);
  }

  /** Adds the missing jobs of all reports that are due: Redis may have lost them, or a worker crashed. */
  async sweep(): Promise<number> {
    let created = 0;
    for await (const page of this.outbox.due(this.clock.in(-SWEEP_AFTER_MS))) {
      created += await this.queue.addMissing(page);
    }
    return created;
  }

  /** Finds the outcome of an earlier handover that was not recorded. */
  async #resolve(report: LeasedReport): Promise<AttemptOutcome> {
    const found = await this.#findSent(report);
    const canSearch = report.mailboxId !== null;
    const attempt = this.attempts.toAttempt(report, canSearch);
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
      case 'lookup':
        await this.outbox.rescheduleLookup(report, follows.at, follows.reason);
        break;
      case 'released':
        await this.outbox.postpone(report, this.clock.in(RELEASED_MS), null);
        break;
    }
    await this.queue.enqueue([report]);
  }

  /** Also `unknown` without a mailbox that can be searched. */
  async #findSent({ workspaceId, mailboxId, messageId, draftId }: ReportRecord): Promise<SentLookup> {
    const mailbox = mailboxId && (await this.mailboxes.find(workspaceId, mailboxId));
    if (!mailbox || messageId === null) return { state: 'unknown' };
    try {
      return await this.sessions.use(this.accounts.toAccount(mailbox), (session) =>
        session.findSent(messageId, { draftId }),
      );
    } catch (error) {
      if (error instanceof MailError) return { state: 'unknown' };
      throw error;
    }
  }
}
