import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type Types, type UpdateQuery } from 'mongoose';
import { advanced, type AdvancedLead, type LeadProgress } from './lead-progress';
import { isFinal, statusAfter } from './lead-status';
import { LeadRecord, type StopReason } from './schemas/lead.record';

/** Names a campaign, and whose leads of it: a mailbox's own, or (null) those that have no sender yet. */
export interface LeadRow {
  readonly workspaceId: Types.ObjectId;
  readonly campaignId: Types.ObjectId;
  readonly mailboxId: Types.ObjectId | null;
}

type Named = Pick<LeadRecord, '_id' | 'workspaceId'>;

type Taken = Pick<LeadRecord, '_id' | 'workspaceId' | 'dueAt' | 'mailboxId'>;

/**
 * The leads as the engine sees them: a row in which each stands at its `dueAt`. All queries cost the same whatever the
 * number of leads. The caller holds the turn of the mailbox, and has a transaction where two records change together.
 */
@Injectable()
export class DueLeadRepository {
  constructor(@InjectModel(LeadRecord.name) private readonly leads: Model<LeadRecord>) {}

  /** Active leads that are due, by (dueAt, id). */
  async due(row: LeadRow, now: Date, limit: number): Promise<LeadRecord[]> {
    return this.leads
      .find({ ...row, status: 'active', dueAt: { $lte: now } })
      .sort({ dueAt: 1, _id: 1 })
      .limit(limit)
      .lean();
  }

  /** When the first of them is due; null when none is. */
  async nextDue(row: LeadRow): Promise<Date | null> {
    const found = await this.leads
      .findOne({ ...row, status: 'active', dueAt: { $gt: new Date(0) } }, { dueAt: 1 })
      .sort({ dueAt: 1, _id: 1 })
      .lean<Pick<LeadRecord, 'dueAt'>>();
    return found?.dueAt ?? null;
  }

  /** Whether the campaign has anybody left to write to: active leads, or paused ones that go on by themselves or may when they are verified. */
  async anyLeft(workspaceId: Types.ObjectId, campaignId: Types.ObjectId): Promise<boolean> {
    const of = { workspaceId, campaignId };
    if (await this.leads.exists({ ...of, status: 'active' })) return true;
    // As their indexes have it, which hold none that a person has paused.
    if (await this.leads.exists({ ...of, status: 'paused', resumeAt: { $gt: new Date(0) } })) return true;
    return this.anyVerifying(workspaceId, campaignId);
  }

  /** Whether leads of the campaign wait for the verification of their addresses. */
  async anyVerifying(workspaceId: Types.ObjectId, campaignId: Types.ObjectId): Promise<boolean> {
    const verifying = {
      workspaceId,
      campaignId,
      status: 'paused' as const,
      'verification.nextAt': { $gt: new Date(0) },
    };
    return (await this.leads.exists(verifying)) !== null;
  }

  async find(workspaceId: Types.ObjectId, leadId: Types.ObjectId): Promise<LeadRecord | null> {
    return this.leads.findOne({ _id: leadId, workspaceId }).lean();
  }

  /** Not now but later, whatever the settings of the campaign. Without effect when the lead was changed since it was read. */
  async postpone(
    { _id, workspaceId, dueAt }: Pick<LeadRecord, '_id' | 'workspaceId' | 'dueAt'>,
    until: Date,
  ): Promise<void> {
    await this.leads.updateOne(
      { _id, workspaceId, status: 'active', dueAt },
      { $set: { dueAt: until }, $unset: { postponement: 1 } },
      QUIET,
    );
  }

