import { EventRecord } from '@domain/events';
import { type Model, type Types } from 'mongoose';
import { CrmAutomationRecord } from '../../automation/schemas/crm-automation.record';
import { CrmSyncJobRecord } from '../../jobs/schemas/crm-sync-job.record';
import { CrmActivityRecord } from '../schemas/crm-activity.record';

/** The stored records of a workspace's activities. */
export abstract class ActivityRecords {
  abstract workspaceId: Types.ObjectId;

  abstract model<T>(record: { name: string }): Model<T>;

  /** Created sync jobs, oldest first. */
  async jobs(): Promise<CrmSyncJobRecord[]> {
    return this.model<CrmSyncJobRecord>(CrmSyncJobRecord)
      .find({ workspaceId: this.workspaceId })
      .sort({ createdAt: 1 })
      .lean<CrmSyncJobRecord[]>();
  }

  automation(): Promise<CrmAutomationRecord | null> {
    return this.model<CrmAutomationRecord>(CrmAutomationRecord)
      .findOne({ workspaceId: this.workspaceId, crmType: 'hubspot' })
      .lean<CrmAutomationRecord>();
  }

  /** In the order of their events. */
  async activities(): Promise<CrmActivityRecord[]> {
    return this.model<CrmActivityRecord>(CrmActivityRecord)
      .find({ workspaceId: this.workspaceId })
      .sort({ at: 1 })
      .lean<CrmActivityRecord[]>();
  }

  async states(): Promise<string[]> {
    return (await this.activities()).map(({ state }) => state);
  }

  events(): Model<EventRecord> {
    return this.model(EventRecord);
  }
}
