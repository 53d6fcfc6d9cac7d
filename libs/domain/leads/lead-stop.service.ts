import { systemScope } from '@domain/access';
import { CampaignCountersService } from '@domain/campaigns';
import { EventsService, type NewEvent } from '@domain/events';
import { SendRepository } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { parseId, TransactionService, writeConflict } from '@platform/database';
import { type Model, type Types } from 'mongoose';
import { isFinalLeadStatus, getStatusAfter, createStoppableFilter, type StoppedStatus } from './lead-status';
import { getCountChanges } from './lead-tallies';
import { LeadRecord, type StopReason } from './schemas/lead.record';

/**
 * Selects leads: all given conditions must hold; of `emails` and `domains`, one suffices. At least one condition is
 * required.
 */
export interface LeadsToStop {
  /** In normal form. */
  emails?: readonly string[];
  /** In normal form; each includes its subdomains. */
  domains?: readonly string[];
  leadIds?: readonly string[];
  campaignId?: string;
}

export interface LeadStop {
  reason: StopReason;
  /** Default: the status of the reason. */
  status?: StoppedStatus;
  /** The time at which a paused lead resumes automatically. */
  resumeAt?: Date | null;
}

type FinalStop = LeadStop & Required<Pick<LeadStop, 'status'>>;
type Stoppable = Pick<LeadRecord, '_id' | 'campaignId' | 'status' | 'email'>;

/** Maximum number of leads that one transaction stops. */
const CHUNK = 1_000;
const WITHHOLD_REASONS: Readonly<Partial<Record<StopReason, string>>> = {
  manual: 'The lead was paused',
  suppressed: 'Its address is suppressed',
};

/** Stops leads for any reason. */
@Injectable()
export class LeadStopService {
  constructor(
    @InjectModel(LeadRecord.name) private readonly leads: Model<LeadRecord>,
    private readonly counters: CampaignCountersService,
    private readonly sends: SendRepository,
    private readonly events: EventsService,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * Stops leads: first status, counters and event, then withholds claimed emails. When it returns, no more email is
   * submitted for them. Stopped leads stay as they are, but a later finding (a reply, a bounce) replaces a mere end of
   * the sequence. Repeat it after a failure. In a transaction, use `write`, and `withhold` after it.
   * @returns the number of stopped leads
   */
  async stop(workspaceId: string, which: LeadsToStop, how: LeadStop): Promise<number> {
    if (this.transactions.running) throw new Error('LeadStopService.stop was called in a transaction; use write');
    let stopped = 0;
    for (let chunk = CHUNK; chunk === CHUNK; stopped += chunk) {
      chunk = await this.write(workspaceId, which, how);
    }
    await this.withhold(workspaceId, which, how.reason);
    return stopped;
  }

  /** The transactional part of `stop`, for at most 1000 leads; joins the running transaction. */
  async write(workspaceId: string, which: LeadsToStop, how: LeadStop): Promise<number> {
    const filter = toFilter(workspaceId, which);
    if (filter === null) return 0;
    const status = how.status ?? getStatusAfter(how.reason);
    return this.transactions.run(async () => {
      const found = await this.leads
        .find({ ...filter, ...createStoppableFilter(how.reason, status) } as never, {
          campaignId: 1,
          status: 1,
          email: 1,
        })
        .limit(CHUNK)
        .lean<Stoppable[]>();
      if (found.length > 0) await this.#write(workspaceId, found, { ...how, status });
      return found.length;
    });
  }

  /** The part of `stop` after the transaction, to be called before the stop is acknowledged. */
  async withhold(workspaceId: string, which: LeadsToStop, reason: StopReason): Promise<void> {
    const message = WITHHOLD_REASONS[reason] ?? `The lead was stopped: ${reason}`;
    const { leadIds, campaignId } = which;
    await this.sends.withhold(
      workspaceId,
      {
        ...which,
        // In lower case, as stored.
        ...(leadIds && { leadIds: leadIds.map((id) => id.toLowerCase()) }),
        ...(campaignId && { campaignId: campaignId.toLowerCase() }),
      },
      message,
    );
  }

  async #write(workspaceId: string, found: readonly Stoppable[], how: FinalStop): Promise<void> {
    const { reason, status, resumeAt = null } = how;
    const _id = { $in: found.map((lead) => lead._id) };
    const fields = { status, stopReason: reason, resumeAt, ...(isFinalLeadStatus(status) && { dueAt: null }) };
    const { matchedCount } = await this.leads.updateMany(
      { workspaceId, _id, ...createStoppableFilter(reason, status) } as never,
      {
        $set: fields,
      },
    );
    // A lead has changed since it was read: with its old status the counters would be wrong.
    if (matchedCount !== found.length) throw writeConflict('A lead');
    for (const { campaignId, changes } of getCountChanges(found, status)) {
      await this.counters.count(workspaceId, campaignId, null, { leads: changes });
    }
    if (isFinalLeadStatus(status)) {
      await this.events.recordAll(
        systemScope(workspaceId),
        found.map((lead) => createCompletedEvent(lead, reason, status)),
      );
    }
  }
}

/** Recorded once per lead, whatever becomes known later. */
function createCompletedEvent(
  { _id, campaignId, email }: Stoppable,
  reason: StopReason,
  status: Exclude<StoppedStatus, 'paused'>,
): NewEvent {
  const leadId = _id.toHexString();
  return {
    type: 'lead.completed',
    dedupeKey: `lead.completed:${leadId}`,
    about: { campaignId: campaignId.toHexString(), leadId },
    data: { email, status, reason },
  };
}

/** null when no lead can match. @throws Error without any condition, which would match every lead */
function toFilter(workspaceId: string, which: LeadsToStop): Record<string, unknown> | null {
  const { emails, domains, leadIds, campaignId } = which;
  if (!emails && !domains && !leadIds && !campaignId) throw new Error('LeadStopService needs at least one condition');
  const campaign = campaignId === undefined ? undefined : parseId(campaignId);
  const nowhere = (emails ?? domains) !== undefined && !emails?.length && !domains?.length;
  if (campaign === null || nowhere || leadIds?.length === 0) return null;
  const places = [...(emails ? [{ email: { $in: emails } }] : []), ...(domains ? [{ domains: { $in: domains } }] : [])];
  const [place] = places;
  return {
    workspaceId,
    ...(campaign && { campaignId: campaign }),
    ...(leadIds && { _id: { $in: parseIds(leadIds) } }),
    // Combines with the `$or` of the reasons.
    ...(place && { $and: [places.length === 1 ? place : { $or: places }] }),
  };
}

function parseIds(texts: readonly string[]): Types.ObjectId[] {
  return texts.flatMap((text) => parseId(text) ?? []);
}
