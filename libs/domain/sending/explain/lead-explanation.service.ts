import { type WorkspaceScope } from '@domain/access';
import { ActiveCampaignsRepository, type CampaignRecord, CampaignRepository } from '@domain/campaigns';
import { DueLeadRepository, type LeadRecord } from '@domain/leads';
import { type SendRecord, SendRepository } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { parseId } from '@platform/database';
import { notFound } from '@platform/errors';
import { type LeadFacts } from '../decide/facts';
import { type ExplanationResponse, toHistory, toLimit, toMissing, toSender } from '../dto/explanation.dto';
import { EligibilityEvaluatorService, type LeadVerdict } from './eligibility-evaluator.service';
import { type MissingValue, saidOfMissing } from './missing-values';
import { type Reason, REASONS } from './reasons';

/** Explains why a lead has or has not received an email, by the decision of the engine. */
@Injectable()
export class LeadExplanationService {
  constructor(
    private readonly campaigns: CampaignRepository,
    private readonly activeCampaigns: ActiveCampaignsRepository,
    private readonly leads: DueLeadRepository,
    private readonly sends: SendRepository,
    private readonly evaluator: EligibilityEvaluatorService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Explains the lead for its sender. For a lead without a sender, or whose sender has left the campaign, it explains
   * the lead for the mailbox that can send first.
   * @throws NOT_FOUND
   */
  async explain(workspace: WorkspaceScope, campaignId: string, leadId: string): Promise<ExplanationResponse> {
    const campaign = await this.campaigns.find(workspace, campaignId);
    const lead = await this.#lead(campaign, leadId);
    const sends = await this.sends.listOfLead(campaign.workspaceId, lead._id);
    const shares = await this.activeCampaigns.listShares(campaign.workspaceId, campaign._id);
    const sender = findSenderId(campaign, lead);
    const own = shares.filter(({ mailboxId }) => sender === null || mailboxId?.equals(sender));
    const now = this.clock.now();
    const verdicts = await this.evaluator.of(campaign, own, { lead, inFlight: findInFlight(lead, sends), now });
    const history = toHistory(lead, sends);
    const first = verdicts.toSorted((one, other) => getDecisionTime(one) - getDecisionTime(other))[0];
    if (!first) return { ...toNoSender(lead), history };
    // Values that were missing when the lead was stopped are reported while they are missing.
    const isLacking = lead.stopReason === 'missing_variable' || isStoppedFor(first, 'missing_variable');
    return { ...withMissing(toExplanation(first, now), isLacking ? first.missing : []), history };
  }

  async #lead({ _id, workspaceId }: CampaignRecord, leadId: string): Promise<LeadRecord> {
    const id = parseId(leadId);
    const lead = id && (await this.leads.find(workspaceId, id));
    if (!lead?.campaignId.equals(_id)) throw notFound('Lead');
    return lead;
  }
}

/** Returns null if any mailbox of the campaign may write to the lead. */
function findSenderId({ formerMailboxes }: CampaignRecord, { mailboxId }: LeadRecord): LeadRecord['mailboxId'] {
  return mailboxId && formerMailboxes.some((id) => id.equals(mailboxId)) ? null : mailboxId;
}

type Explanation = Omit<ExplanationResponse, 'history'>;

function toExplanation({ decision, mailbox }: LeadVerdict, now: Date): Explanation {
  const sender = toSender(mailbox);
  switch (decision.kind) {
    case 'send':
      return { ...plain('send', 'due'), nextEligibleAt: now.toISOString(), mailbox: sender };
    case 'stop':
      return { ...plain('stop', decision.reason), mailbox: sender };
    case 'wait':
      return {
        ...plain('wait', decision.reason),
        nextEligibleAt: decision.nextEligibleAt?.toISOString() ?? null,
        mailbox: sender,
        limits: decision.limits.map(toLimit),
      };
  }
}

function isStoppedFor({ decision }: LeadVerdict, reason: Reason): boolean {
  return decision.kind === 'stop' && decision.reason === reason;
}

function withMissing(explanation: Explanation, missing: readonly MissingValue[]): Explanation {
  return { ...explanation, message: explanation.message + saidOfMissing(missing), missing: missing.map(toMissing) };
}

/** For a lead that no mailbox of the campaign can write to; an ended lead stays ended. */
function toNoSender({ status, stopReason }: LeadRecord): Explanation {
  if (status === 'active' || status === 'paused') return plain('wait', 'no_sender');
  return plain('stop', stopReason ?? 'manual');
}

function plain(decision: Explanation['decision'], reason: Reason): Explanation {
  return { decision, reason, message: REASONS[reason], nextEligibleAt: null, mailbox: null, limits: [], missing: [] };
}

/** Orders verdicts by time: the mailbox that can send first provides the explanation. */
function getDecisionTime({ decision }: LeadVerdict): number {
  if (decision.kind !== 'wait') return 0;
  return decision.nextEligibleAt?.getTime() ?? Infinity;
}

function findInFlight({ sendId }: LeadRecord, sends: readonly SendRecord[]): LeadFacts['inFlight'] {
  if (sendId === null) return null;
  const state = sends.find(({ _id }) => _id.equals(sendId))?.state;
  return state === 'sending' || state === 'ambiguous' ? state : 'claimed';
}
