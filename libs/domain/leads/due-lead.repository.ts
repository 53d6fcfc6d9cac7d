import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type Types, type UpdateQuery } from 'mongoose';
import { getAdvance, type AdvancedLead, type LeadProgress } from './lead-progress';
import { isFinalLeadStatus, getStatusAfter } from './lead-status';
import { LeadRecord, type StopReason } from './schemas/lead.record';

/** The leads of one mailbox in a campaign, or (null) those that have no sender yet. */
export interface LeadRow {
  readonly workspaceId: Types.ObjectId;
  readonly campaignId: Types.ObjectId;
  readonly mailboxId: Types.ObjectId | null;
}

type Named = Pick<LeadRecord, '_id' | 'workspaceId'>;

type Taken = Pick<LeadRecord, '_id' | 'workspaceId' | 'dueAt' | 'mailboxId'>;

/**
 * Leads ordered by `dueAt`, as the sending engine reads and changes them. Each query costs the same whatever the number
 * of leads. The caller holds the mailbox lease, and runs a transaction where two records change together.
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

  /** The time at which the first active lead is due; null without one. */
  async nextDue(row: LeadRow): Promise<Date | null> {
    const found = await this.leads
      .findOne({ ...row, status: 'active', dueAt: { $gt: new Date(0) } }, { dueAt: 1 })
      .sort({ dueAt: 1, _id: 1 })
      .lean<Pick<LeadRecord, 'dueAt'>>();
    return found?.dueAt ?? null;
  }

  /**
   * Whether the campaign has leads to contact: active leads, or paused leads that resume automatically or wait for
   * verification.
   */
  async anyLeft(workspaceId: Types.ObjectId, campaignId: Types.ObjectId): Promise<boolean> {
    const of = { workspaceId, campaignId };
    if (await this.leads.exists({ ...of, status: 'active' })) return true;
    // Two partial indexes serve these queries; neither holds leads that a person has paused.
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

  /** Postpones the lead regardless of campaign settings. Without effect when the lead has changed since it was read. */
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

  /** Reserves the lead for one send. @returns false when the lead was stopped, paused or reserved since it was read */
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
   * Makes a lead due again whose email was not sent. A lead without sent emails loses its sender, unless `retainsSender`
   * is set.
   * @param dueAt ignored for a lead that was stopped in the meantime
   */
  async release(
    { _id, workspaceId }: Named,
    sendId: Types.ObjectId,
    dueAt: Date,
    { retainsSender }: { retainsSender: boolean },
  ): Promise<boolean> {
    const lead = await this.leads
      .findOne({ _id, workspaceId, sendId }, { status: 1, sentCount: 1 })
      .lean<Pick<LeadRecord, 'status' | 'sentCount'>>();
    if (!lead) return false;
    const goesOn = lead.status === 'active' || lead.status === 'paused';
    const isFree = lead.sentCount === 0 && !retainsSender;
    return this.#change(
      { _id, workspaceId, sendId, status: lead.status },
      { $set: { sendId: null, dueAt: goesOn ? dueAt : null, ...(isFree && { mailboxId: null }) } },
    );
  }

  /**
   * Advances the lead after its email was sent.
   * @returns the previous status, and whether the sequence is finished: an active or paused lead without a next step is
   *   completed
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
    const { update, finished } = getAdvance(lead.status, progress);
    const changed = await this.#change({ _id, workspaceId, sendId, status: lead.status }, update);
    return changed ? { from: lead.status, finished } : null;
  }

  /**
   * Advances past a step that was sent or failed before; the step is not sent again.
   * @returns whether the sequence is finished; null when the lead has changed since it was read
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
   * Ends the sequence of a lead whose email failed permanently.
   * @returns the statuses before and after; a lead that was stopped in the meantime keeps its status. null when the
   *   lead was deleted
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
    const to = isFinalLeadStatus(from) ? from : getStatusAfter(reason);
    const stop = isFinalLeadStatus(from) ? {} : { status: to, stopReason: reason, resumeAt: null };
    // A person who resumes a paused lead continues after the failed step.
    const dueAt = isFinalLeadStatus(to) ? null : at;
    await this.#change({ _id, workspaceId, sendId, status: from }, { $set: { sendId: null, dueAt, ...stop } });
    return { from, to };
  }

  /** Like `reserve` for each lead; false unless all were reserved. Joins the running transaction. */
  async reserveAll(
    claims: readonly { lead: Taken; sendId: Types.ObjectId; sender: Types.ObjectId }[],
  ): Promise<boolean> {
    const { matchedCount } = await this.leads.bulkWrite(
      claims.map(({ lead: { _id, workspaceId, dueAt, mailboxId }, sendId, sender }) => ({
        updateOne: {
          filter: { _id, workspaceId, status: 'active', sendId: null, dueAt, mailboxId },
          update: { $set: { sendId, dueAt: null, mailboxId: sender }, $unset: { postponement: 1 } },
        },
      })),
      { ordered: false },
    );
    return matchedCount === claims.length;
  }

  /**
   * Like `advance` for each lead, provided that all are still active; null unless all were advanced. Joins the running
   * transaction.
   */
  async advanceAll(
    sent: readonly { lead: Named; sendId: Types.ObjectId; progress: LeadProgress }[],
  ): Promise<AdvancedLead[] | null> {
    const steps = sent.map(({ progress }) => getAdvance('active', progress));
    const { matchedCount } = await this.leads.bulkWrite(
      sent.map(({ lead: { _id, workspaceId }, sendId }, at) => ({
        updateOne: { filter: { _id, workspaceId, sendId, status: 'active' }, update: steps[at]?.update ?? {} },
      })),
      { ordered: false },
    );
    return matchedCount === sent.length ? steps.map(({ finished }) => ({ from: 'active', finished })) : null;
  }

  /** The facts of the send guard about leads, in one query. */
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

/** Waiting is no change that users make or see: `updatedAt` stays. */
const QUIET = { timestamps: false };
