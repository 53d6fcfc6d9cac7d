import { composeMessage, MailError, type SendOutcome } from '@adapters/mail';
import { systemScope } from '@domain/access';
import { type CampaignRecord, CampaignStatusService } from '@domain/campaigns';
import { MailIntakeService } from '@domain/inbox';
import { DueLeadRepository } from '@domain/leads';
import { type MailboxRecord } from '@domain/mailboxes';
import { SendRepository } from '@domain/sends';
import { TrackingUrlsService } from '@domain/tracking';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { AppError } from '@platform/errors';
import { Listens } from '@platform/hooks';
import { renderClaim } from '../render/claim-rendering';
import { describeMissingValue } from '../render/missing-value-message';
import { SendBatchService } from './batching/send-batch.service';
import { getNextAt } from './mailbox-send-interval';
import { type EngineCampaign, type EngineLead, MailboxSenderCache } from './mailbox-sender-cache';
import { type HandoverLimits, toDeferred } from './message-handover.service';
import {
  type AmbiguousMail,
  type AttemptedMail,
  type ComposedMail,
  type LeftMail,
  type MailClaim,
  type MailOffer,
  type OutboundMail,
  OUTBOUND_MAIL_SOURCES,
  type OutboundMailSource,
  type ReleasedMail,
  type SettledMail,
  type SupersededPart,
} from './outbound-mail-source';
import { isPollOnly, nextPollAt, planNextSend } from './plan-next-send';
import { PlannerDataSourceService } from './planner-data-source.service';
import { SendClaimService } from './send-claim.service';
import { SendGuardService } from './send-guard.service';
import { type RenderedClaim, SendOutcomeService } from './send-outcome.service';
import { type SenderRun } from './sender-run';

/** A follow-up leaves only if the mailbox was read within this time, so that a reply stops it. */
const FRESH_MS = 60_000;
/** Cooldown of a mailbox that cannot be read. */
const UNREADABLE_COOLDOWN_MS = 5 * 60_000;

/** The next email of a lead. */
interface PlannedEmail {
  readonly run: SenderRun;
  readonly campaign: EngineCampaign;
  readonly lead: EngineLead;
}

interface CampaignMail extends OutboundMail, RenderedClaim {
  readonly run: SenderRun;
  /** Targets of the tracked links; known once it is rendered. */
  readonly links: readonly string[];
}

/** The emails of campaigns. */
@Injectable()
@Listens(OUTBOUND_MAIL_SOURCES)
export class CampaignMailSourceService implements OutboundMailSource<PlannedEmail, CampaignMail> {
  readonly name = 'campaigns';
  readonly isWarmup = false;
  readonly #caches = new WeakMap<SenderRun, MailboxSenderCache>();

  constructor(
    private readonly planner: PlannerDataSourceService,
    private readonly claims: SendClaimService,
    private readonly outcomes: SendOutcomeService,
    private readonly guard: SendGuardService,
    private readonly batches: SendBatchService,
    private readonly sends: SendRepository,
    private readonly urls: TrackingUrlsService,
    private readonly intake: MailIntakeService,
    private readonly leads: DueLeadRepository,
    private readonly transitions: CampaignStatusService,
    private readonly clock: ClockPort,
  ) {}

  async listLeft({ mailbox: { record } }: SenderRun): Promise<LeftMail[]> {
    return (await this.sends.listInFlight(record.workspaceId, record._id)).map((send) => ({
      id: send._id.toHexString(),
      claimedAt: send.claimedAt,
      handoverAt: send.state === 'sending' ? (send.handoverAt ?? send.claimedAt) : null,
      release: (reason) => this.claims.releaseLead(send, reason),
      settle: (reason, resolveAt) =>
        this.sends.settle(send, 'sending', { state: 'ambiguous', reason, resolveAt, draftId: send.draftId }),
    }));
  }

