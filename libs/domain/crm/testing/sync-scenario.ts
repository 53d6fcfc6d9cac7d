import { LeadInsertionService, LeadRecord, type NewLead } from '@domain/leads';
import { SecretBoxService } from '@platform/secrets';
import { Types } from 'mongoose';
import { type FakeCrm } from '../../../adapters/crm/testing';
import { CrmConnectionRepository } from '../connections/crm-connection.repository';
import { connectionSecretOwner } from '../connections/crm-secrets';
import { CrmConnectionRecord, type StoredRule } from '../connections/schemas/crm-connection.record';
import { CrmSyncJobsService, type SyncInput } from '../jobs/crm-sync-jobs.service';
import { type CrmSyncJobDetailsResponse, type CrmSyncJobResponse } from '../jobs/dto/crm-sync-job.dto';
import { CrmWorkerService } from '../work-partitions/crm-worker.service';
import { emptiedCrms } from './emptied-crms';
import { SyncRecords } from './sync-records';

const FOREVER = new AbortController().signal;

/** A workspace with a campaign and the people of its HubSpot account. */
export class SyncScenario extends SyncRecords {
  get crm(): FakeCrm {
    return emptiedCrms.driver('hubspot');
  }

  async connect(mapping: readonly StoredRule[], others: Partial<CrmConnectionRecord> = {}): Promise<void> {
    const { workspaceId } = this.workspace;
    const _id = new Types.ObjectId();
    const at = this.fixture.clock.now();
    const apiKey = this.fixture.get(SecretBoxService).seal('key', connectionSecretOwner(workspaceId, _id, 'apiKey'));
    await this.fixture.model<CrmConnectionRecord>(CrmConnectionRecord).create({
      _id,
      workspaceId: new Types.ObjectId(workspaceId),
      type: 'hubspot',
      authMethod: 'key',
      enabled: true,
      status: 'connected',
      accountId: 'account',
      baseUrl: 'https://crm.example',
      apiKey,
      tokenVersion: 0,
      revision: 0,
      mapping: [...mapping],
      ownerPolicy: 'keep',
      connectedAt: at,
      checkedAt: at,
      totalPulled: 0,
      totalPushed: 0,
      ...others,
    });
  }

  sync(wanted: Partial<SyncInput> & Pick<SyncInput, 'jobType'>): Promise<CrmSyncJobResponse> {
    const landing = wanted.jobType === 'pull' ? { campaignId: this.campaignId } : {};
    return this.fixture
      .get(CrmSyncJobsService)
      .create(this.workspace, { crmType: 'hubspot', trigger: 'manual', ...landing, ...wanted });
  }

  /** Runs the due work of the partition once. */
  async runPartition(signal = FOREVER): Promise<void> {
    const { workspaceId } = this.workspace;
    const partition = await this.partition();
    await this.fixture.get(CrmWorkerService).run({ workspaceId, partitionId: partition._id.toHexString() }, signal);
  }

  /** Starts a sync, runs it to its end and returns the finished job. */
  async done(wanted: Partial<SyncInput> & Pick<SyncInput, 'jobType'>): Promise<CrmSyncJobDetailsResponse> {
    // A time step separates consecutive syncs of the same record.
    this.fixture.clock.advance(1_000);
    const { id } = await this.sync(wanted);
    for (let runs = 0; runs < 10; runs += 1) {
      await this.runPartition();
      const job = await this.read(id);
      if (job.completedAt !== null) return job;
      this.fixture.clock.advance(130_000);
    }
    throw new Error(`The sync does not end: ${JSON.stringify(await this.read(id))}`);
  }

  read(id: string): Promise<CrmSyncJobDetailsResponse> {
    return this.fixture.get(CrmSyncJobsService).details(this.workspace, id);
  }

  add(...rows: NewLead[]): Promise<unknown> {
    return this.fixture.get(LeadInsertionService).insert(this.workspace, this.campaignId, rows);
  }

  async change(email: string, fields: Partial<LeadRecord>): Promise<void> {
    this.fixture.clock.advance(1_000);
    await this.fixture.model<LeadRecord>(LeadRecord).updateMany({ ...this.own(), email }, { $set: fields });
  }

  get connections(): CrmConnectionRepository {
    return this.fixture.get(CrmConnectionRepository);
  }
}
