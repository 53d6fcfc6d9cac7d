import { type CrmType } from '@adapters/crm';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { rerunOnWriteConflict } from '@platform/database';
import { type Model, type Types } from 'mongoose';
import { CrmDuePushRecord } from './schemas/crm-due-push.record';

/** Events of a lead within this time cause one push. */
const DEBOUNCE_MS = 60_000;

export type NewPush = Pick<CrmDuePushRecord, 'workspaceId' | 'crmType' | 'leadId'>;

/** Leads to push because of their events. */
@Injectable()
export class CrmPushQueueRepository {
  constructor(
    @InjectModel(CrmDuePushRecord.name) private readonly pushes: Model<CrmDuePushRecord>,
    private readonly clock: ClockPort,
  ) {}

  /** Schedules pushes in a minute; one that waits already keeps its time. Joins the running transaction. */
  async plan(pushes: readonly NewPush[]): Promise<void> {
    if (pushes.length === 0) return;
    const missing = new Map(pushes.map((push) => [getPushKey(push), push]));
    const waiting = await this.pushes
      .find(
        {
          workspaceId: { $in: [...new Set(pushes.map(({ workspaceId }) => workspaceId.toHexString()))] },
          leadId: { $in: [...new Set(pushes.map(({ leadId }) => leadId.toHexString()))] },
        },
        { workspaceId: 1, crmType: 1, leadId: 1 },
      )
      .setOptions({ allWorkspaces: 'the worker relays the events of all workspaces' })
      .lean<NewPush[]>();
    for (const push of waiting) missing.delete(getPushKey(push));
    const dueAt = this.clock.in(DEBOUNCE_MS);
    const fresh = [...missing.values()].map(({ workspaceId, crmType, leadId }) => ({
      workspaceId,
      crmType,
      leadId,
      dueAt,
    }));
    if (fresh.length > 0) {
      await rerunOnWriteConflict(() =>
        this.pushes.insertMany(fresh, { lean: true, ordered: false, timestamps: false }),
      );
    }
  }

  /** Workspaces and CRMs with due pushes, longest due first. */
  async listDueConnections(most: number): Promise<{ workspaceId: Types.ObjectId; crmType: CrmType }[]> {
    const groups = await this.pushes
      .aggregate<{ _id: { workspaceId: Types.ObjectId; crmType: CrmType } }>([
        { $match: { dueAt: { $lte: this.clock.now() } } },
        { $group: { _id: { workspaceId: '$workspaceId', crmType: '$crmType' }, dueAt: { $min: '$dueAt' } } },
        { $sort: { dueAt: 1 } },
        { $limit: most },
      ])
      .option({ allWorkspaces: 'the worker starts the syncs of all workspaces' });
    return groups.map(({ _id }) => _id);
  }

  /** Due leads of a CRM, longest due first. */
  async listDueLeads(workspaceId: Types.ObjectId, crmType: CrmType, most: number): Promise<CrmDuePushRecord[]> {
    return this.pushes
      .find({ workspaceId, crmType, dueAt: { $lte: this.clock.now() } })
      .sort({ dueAt: 1 })
      .limit(most)
      .lean<CrmDuePushRecord[]>();
  }

  /** Postpones the due pushes of a CRM, so that they do not block others. */
  async postpone(workspaceId: Types.ObjectId, crmType: CrmType): Promise<void> {
    const due = { workspaceId, crmType, dueAt: { $lte: this.clock.now() } };
    await this.pushes.updateMany(due, { $set: { dueAt: this.clock.in(DEBOUNCE_MS) } }, { timestamps: false });
  }

  /** Joins the running transaction. @returns the number of pulls of them were still there */
  async removeTaken(workspaceId: Types.ObjectId, pushes: readonly CrmDuePushRecord[]): Promise<number> {
    const { deletedCount } = await this.pushes.deleteMany({ workspaceId, _id: { $in: pushes.map(({ _id }) => _id) } });
    return deletedCount;
  }

  /** Joins the running transaction. */
  async removeAll(workspaceId: string, crmType: CrmType): Promise<void> {
    await this.pushes.deleteMany({ workspaceId, crmType });
  }
}

function getPushKey({ workspaceId, crmType, leadId }: NewPush): string {
  return `${workspaceId.toHexString()}/${crmType}/${leadId.toHexString()}`;
}
