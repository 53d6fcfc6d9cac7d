import { EventRecord, type EventType } from '@domain/events';
import { type WorkspaceScope } from '@domain/access';
import { LeadRecord } from '@domain/leads';
import { type Model, Types } from 'mongoose';
import { type FakeClock } from '../../../testing';
import { CrmConnectionRecord } from '../connections/schemas/crm-connection.record';
import { CrmSyncJobRecord } from '../jobs/schemas/crm-sync-job.record';
import { CrmSyncResultRecord } from '../jobs/schemas/crm-sync-result.record';
import { CrmLinkRecord } from '../links/schemas/crm-link.record';
import { CrmWorkPartitionRecord } from '../work-partitions/schemas/crm-work-partition.record';

/** The parts of the fixture that a scenario uses. */
export interface SyncServices {
  readonly clock: FakeClock;
  get<T>(service: abstract new (...args: never[]) => T): T;
  model<T>(record: { name: string }): Model<T>;
}

/** The stored records of a workspace's syncs. */
export class SyncRecords {
  constructor(
    protected readonly fixture: SyncServices,
    readonly workspace: WorkspaceScope,
    readonly campaignId: string,
  ) {}

  partition(): Promise<CrmWorkPartitionRecord> {
    return this.fixture
      .model<CrmWorkPartitionRecord>(CrmWorkPartitionRecord)
      .findOne(this.own())
      .orFail()
      .lean<CrmWorkPartitionRecord>();
  }

  async results(id: string): Promise<string[]> {
    const found = await this.fixture
      .model<CrmSyncResultRecord>(CrmSyncResultRecord)
      .find({ ...this.own(), jobId: new Types.ObjectId(id) })
      .sort({ _id: 1 })
      .lean<CrmSyncResultRecord[]>();
    return found.map(({ email, externalId, result, reason }) => [email || externalId, result, reason].join(' ').trim());
  }

  leads(): Promise<LeadRecord[]> {
    return this.fixture.model<LeadRecord>(LeadRecord).find(this.own()).sort({ email: 1 }).lean<LeadRecord[]>();
  }

  links(): Promise<CrmLinkRecord[]> {
    return this.fixture.model<CrmLinkRecord>(CrmLinkRecord).find(this.own()).sort({ email: 1 }).lean<CrmLinkRecord[]>();
  }

  connection(): Promise<CrmConnectionRecord> {
    return this.fixture
      .model<CrmConnectionRecord>(CrmConnectionRecord)
      .findOne(this.own())
      .orFail()
      .lean<CrmConnectionRecord>();
  }

  async events(type: EventType): Promise<EventRecord[]> {
    return this.fixture
      .model<EventRecord>(EventRecord)
      .find({ ...this.own(), type })
      .lean<EventRecord[]>();
  }

  /** Returns violated invariants of the sync figures. */
  async violations(): Promise<string[]> {
    const jobs = await this.fixture
      .model<CrmSyncJobRecord>(CrmSyncJobRecord)
      .find(this.own())
      .lean<CrmSyncJobRecord[]>();
    const wrong: string[] = [];
    for (const { _id, counts, processedRecords } of jobs) {
      const sum = Object.values(counts).reduce((one, other) => one + other, 0);
      const records = await this.fixture
        .model<CrmSyncResultRecord>(CrmSyncResultRecord)
        .countDocuments({ ...this.own(), jobId: _id });
      if (sum !== processedRecords || records !== sum)
        wrong.push(`${String(_id)}: ${processedRecords}, ${sum}, ${records}`);
    }
    return wrong;
  }

  protected own(): { workspaceId: string } {
    return { workspaceId: this.workspace.workspaceId };
  }
}
