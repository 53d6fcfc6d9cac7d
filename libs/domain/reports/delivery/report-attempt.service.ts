import { type SendOutcome } from '@adapters/mail';
import { type Limited } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { LogService } from '@platform/observability';
import { type ReportRecipientRecord } from '../schemas/report-recipient.record';
import { ReportComposerService } from './report-composer.service';
import {
  decideAfterAttempt,
  decideAfterFailure,
  type Attempt,
  type AttemptOutcome,
  decideReport,
  LIMITED,
} from './report-decision';
import { ReportEligibilityService } from './report-eligibility.service';
import { type LeasedReport, ReportRepository } from './report.repository';
import { type ReportSender, ReportSenderService } from './report-sender.service';

/** Until a server has to have taken a report, from the connection on: well within the time for which a report is held. */
const DEADLINE_MS = 4 * 60_000;

/** One attempt to send a report: composed, looked at once more, handed over. */
@Injectable()
export class ReportAttemptService {
  constructor(
    private readonly outbox: ReportRepository,
    private readonly eligibility: ReportEligibilityService,
    private readonly senders: ReportSenderService,
    private readonly composer: ReportComposerService,
    private readonly clock: ClockPort,
    private readonly log: LogService,
  ) {}

  /** What follows; nothing of it is written yet. */
  async send(report: LeasedReport, signal: AbortSignal): Promise<AttemptOutcome> {
    const { facts, recipient } = await this.eligibility.check(report);
    const sender = await this.senders.find(report.workspaceId);
    const standing = await this.senders.getFacts(sender);
    const { expiresAt, email, reason } = report;
    const decision = decideReport({ expiresAt, email, reason, ...facts, sender: standing }, this.clock.now());
    if (decision.kind !== 'send') return decision;
    // Both are there, or it would have been decided otherwise.
    if (!recipient || !sender) return { kind: 'released' };
    const attempt = this.toAttempt(report, sender.kind === 'mailbox');
    const outcome = await this.#submit(report, recipient, sender, signal);
    const now = this.clock.now();
    if (outcome === null) return decideAfterFailure('It could not be composed', attempt, now);
    if (outcome.kind === 'limited') return { kind: 'wait', until: outcome.until, reason: LIMITED };
    if (outcome.kind === 'accepted' || outcome.kind === 'withheld')
      return decideAfterAttempt(outcome, '', attempt, now);
    const said = this.senders.getReason(sender, outcome);
    // Nobody of a workspace can mend it.
    if (sender.kind === 'operator') this.log.warn(`The server for reports: ${outcome.message}`);
    return decideAfterAttempt(outcome, said, attempt, now);
  }

  toAttempt({ attempts, state, expiresAt }: LeasedReport, canLook: boolean): Attempt {
    // One that a server was given has been counted then.
    return {
      attempts: state === 'handing' ? attempts : attempts + 1,
      expiresAt,
      hasSentFolder: canLook,
      random: Math.random(),
    };
  }

  /** null when there was nothing to hand over: a fault of ours, which the log tells. */
  async #submit(
    report: LeasedReport,
    recipient: ReportRecipientRecord,
    sender: ReportSender,
    signal: AbortSignal,
  ): Promise<SendOutcome | Limited | null> {
    const message = await this.composer.compose(report, recipient, sender).catch((error: unknown) => {
      this.log.error(`Report ${report._id.toHexString()} could not be composed`, error);
      return null;
    });
    if (message === null) return null;
    const { messageId } = message;
    return this.senders.send(sender, message, {
      signal,
      deadline: AbortSignal.timeout(DEADLINE_MS),
      mark: async (mailboxId, { draftId }) =>
        (await this.#maySend(report)) && this.outbox.startHandover(report, { mailboxId, messageId, draftId }),
    });
  }

  /** Composing takes seconds: what was forbidden since is seen here, or has taken the report back. */
  async #maySend(report: LeasedReport): Promise<boolean> {
    const { facts } = await this.eligibility.check(report);
    const { expiresAt, email, reason } = report;
    const sender = { kind: 'operator' } as const;
    return decideReport({ expiresAt, email, reason, ...facts, sender }, this.clock.now()).kind === 'send';
  }
}
