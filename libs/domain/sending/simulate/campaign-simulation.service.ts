import { setImmediate } from 'node:timers/promises';
import { type WorkspaceScope } from '@domain/access';
import { type CampaignRecord, CampaignRepository } from '@domain/campaigns';
import { Mutex } from 'async-mutex';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { conflict, invalidField } from '@platform/errors';
import { DEFAULT_DAYS, type SimulateRequest, type SimulationResponse, toSimulation } from '../dto/simulation.dto';
import { REASONS } from '../explain/reasons';
import { simulate } from './simulation';
import { type SimulationFacts, SimulationFactsService } from './simulation-facts.service';

const DAY_MS = 86_400_000;
/** Tolerated delay of a client's clock. */
const LATE_MS = 5 * 60_000;
const MOST_AHEAD_MS = 366 * DAY_MS;
/** Some ten seconds of work. */
const MAX_PLANS = 1_000_000;

/** Forecasts what a campaign would send; changes nothing. */
@Injectable()
export class CampaignSimulationService {
  /** Simulations run one at a time: two at once would take twice as long and slow down other requests. */
  readonly #mutex = new Mutex();

  constructor(
    private readonly campaigns: CampaignRepository,
    private readonly facts: SimulationFactsService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Returns the sends of the campaign per day and mailbox, if it started at the given time. An active campaign
   * continues from now.
   * @throws NOT_FOUND, CONFLICT for an archived campaign and for one without sequence or mailboxes, VALIDATION_ERROR,
   * LIMIT_EXCEEDED for more than 100 000 pending leads
   */
  async simulate(
    workspace: WorkspaceScope,
    campaignId: string,
    { startAt, days = DEFAULT_DAYS }: SimulateRequest,
  ): Promise<SimulationResponse> {
    const campaign = await this.campaigns.find(workspace, campaignId);
    requireSimulable(campaign);
    const now = this.clock.now();
    const requested = getStart(startAt, now);
    const startsAt = campaign.status === 'active' ? now : requested;
    return this.#mutex.runExclusive(async () => {
      const facts = await this.facts.read(campaign, { now, startsAt });
      return this.#run(campaign, facts, { now, startsAt, days });
    });
  }

  async #run(
    campaign: CampaignRecord,
    { assumptions, ...facts }: SimulationFacts,
    { now, startsAt, days }: { now: Date; startsAt: Date; days: number },
  ): Promise<SimulationResponse> {
    const end = new Date(startsAt.getTime() + days * DAY_MS);
    const campaignId = campaign._id.toHexString();
    // Other requests run every few milliseconds.
    const pause = () => setImmediate();
    const result = await simulate({ ...facts, start: now, end, campaignId, maxPlans: MAX_PLANS }, { pause });
    const allAssumptions = [
      campaign.status === 'active'
        ? 'The campaign is active: it continues from now.'
        : `The campaign is started at ${startsAt.toISOString()}.`,
      ...assumptions,
      ...(result.cutAt
        ? [`The simulation reached its limit of work: nothing is known from ${result.cutAt.toISOString()} on.`]
        : []),
    ];
    return toSimulation(result, { startAt: startsAt, assumptions: allAssumptions, reasons: REASONS });
  }
}

function requireSimulable({ status, sequenceVersion, mailboxes }: CampaignRecord): void {
  if (status === 'archived') throw conflict('This campaign is archived and sends nothing');
  if (sequenceVersion === 0) throw conflict('This campaign has no sequence to send yet; publish one first');
  if (mailboxes.length === 0) throw conflict('This campaign has no mailbox to send from; add one first');
}

function getStart(startAt: string | undefined, now: Date): Date {
  const requested = startAt === undefined ? now : new Date(startAt);
  const ahead = requested.getTime() - now.getTime();
  if (ahead < -LATE_MS) throw invalidField('startAt', 'startAt must not be in the past');
  if (ahead > MOST_AHEAD_MS) throw invalidField('startAt', 'startAt must be within a year');
  return ahead < 0 ? now : requested;
}
