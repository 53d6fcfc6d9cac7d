import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type Types } from 'mongoose';
import { advanced, type AdvancedLead, type LeadProgress } from './lead.progress';
import { LeadRecord } from './schemas/lead.record';

type Taken = Pick<LeadRecord, '_id' | 'workspaceId' | 'dueAt' | 'mailboxId'>;
type Named = Pick<LeadRecord, '_id' | 'workspaceId'>;

/** The same step of many leads of one workspace at once (`DueLeads` has it for one). All or nothing: see the callers. */
@Injectable()
export class LeadGroups {
  constructor(@InjectModel(LeadRecord.name) private readonly leads: Model<LeadRecord>) {}

  /** As `DueLeads.take` for each; false unless all were taken. Joins the running transaction. */
  async takeAll(wanted: readonly { lead: Taken; sendId: Types.ObjectId; sender: Types.ObjectId }[]): Promise<boolean> {
    const { matchedCount } = await this.leads.bulkWrite(
      wanted.map(({ lead: { _id, workspaceId, dueAt, mailboxId }, sendId, sender }) => ({
        updateOne: {
          filter: { _id, workspaceId, status: 'active', sendId: null, dueAt, mailboxId },
          update: { $set: { sendId, dueAt: null, mailboxId: sender } },
        },
      })),
      { ordered: false },
    );
    return matchedCount === wanted.length;
  }

  /** As `DueLeads.advance` for each; null unless all went on. Joins the running transaction. */
  async advanceAll(
    sent: readonly { lead: Named; sendId: Types.ObjectId; progress: LeadProgress }[],
  ): Promise<AdvancedLead[] | null> {
    const statuses = await this.#statuses(sent.map(({ lead }) => lead));
    const steps = sent.flatMap(({ lead: { _id, workspaceId }, sendId, progress }) => {
      const status = statuses.get(_id.toHexString());
      return status === undefined ? [] : [{ _id, workspaceId, sendId, status, ...advanced(status, progress) }];
    });
    if (steps.length < sent.length) return null;
    const { matchedCount } = await this.leads.bulkWrite(
      steps.map(({ _id, workspaceId, sendId, status, update }) => ({
        updateOne: { filter: { _id, workspaceId, sendId, status }, update },
      })),
      { ordered: false },
    );
    return matchedCount === sent.length ? steps.map(({ status, finished }) => ({ from: status, finished })) : null;
  }

  /** All that the wire guard asks about leads, in one query. */
  async look(
    workspaceId: Types.ObjectId,
    leadIds: readonly Types.ObjectId[],
  ): Promise<Map<string, Pick<LeadRecord, 'status' | 'sendId'>>> {
    const found = await this.leads
      .find({ workspaceId, _id: { $in: leadIds } }, { status: 1, sendId: 1 })
      .lean<Pick<LeadRecord, '_id' | 'status' | 'sendId'>[]>();
    return new Map(found.map((lead) => [lead._id.toHexString(), lead]));
  }

  async #statuses(leads: readonly Named[]): Promise<Map<string, LeadRecord['status']>> {
    const [first] = leads;
    if (!first) return new Map();
    const found = await this.look(
      first.workspaceId,
      leads.map(({ _id }) => _id),
    );
    return new Map([...found].map(([id, { status }]) => [id, status]));
  }
}