  /**
   * An email to the lead is on its way: nobody else takes it.
   * @returns false when it was stopped, paused or taken since it was read
   */
  async reserve(
    { _id, workspaceId, dueAt, mailboxId }: Pick<LeadRecord, '_id' | 'workspaceId' | 'dueAt' | 'mailboxId'>,
    { sendId, sender }: { sendId: Types.ObjectId; sender: Types.ObjectId },
  ): Promise<boolean> {
    return this.#change(
      { _id, workspaceId, status: 'active', sendId: null, dueAt, mailboxId },
      { $set: { sendId, dueAt: null, mailboxId: sender }, $unset: { postponement: 1 } },
    );
  }

  /**
   * It was not sent: the lead is due again. One that nobody has written to is anybody's again.
   * @param dueAt when; a lead that was stopped in the meantime keeps its end
   */
  async release(
    { _id, workspaceId }: Named,
    sendId: Types.ObjectId,
    dueAt: Date,
    { keepsSender }: { keepsSender: boolean },
  ): Promise<boolean> {
    const lead = await this.leads
      .findOne({ _id, workspaceId, sendId }, { status: 1, sentCount: 1 })
      .lean<Pick<LeadRecord, 'status' | 'sentCount'>>();
    if (!lead) return false;
    const goesOn = lead.status === 'active' || lead.status === 'paused';
    const isFree = lead.sentCount === 0 && !keepsSender;
    return this.#change(
      { _id, workspaceId, sendId, status: lead.status },
      { $set: { sendId: null, dueAt: goesOn ? dueAt : null, ...(isFree && { mailboxId: null }) } },
    );
  }

  /**
   * It was sent.
   * @returns whether the lead has just been finished by it: an active or paused lead without a next step is completed
   */
  async advance(
    { _id, workspaceId }: Named,
    sendId: Types.ObjectId,
    progress: LeadProgress,
  ): Promise<AdvancedLead | null> {
    const lead = await this.leads
      .findOne({ _id, workspaceId, sendId }, { status: 1 })
      .lean<Pick<LeadRecord, 'status'>>();
    if (!lead) return null;
    const { update, finished } = advanced(lead.status, progress);
    const changed = await this.#change({ _id, workspaceId, sendId, status: lead.status }, update);
    return changed ? { from: lead.status, finished } : null;
  }

  /**
   * Goes on behind a step that was sent, or failed, before: it is not sent again.
   * @returns whether the lead is finished by it; null when it was changed in the meantime
   */
  async skipStep(
    { _id, workspaceId, dueAt, stepId }: Pick<LeadRecord, '_id' | 'workspaceId' | 'dueAt' | 'stepId'>,
    next: LeadProgress['next'],
  ): Promise<AdvancedLead | null> {
    const ahead = next ?? { stepId: null, dueAt: null };
    const end = next ? {} : { status: 'completed', stopReason: 'finished' };
    const changed = await this.#change(
      { _id, workspaceId, status: 'active', sendId: null, dueAt, stepId },
      { $set: { ...ahead, ...end } },
    );
    return changed ? { from: 'active', finished: next === null } : null;
  }

  /**
   * Its email was refused for good.
   * @returns the statuses before and after; a lead that was stopped in the meantime keeps its end. null when it is gone
   */
  async complete(
    { _id, workspaceId }: Named,
    sendId: Types.ObjectId,
    { reason, at }: { reason: StopReason; at: Date },
  ): Promise<EndedLead | null> {
    const lead = await this.leads
      .findOne({ _id, workspaceId, sendId }, { status: 1 })
      .lean<Pick<LeadRecord, 'status'>>();
    if (!lead) return null;
    const { status: from } = lead;
    const to = isFinal(from) ? from : statusAfter(reason);
    const stop = isFinal(from) ? {} : { status: to, stopReason: reason, resumeAt: null };
    // Whoever resumes a paused lead lets it go on behind the step that failed.
    const dueAt = isFinal(to) ? null : at;
    await this.#change({ _id, workspaceId, sendId, status: from }, { $set: { sendId: null, dueAt, ...stop } });
    return { from, to };
  }

  /** As `DueLeadRepository.take` for each; false unless all were taken. Joins the running transaction. */
  async reserveAll(
    wanted: readonly { lead: Taken; sendId: Types.ObjectId; sender: Types.ObjectId }[],
  ): Promise<boolean> {
    const { matchedCount } = await this.leads.bulkWrite(
      wanted.map(({ lead: { _id, workspaceId, dueAt, mailboxId }, sendId, sender }) => ({
        updateOne: {
          filter: { _id, workspaceId, status: 'active', sendId: null, dueAt, mailboxId },
          update: { $set: { sendId, dueAt: null, mailboxId: sender }, $unset: { postponement: 1 } },
        },
      })),
      { ordered: false },
    );
    return matchedCount === wanted.length;
  }

  /**
   * As `DueLeadRepository.advance` for each, as long as all are active still, as they were when the wire was given; null unless all
   * went on. Joins the running transaction.
   */
  async advanceAll(
    sent: readonly { lead: Named; sendId: Types.ObjectId; progress: LeadProgress }[],
  ): Promise<AdvancedLead[] | null> {
    const steps = sent.map(({ progress }) => advanced('active', progress));
    const { matchedCount } = await this.leads.bulkWrite(
      sent.map(({ lead: { _id, workspaceId }, sendId }, at) => ({
        updateOne: { filter: { _id, workspaceId, sendId, status: 'active' }, update: steps[at]?.update ?? {} },
      })),
      { ordered: false },
    );
    return matchedCount === sent.length ? steps.map(({ finished }) => ({ from: 'active', finished })) : null;
  }

  /** All that the wire guard asks about leads, in one query. */
  async readAll(
    workspaceId: Types.ObjectId,
    leadIds: readonly Types.ObjectId[],
  ): Promise<Map<string, Pick<LeadRecord, 'status' | 'sendId'>>> {
    const found = await this.leads
      .find({ workspaceId, _id: { $in: leadIds } }, { status: 1, sendId: 1 })
      .lean<Pick<LeadRecord, '_id' | 'status' | 'sendId'>[]>();
    return new Map(found.map((lead) => [lead._id.toHexString(), lead]));
  }

  async #change(filter: object, update: UpdateQuery<LeadRecord>): Promise<boolean> {
    const { matchedCount } = await this.leads.updateOne(filter as never, update);
    return matchedCount === 1;
  }
}

export interface EndedLead {
  readonly from: LeadRecord['status'];
  readonly to: LeadRecord['status'];
}

/** That a lead waits is not a change that its users made or see. */
const QUIET = { timestamps: false };
