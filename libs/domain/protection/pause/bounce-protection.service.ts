import { systemScope } from '@domain/access';
import { CampaignRepository, type CampaignStatusChange, CampaignStatusService } from '@domain/campaigns';
import { EventsService } from '@domain/events';
import { MailboxRepository } from '@domain/mailboxes';
import { MailboxLeaseService, SendRepository } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService, isDatabaseUnavailable } from '@platform/database';
import { LogService } from '@platform/observability';
import { type Model } from 'mongoose';
import { getBounceEvidence } from '../rate/bounce-rate';
import { BounceTallyRecord } from '../schemas/bounce-tally.record';
import { ProtectedSubjectRecord, type StopEvidence } from '../schemas/protected-subject.record';
import { getWindowStart } from '../tally/bounce-tally';
import { createPauseMessage, describeEvidence } from './pause-message';

/** Code in `sendingStopped` of a mailbox. */
const CODE = 'BOUNCE_RATE';

/** Why all workspaces are read. */
const WORKER = 'the worker protects the senders of all workspaces';

/** Evaluates the bounce rates of all due subjects: pauses campaigns, and stops mailboxes and domains, whose rate is too high. */
@Injectable()
export class BounceProtectionService {
  constructor(
    @InjectModel(ProtectedSubjectRecord.name) private readonly subjects: Model<ProtectedSubjectRecord>,
    private readonly campaigns: CampaignRepository,
    private readonly campaignStatus: CampaignStatusService,
    private readonly withholding: SendRepository,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
    private readonly mailboxes: MailboxRepository,
    private readonly leases: MailboxLeaseService,
    private readonly events: EventsService,
    @InjectModel(BounceTallyRecord.name) private readonly tallies: Model<BounceTallyRecord>,
    private readonly log: LogService,
  ) {}

  /** Returns when all due subjects are evaluated. A failed one stays due and does not block the others. */
  async checkAll(signal?: AbortSignal): Promise<void> {
    const due = this.subjects
      .find({ due: true })
      .setOptions({ allWorkspaces: WORKER })
      .sort({ _id: 1 })
      .lean<ProtectedSubjectRecord[]>()
      .cursor();
    for await (const subject of due as AsyncIterable<ProtectedSubjectRecord>) {
      signal?.throwIfAborted();
      try {
        await this.#check(subject);
      } catch (error) {
        if (isDatabaseUnavailable(error)) throw error;
        const { kind, key } = subject;
        this.log.error('The bounce rate of a sender could not be evaluated; it will be retried', error, {
          kind,
          key,
        });
      }
    }
  }

