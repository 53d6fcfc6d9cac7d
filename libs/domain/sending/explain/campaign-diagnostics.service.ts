import { type WorkspaceScope } from '@domain/access';
import {
  CampaignCountersService,
  CampaignRepository,
  ActiveCampaignsRepository,
  type LeadTally,
} from '@domain/campaigns';
import { SendReadRepository } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { newLeadsGate } from '../decide/campaign-gate';
import {
  type DiagnosticsResponse,
  type ReasonCountResponse,
  toDiagnostics,
  toReasonCount,
} from '../dto/diagnostics.dto';
import { getConstraint } from './constraint';
import { type LeadStatusCounts, LeadCensusesService, MOST_COUNTED } from './lead-censuses.service';
import { EligibilityEvaluatorService } from './eligibility-evaluator.service';

/** Says of a campaign how it stands: whom it waits for, from which mailboxes it can send, and what binds. */
@Injectable()
export class CampaignDiagnosticsService {
  constructor(
    private readonly campaigns: CampaignRepository,
    private readonly work: ActiveCampaignsRepository,
    private readonly counters: CampaignCountersService,
    private readonly censuses: LeadCensusesService,
    private readonly looks: EligibilityEvaluatorService,
    private readonly sends: SendReadRepository,
    private readonly clock: ClockPort,
  ) {}

  /** Costs the same whatever the number of leads: beyond 10 000 of a kind nobody counts on. @throws NOT_FOUND */
  async diagnose(workspace: WorkspaceScope, campaignId: string): Promise<DiagnosticsResponse> {
    const campaign = await this.campaigns.find(workspace, campaignId);
    const { _id, workspaceId } = campaign;
    const now = this.clock.now();
    const shares = await this.work.listShares(workspaceId, _id);
    const [sums, census, stops, mailboxes, lastHealthySendAt] = await Promise.all([
      this.counters.sum(workspaceId, [_id]),
      this.censuses.count(campaign, shares, now),
      this.censuses.stops(campaign),
      this.looks.at(campaign, shares, now),
      this.sends.lastAcceptedAt(workspaceId, _id),
    ]);
    const leads = sums.get(_id.toHexString())?.leads ?? NO_LEADS;
    const { reason, at } = getConstraint(
      {
        openings: mailboxes.map(({ opening }) => opening),
        newOpenings: mailboxes.map(({ facts, campaign: seen }) => newLeadsGate(now, seen, facts)),
        dueFollowUps: census.dueFollowUps > 0,
        dueNew: census.dueNew > 0,
        inFlight: census.inFlight > 0,
        noSender: census.noSender > 0,
        isVerifying: stops.has('verifying'),
        nextDue: census.nextDue,
        nextHeldBy: census.nextHeldBy,
      },
      now,
    );
    return toDiagnostics(campaign, {
      leads,
      mailboxes,
      lastHealthySendAt,
      constraint: reason,
      nextEligibleAt: at,
      waiting: waitingOf(census),
      stopped: [...stops].map(([stop, count]) => toReasonCount(stop, count, isPartial(leads))),
    });
  }
}

const NO_LEADS: Record<LeadTally, number> = { total: 0, active: 0, paused: 0, completed: 0, bounced: 0, removed: 0 };

function waitingOf({ dueNew, dueFollowUps, later, inFlight, noSender }: LeadStatusCounts): ReasonCountResponse[] {
  const due = dueNew + dueFollowUps;
  return [
    toReasonCount('due', due, Math.max(dueNew, dueFollowUps) >= MOST_COUNTED),
    toReasonCount('step_delay', later, later >= MOST_COUNTED),
    toReasonCount('in_flight', inFlight, inFlight >= MOST_COUNTED),
    toReasonCount('no_sender', noSender, noSender >= MOST_COUNTED),
  ].filter(({ count }) => count > 0);
}

/** Whether there are more stopped leads of a status than were counted. */
function isPartial({ paused, completed, bounced, removed }: Record<LeadTally, number>): boolean {
  return Math.max(paused, completed, bounced, removed) > MOST_COUNTED;
}