  async next(run: SenderRun, now: Date): Promise<MailOffer<PlannedEmail>> {
    const data = this.planner.open(run.mailbox, now, this.#getCache(run));
    const plan = await planNextSend(data);
    if (plan.kind === 'send') return { kind: 'mail', mail: { run, campaign: plan.campaign, lead: plan.lead } };
    for (const campaign of data.exhausted) await this.#completeIfDone(campaign);
    return { kind: 'wait', nextAt: nextPollAt(plan, now), isPoll: isPollOnly(plan, now) };
  }

  async claim({ run, campaign, lead }: PlannedEmail, claiming: MailClaim): Promise<CampaignMail | SupersededPart> {
    const claim = await this.claims.claim(campaign, lead, claiming);
    if (typeof claim === 'string') return claim;
    const { _id, attempt, email } = claim.send;
    const sendId = _id.toHexString();
    const mail = { id: sendId, attempt, claimedAt: claim.at, recipient: { email, sendId }, campaignId: campaign.id };
    return { ...mail, ...claim, run, links: [] };
  }

  async claimEnded({ run, campaign, lead }: PlannedEmail, claimed: CampaignMail | null): Promise<void> {
    await this.planner.dueLeads.settle(lead.record);
    if (!claimed) return;
    const { at, wasNew: isNew } = claimed;
    this.#getCache(run).recordServed(campaign, lead, at, getNextAt(campaign, lead, at));
    this.planner.recordServed(campaign.id, run.mailbox.lease.mailboxId, { at, isNew });
  }

  async skip({ campaign, lead }: PlannedEmail): Promise<boolean> {
    return (await this.claims.skipSentSteps(campaign, lead)) || lead.record.mailboxId === null;
  }

  /** A follow-up needs a mailbox that was just read. */
  async prepare(
    mailbox: MailboxRecord,
    { wasNew }: CampaignMail,
    { signal = new AbortController().signal }: HandoverLimits,
  ): Promise<SendOutcome | null> {
    return wasNew ? null : this.#refresh(mailbox, signal);
  }

  async compose(mailbox: MailboxRecord, claim: CampaignMail): Promise<ComposedMail<CampaignMail>> {
    const urls = await this.urls.urlsOf(claim.send.workspaceId);
    const email = renderClaim(mailbox, claim, { urls, date: this.clock.now() });
    if (!email.ok) throw new Error(`there is no ${email.missing.map(describeMissingValue).join(', no ')}`);
    const { input, subject, links } = email;
    const threadId = claim.lead.record.thread?.providerThreadId ?? null;
    return { message: await composeMessage(input), threadId, mail: { ...claim, subject, links } };
  }

  async recordLate(claim: CampaignMail, now: Date): Promise<void> {
    await this.claims.recordLateHandover(claim, now);
  }

  async allows(claim: CampaignMail): Promise<boolean> {
    return this.guard.allows(claim);
  }

  async markSending(
    { send, subject = '', links }: CampaignMail,
    { draftId, at }: { draftId: string | null; at: Date },
  ): Promise<boolean> {
    return this.batches.markSending(send, { subject, links, draftId, at });
  }

  async settleTogether(mailbox: MailboxRecord, claim: CampaignMail, attempted: SettledMail): Promise<boolean> {
    return this.outcomes.settleTogether(mailbox, claim, attempted);
  }

  async settle(mailbox: MailboxRecord, claim: CampaignMail, attempted: SettledMail): Promise<boolean> {
    return this.outcomes.settle(mailbox, claim, attempted);
  }

  async release(claim: CampaignMail, attempted: ReleasedMail): Promise<boolean> {
    return this.outcomes.release(claim, attempted);
  }

  async settled(
    { run, campaign }: CampaignMail,
    { handover, verdict, isWritten }: AttemptedMail & { isWritten: boolean },
  ): Promise<boolean> {
    const mayBeLast = verdict.kind === 'sent' || verdict.kind === 'bounced' || verdict.kind === 'failed';
    if (mayBeLast && !(await this.planner.dueLeads.hasMore(campaign.id))) await this.#completeIfDone(campaign.record);
    const isUnread = verdict.kind === 'release' && !handover.isComposed && isWritten && verdict.cooldown === null;
    if (!isUnread || verdict.cooldownUntil === null) return false;
    // Only follow-ups wait. The connection of the mailbox may have changed.
    this.#getCache(run).setUnreadable(verdict.cooldownUntil);
    run.expire();
    return true;
  }

  async listAmbiguous(now: Date, limit: number): Promise<AmbiguousMail[]> {
    return this.outcomes.listAmbiguous(now, limit);
  }

  recordNextRun(mailboxId: string, next: { readonly nextAt: Date | null; readonly isPoll: boolean }): void {
    this.planner.recordNextRun(mailboxId, next);
  }

  #getCache(run: SenderRun): MailboxSenderCache {
    const known = this.#caches.get(run);
    if (known?.readAt === run.readAt) return known;
    const cache = known?.next(run.readAt) ?? new MailboxSenderCache(run.readAt);
    this.#caches.set(run, cache);
    return cache;
  }

  /**
   * Reads the mailbox unless it was read within the last minute, so that leads that have answered are stopped.
   * Returns the outcome if the mailbox cannot be read now.
   */
  async #refresh(mailbox: MailboxRecord, signal: AbortSignal): Promise<SendOutcome | null> {
    try {
      await this.intake.ensureFresh(mailbox, FRESH_MS, signal);
      return null;
    } catch (error) {
      if (signal.aborted) return { kind: 'withheld' };
      if (!(error instanceof MailError)) throw error;
      // The failure does not concern this email and is already stored with the mailbox.
      const { message, lastReply, retryAfterMs } = error;
      // The wait that the server asks for also binds the next holder of the lease.
      if (retryAfterMs !== null) return toDeferred({ stage: 'request', message, lastReply, retryAfterMs });
      return toDeferred({
        stage: 'busy',
        message,
        lastReply,
        retryAfterMs: error.stage === 'busy' ? null : UNREADABLE_COOLDOWN_MS,
      });
    }
  }

  /**
   * Completes the campaign if no lead of it is active, or paused with a resume date. Leads that were added after the
   * campaign was read keep it from being completed.
   */
  async #completeIfDone({ _id, workspaceId, leadsRevision }: CampaignRecord): Promise<void> {
    if (await this.leads.anyLeft(workspaceId, _id)) return;
    try {
      await this.transitions.complete(systemScope(workspaceId.toHexString()), _id.toHexString(), leadsRevision);
    } catch (error) {
      // The campaign was deleted meanwhile: the mailbox continues with its others.
      if (!(error instanceof AppError && error.code === 'NOT_FOUND')) throw error;
    }
  }
}