  /**
   * Pauses a campaign once until a person resumes it; repeated calls only complete the stop. An inactive campaign is left
   * unchanged.
   */
  async stopCampaign(subject: ProtectedSubjectRecord, evidence: StopEvidence): Promise<void> {
    const workspace = systemScope(subject.workspaceId.toHexString());
    const { workspaceId } = workspace;
    const campaignId = subject.key;
    const change = subject.stoppedAt ? null : await this.transactions.run(() => this.#pauseCampaign(subject, evidence));
    if (change) return this.campaignStatus.notify(workspace, change);
    const campaign = await this.campaigns.peek(workspaceId, campaignId);
    // The worker that paused it may have crashed before this.
    if (campaign?.status === 'paused') await this.withholding.withhold(workspaceId, { campaignId }, 'campaign paused');
  }

  /**
   * Stops each mailbox of the subject once until a person resumes it. If interrupted, the next call continues. Mailboxes that a
   * mail server has stopped are left unchanged.
   */
  async stopSender(subject: ProtectedSubjectRecord, evidence: StopEvidence): Promise<void> {
    const { kind, key, stoppedAt, workspaceId } = subject;
    const mailboxIds = kind === 'mailbox' ? [key] : await this.mailboxes.atDomain(workspaceId, key);
    if (!stoppedAt && !(await this.#beginStop(subject, evidence, mailboxIds))) return;
    for (const mailboxId of mailboxIds) {
      const isStopped = await this.transactions.run(() => this.#stopMailbox(subject, evidence, mailboxId));
      if (!isStopped) continue;
      const reason = 'sending from the mailbox was stopped';
      await this.withholding.withhold(workspaceId.toHexString(), { mailboxId }, reason);
    }
  }

  async #pauseCampaign(subject: ProtectedSubjectRecord, evidence: StopEvidence): Promise<CampaignStatusChange | null> {
    const { _id, workspaceId, since } = subject;
    const campaign = await this.campaigns.peek(workspaceId, subject.key);
    if (campaign?.status !== 'active') return null;
    const { matchedCount } = await this.subjects.updateOne(
      { _id, workspaceId, since, stoppedAt: null },
      { $set: { stoppedAt: this.clock.now(), pending: true, evidence } },
    );
    if (matchedCount === 0) return null;
    const problem = { code: 'bounce_rate', message: createPauseMessage(subject, evidence) };
    const workspace = systemScope(workspaceId.toHexString());
    return this.campaignStatus.stop(workspace, subject.key, problem, describeEvidence(evidence));
  }

  /**
   * False when all mailboxes are already stopped for other reasons, or another worker was faster. Mailboxes that another
   * subject's bounces have stopped count as stopped for this one too.
   */
  async #beginStop(
    { _id, workspaceId, since }: ProtectedSubjectRecord,
    evidence: StopEvidence,
    mailboxIds: readonly string[],
  ): Promise<boolean> {
    const states = await this.leases.findStates(workspaceId.toHexString(), mailboxIds);
    if (![...states.values()].some(({ stopped }) => stopped === null || stopped.code === CODE)) return false;
    const { matchedCount } = await this.subjects.updateOne(
      { _id, workspaceId, since, stoppedAt: null },
      { $set: { stoppedAt: this.clock.now(), pending: true, evidence } },
    );
    return matchedCount === 1;
  }

  /** @returns whether it is stopped for this now; false after it was resumed, or when it was stopped for another reason */
  async #stopMailbox(subject: ProtectedSubjectRecord, evidence: StopEvidence, mailboxId: string): Promise<boolean> {
    const { _id, kind, key, since } = subject;
    const workspaceId = subject.workspaceId.toHexString();
    const stands = { _id, workspaceId: subject.workspaceId, since, stoppedAt: { $ne: null } };
    // A write, so that a concurrent resume conflicts.
    const { matchedCount } = await this.subjects.updateOne(stands, { $set: { evidence } });
    const state = (await this.leases.findStates(workspaceId, [mailboxId])).get(mailboxId);
    if (matchedCount === 0 || !state) return false;
    if (state.stopped) return state.stopped.code === CODE;
    const message = createPauseMessage(subject, evidence);
    const isNew = await this.events.record(systemScope(workspaceId), {
      type: 'mailbox.sending_stopped',
      dedupeKey: `mailbox.sending_stopped:${CODE}:${kind}:${mailboxId}:${since?.getTime() ?? 0}`,
      about: { mailboxId },
      data: {
        code: CODE,
        reason: message,
        of: kind === 'domain' ? kind : 'mailbox',
        domain: kind === 'domain' ? key : null,
        evidence: describeEvidence(evidence),
      },
    });
    // It was stopped for this before, and a person has resumed it.
    if (!isNew) return false;
    await this.leases.stop(workspaceId, mailboxId, { code: CODE, message });
    return true;
  }

  async #check(subject: ProtectedSubjectRecord): Promise<void> {
    const { _id, workspaceId, marks, stoppedAt, pending } = subject;
    const known = pending ? subject.evidence : null;
    const evidence = stoppedAt ? known : await this.#getEvidence(subject);
    if (evidence) await this.#stop(subject, evidence);
    await this.subjects.updateOne({ _id, workspaceId, marks }, { $set: { due: false, pending: false } });
  }

  #stop(subject: ProtectedSubjectRecord, evidence: StopEvidence): Promise<void> {
    return subject.kind === 'campaign' ? this.stopCampaign(subject, evidence) : this.stopSender(subject, evidence);
  }

  async #getEvidence({ workspaceId, subject, since }: ProtectedSubjectRecord): Promise<StopEvidence | null> {
    const to = this.clock.now();
    const from = getWindowStart(to);
    const [count] = await this.tallies.aggregate<{ sends: number; bounces: number }>([
      { $match: { workspaceId, subject, since, day: { $gte: from } } },
      { $group: { _id: null, sends: { $sum: '$sends' }, bounces: { $sum: '$bounces' } } },
    ]);
    const evidence = count && getBounceEvidence(count);
    return evidence ? { ...evidence, from: since && since > from ? since : from, to } : null;
  }
}
