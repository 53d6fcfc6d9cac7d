import { CrmPort } from '@adapters/crm';
import { DnsModule } from '@adapters/dns';
import { MailModule } from '@adapters/mail';
import { type WorkspaceScope, systemActor, systemScope } from '@domain/access';
import { CampaignsService } from '@domain/campaigns';
import { EventRecord, type EventType } from '@domain/events';
import { UsersModule, UsersService, WorkspacesService } from '@domain/identity';
import { LeadInsertionService, LeadRecord, type NewLead } from '@domain/leads';
import { Module } from '@nestjs/common';
import { getModelToken } from '@nestjs/mongoose';
import { OutboundModule } from '@platform/outbound';
import { QueuesModule, QueuesService } from '@platform/queues';
import { SecretBoxService } from '@platform/secrets';
import { type Model, Types } from 'mongoose';
import { type FakeClock, openTestDatabase, type TestDatabase, getSeries } from '../../../testing';
import { type FakeCrm, FakeCrms } from '../../../adapters/crm/testing';
import { CrmDomainModule } from '../crm-domain.module';
import { CrmConnectionRepository } from '../connections/crm-connection.repository';
import { connectionSecretOwner } from '../connections/crm-secrets';
import { CrmConnectionRecord, type StoredRule } from '../connections/schemas/crm-connection.record';
import { CrmSyncJobsService, type SyncInput } from '../jobs/crm-sync-jobs.service';
import { type CrmSyncJobDetailsResponse, type CrmSyncJobResponse } from '../jobs/dto/crm-sync-job.dto';
import { CrmSyncJobRecord } from '../jobs/schemas/crm-sync-job.record';
import { CrmSyncResultRecord } from '../jobs/schemas/crm-sync-result.record';
import { CrmWorkerService } from '../work-partitions/crm-worker.service';
import { CrmWorkPartitionRecord } from '../work-partitions/schemas/crm-work-partition.record';
import { CrmLinkRecord } from '../links/schemas/crm-link.record';

const FOREVER = new AbortController().signal;

/** A stored mapping rule. */
export function rule(lead: string, crm: string, others: Partial<StoredRule> = {}): StoredRule {
  const usual = {
    direction: 'both',
    overwrite: 'always',
    values: null,
    type: null,
    options: null,
    maxLength: null,
  } as const;
  return { lead, crm, ...usual, ...others };
}

export const MAPPING = [
  rule('firstName', 'first'),
  rule('lastName', 'last'),
  rule('companyName', 'company'),
  rule('city', 'town', { direction: 'pull' }),
  rule('stage', 'stage', { direction: 'push' }),
];

/** Syncs on a separate database, with a CRM in memory. */
export class CrmSyncFixture {
  #serial = 0;

  private constructor(readonly database: TestDatabase) {}

  static async open(): Promise<CrmSyncFixture> {
    const imports = [QueuesModule, OutboundModule, MailModule, DnsModule, UsersModule, FakeCrmModule, CrmDomainModule];
    return new CrmSyncFixture(await openTestDatabase({ imports }));
  }

  get clock(): FakeClock {
    return this.database.clock;
  }

  /** Returns the current value of a metric series. */
  async series(name: string): Promise<number> {
    return getSeries(this.database.module, name);
  }

  get<T>(service: abstract new (...args: never[]) => T): T {
    return this.database.module.get<T>(service, { strict: false });
  }

  model<T>(record: { name: string }): Model<T> {
    return this.database.module.get<Model<T>>(getModelToken(record.name), { strict: false });
  }

  /** Creates another workspace that is connected to an empty CRM of its own. */
  async fresh(mapping: readonly StoredRule[] = MAPPING): Promise<SyncScenario> {
    this.clock.reset();
    emptied.reset();
    return this.another(mapping);
  }

  /** Creates another workspace that is connected to the same CRM. */
  async another(mapping: readonly StoredRule[] = MAPPING): Promise<SyncScenario> {
    const workspace = await this.workspace();
    const scenario = new SyncScenario(this, workspace, await this.campaign(workspace));
    await scenario.connect(mapping);
    return scenario;
  }

  async workspace(): Promise<WorkspaceScope> {
    this.#serial += 1;
    const owner = { email: `owner-${this.#serial}@example.com`, name: 'Owner' };
    const user = await this.get(UsersService).create(owner);
    const { id } = await this.get(WorkspacesService).createFor(user.id, { name: 'Acme' }, systemActor('operator'));
    return systemScope(id);
  }

