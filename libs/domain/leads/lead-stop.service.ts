import { systemScope } from '@domain/access';
import { EventsService, type NewEvent } from '@domain/events';
import { SendWithholdingRepository } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { parseId, TransactionService, writeConflict } from '@platform/database';
import { type Model, type Types } from 'mongoose';
import { LeadCampaignService } from './lead-campaign.service';
import { isFinal, statusAfter, stoppable, type StoppedStatus } from './lead-status';
import { getCountChanges } from './lead-tallies';
import { LeadRecord, type StopReason } from './schemas/lead.record';

/**
 * Which leads: those to which all that is given applies; of `emails` and `domains` together, those at one of the two. At
 * least one of them.
 */
export interface LeadsToStop {
  /** In normal form. */
  emails?: readonly string[];
  /** In normal form; each stands for its subdomains too. */
  domains?: readonly string[];
  leadIds?: readonly string[];
  campaignId?: string;
}

export interface LeadStop {
  reason: StopReason;
  /** Default: what the reason says. */
  status?: StoppedStatus;
  /** Paused leads: when they go on by themselves. */
  resumeAt?: Date | null;
}

type FinalStop = LeadStop & Required<Pick<LeadStop, 'status'>>;
type Stoppable = Pick<LeadRecord, '_id' | 'campaignId' | 'status' | 'email'>;

/** Leads that are stopped in one transaction. */
const CHUNK = 1_000;
const WITHHOLD_REASONS: Readonly<Partial<Record<StopReason, string>>> = {
  manual: 'The lead was paused',
  suppressed: 'Its address must not be written to',
};

/** The one place that stops leads, whatever the reason. */
@Injectable()
export class LeadStopService {
  constructor(
    @InjectModel(LeadRecord.name) private readonly leads: Model<LeadRecord>,
    private readonly campaigns: LeadCampaignService,
    private readonly withholding: SendWithholdingRepository,
    private readonly events: EventsService,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * Stops leads and returns when nothing more is given to a server for them: status, figures and event first, then what was
   * claimed is held back. Those that are stopped already stay as they are; what is learnt after the last email (a reply, a
   * bounce) still replaces a mere end. After a failure, repeat it. Not inside a transaction: there `write`, and `withhold`
   * after it.
   * @returns how many were stopped
   */
  async stop(workspaceId: string, which: LeadsToStop, how: LeadStop): Promise<number> {
    if (this.transactions.running) throw new Error('LeadStops.stop was called inside a transaction; see write');
    let stopped = 0;
    for (let chunk = CHUNK; chunk === CHUNK; stopped += chunk) {
      chunk = await this.write(workspaceId, which, how);
    }
    await this.withhold(workspaceId, which, how.reason);
    return stopped;
  }

  /** The part of `stop` that belongs into a transaction, for at most 1000 leads; joins the running one. */
  async write(workspaceId: string, which: LeadsToStop, how: LeadStop): Promise<number> {
    const filter = filterOf(workspaceId, which);
    if (filter === null) return 0;
    const status = how.status ?? statusAfter(how.reason);
    return this.transactions.run(async () => {
      const found = await this.leads
        .find({ ...filter, ...stoppable(how.reason, status) } as never, { campaignId: 1, status: 1, email: 1 })
        .limit(CHUNK)
        .lean<Stoppable[]>();
      if (found.length > 0) await this.#write(workspaceId, found, { ...how, status });
      return found.length;
    });
  }

  /** The part of `stop` that comes after the transaction and before anything is acknowledged. */
  async withhold(workspaceId: string, which: LeadsToStop, reason: StopReason): Promise<void> {
    const words = WITHHOLD_REASONS[reason] ?? `The lead was stopped: ${reason}`;
    const { leadIds, campaignId } = which;
    await this.withholding.withhold(
      workspaceId,
      {
        ...which,
        // As they are written in the database.
        ...(leadIds && { leadIds: leadIds.map((id) => id.toLowerCase()) }),
        ...(campaignId && { campaignId: campaignId.toLowerCase() }),
      },
      words,
    );
  }

  async #write(workspaceId: string, found: readonly Stoppable[], how: FinalStop): Promise<void> {
    const { reason, status, resumeAt = null } = how;
    const _id = { $in: found.map((lead) => lead._id) };
    const fields = { status, stopReason: reason, resumeAt, ...(isFinal(status) && { dueAt: null }) };
    const { matchedCount } = await this.leads.updateMany({ workspaceId, _id, ...stoppable(reason, status) } as never, {
      $set: fields,
    });
    // Somebody else changed one of them in between: counted as it was read, the figures would be wrong.
    if (matchedCount !== found.length) throw writeConflict('A lead');
    for (const { campaignId, changes } of getCountChanges(found, status)) {
      await this.campaigns.count({ workspaceId }, campaignId, changes);
    }
    if (isFinal(status)) {
      await this.events.recordAll(
        systemScope(workspaceId),
        found.map((lead) => completed(lead, reason, status)),
      );
    }
  }
}

/** Once for a lead, whatever is learnt about it later. */
function completed(
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

/** null when nobody can be meant. @throws Error when nothing says whom, which would be everybody */
function filterOf(workspaceId: string, which: LeadsToStop): Record<string, unknown> | null {
  const { emails, domains, leadIds, campaignId } = which;
  if (!emails && !domains && !leadIds && !campaignId) throw new Error('It was not said which leads to stop');
  const campaign = campaignId === undefined ? undefined : parseId(campaignId);
  const nowhere = (emails ?? domains) !== undefined && !emails?.length && !domains?.length;
  if (campaign === null || nowhere || leadIds?.length === 0) return null;
  const places = [...(emails ? [{ email: { $in: emails } }] : []), ...(domains ? [{ domains: { $in: domains } }] : [])];
  const [place] = places;
  return {
    workspaceId,
    ...(campaign && { campaignId: campaign }),
    ...(leadIds && { _id: { $in: idsOf(leadIds) } }),
    // Beside an `$or` of the reasons.
    ...(place && { $and: [places.length === 1 ? place : { $or: places }] }),
  };
}

function idsOf(texts: readonly string[]): Types.ObjectId[] {
  return texts.flatMap((text) => parseId(text) ?? []);
}
