import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type Types } from 'mongoose';
import { advanced, type AdvancedLead, type LeadProgress } from './lead-progress';
import { LeadRecord } from './schemas/lead.record';

type Taken = Pick<LeadRecord, '_id' | 'workspaceId' | 'dueAt' | 'mailboxId'>;
type Named = Pick<LeadRecord, '_id' | 'workspaceId'>;

/** The same step of many leads of one workspace at once (`DueLeadRepository` has it for one). All or nothing: see the callers. */
@Injectable()
export class LeadGroupsRepository {
  constructor(@InjectModel(LeadRecord.name) private readonly leads: Model<LeadRecord>) {}

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
}