  async campaign(workspace: WorkspaceScope): Promise<string> {
    return (await this.get(CampaignsService).create(workspace, { name: 'Autumn' }))._id;
  }

  async close(): Promise<void> {
    await this.get(QueuesService).obliterate();
    await this.database.close();
  }
}

/** A workspace with a campaign and the people of its HubSpot account. */
export class SyncScenario {
  constructor(
    private readonly fixture: CrmSyncFixture,
    readonly workspace: WorkspaceScope,
    readonly campaignId: string,
  ) {}

  get crm(): FakeCrm {
    return emptied.driver('hubspot');
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
    await this.fixture.get(CrmWorkerService).run({ workspaceId, laneId: partition._id.toHexString() }, signal);
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

  partition(): Promise<CrmWorkPartitionRecord> {
    return this.fixture
      .model<CrmWorkPartitionRecord>(CrmWorkPartitionRecord)
      .findOne(this.#own())
      .orFail()
      .lean<CrmWorkPartitionRecord>();
  }

  async results(id: string): Promise<string[]> {
    const found = await this.fixture
      .model<CrmSyncResultRecord>(CrmSyncResultRecord)
      .find({ ...this.#own(), jobId: new Types.ObjectId(id) })
      .sort({ _id: 1 })
      .lean<CrmSyncResultRecord[]>();
    return found.map(({ email, externalId, result, reason }) => [email || externalId, result, reason].join(' ').trim());
  }

  add(...rows: NewLead[]): Promise<unknown> {
    return this.fixture.get(LeadInsertionService).insert(this.workspace, this.campaignId, rows);
  }

  leads(): Promise<LeadRecord[]> {
    return this.fixture.model<LeadRecord>(LeadRecord).find(this.#own()).sort({ email: 1 }).lean<LeadRecord[]>();
  }

  async change(email: string, fields: Partial<LeadRecord>): Promise<void> {
    this.fixture.clock.advance(1_000);
    await this.fixture.model<LeadRecord>(LeadRecord).updateMany({ ...this.#own(), email }, { $set: fields });
  }

  links(): Promise<CrmLinkRecord[]> {
    return this.fixture
      .model<CrmLinkRecord>(CrmLinkRecord)
      .find(this.#own())
      .sort({ email: 1 })
      .lean<CrmLinkRecord[]>();
  }

  connection(): Promise<CrmConnectionRecord> {
    return this.fixture
      .model<CrmConnectionRecord>(CrmConnectionRecord)
      .findOne(this.#own())
      .orFail()
      .lean<CrmConnectionRecord>();
  }

  async events(type: EventType): Promise<EventRecord[]> {
    return this.fixture
      .model<EventRecord>(EventRecord)
      .find({ ...this.#own(), type })
      .lean<EventRecord[]>();
  }

  /** Returns violated invariants of the sync figures. */
  async violations(): Promise<string[]> {
    const jobs = await this.fixture
      .model<CrmSyncJobRecord>(CrmSyncJobRecord)
      .find(this.#own())
      .lean<CrmSyncJobRecord[]>();
    const wrong: string[] = [];
    for (const { _id, counts, processedRecords } of jobs) {
      const sum = Object.values(counts).reduce((one, other) => one + other, 0);
      const records = await this.fixture
        .model<CrmSyncResultRecord>(CrmSyncResultRecord)
        .countDocuments({ ...this.#own(), jobId: _id });
      if (sum !== processedRecords || records !== sum)
        wrong.push(`${String(_id)}: ${processedRecords}, ${sum}, ${records}`);
    }
    return wrong;
  }

  get connections(): CrmConnectionRepository {
    return this.fixture.get(CrmConnectionRepository);
  }

  #own(): { workspaceId: string } {
    return { workspaceId: this.workspace.workspaceId };
  }
}

/** Like FakeCrms, but reset before each test. */
class EmptiedCrms extends CrmPort {
  #crms = new FakeCrms();

  reset(): void {
    this.#crms = new FakeCrms();
  }

  override driver(type: Parameters<CrmPort['driver']>[0]): FakeCrm {
    return this.#crms.driver(type);
  }
}

const emptied = new EmptiedCrms();

@Module({
  providers: [{ provide: CrmPort, useValue: emptied }],
  exports: [CrmPort],
})
class FakeCrmProviders {}

const FakeCrmModule = { module: FakeCrmProviders, global: true };
