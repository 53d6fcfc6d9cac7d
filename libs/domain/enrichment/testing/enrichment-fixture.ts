import { HookRegistry } from '@platform/hooks';
import { DnsModule } from '@adapters/dns';
import { MailModule } from '@adapters/mail';
import { type WorkspaceScope, systemActor, systemScope } from '@domain/access';
import { CampaignsService } from '@domain/campaigns';
import { CreditsService } from '@domain/credits';
import { EventRecord } from '@domain/events';
import { UsersModule, UsersService, WorkspacesService } from '@domain/identity';
import { LeadInsertionService } from '@domain/leads';
import { getModelToken } from '@nestjs/mongoose';
import { OutboundModule } from '@platform/outbound';
import { QueuesModule, QueuesService } from '@platform/queues';
import { replaceListeners, type FakeClock, openTestDatabase, type TestDatabase } from '@testing';
import { type Model } from 'mongoose';
import { type CreatedEnrichmentJobResponse, type EnrichmentJobResponse } from '../dto/enrichment-job.dto';
import { EnrichmentModule } from '../enrichment.module';
import { ITEM_HANDLERS } from '../item-handlers/item-handler';
import { EnrichmentJobCreationService } from '../jobs/enrichment-job-creation.service';
import { EnrichmentJobsService } from '../jobs/enrichment-jobs.service';
import { EnrichmentWorkerService } from '../runs/enrichment-worker.service';
import { EnrichmentItemRecord } from '../schemas/enrichment-item.record';
import { EnrichmentJobRecord } from '../schemas/enrichment-job.record';
import { EnrichmentWorkPartitionRecord } from '../schemas/enrichment-work-partition.record';
import { ScriptedWork } from './scripted-work';

export const FOREVER = new AbortController().signal;

/** Enrichment jobs on a separate database, with a scripted handler. */
export class EnrichmentFixture {
  #serial = 0;
  readonly work = new ScriptedWork();

  private constructor(readonly database: TestDatabase) {
    // The scripted handler replaces those of production.
    replaceListeners(this.get(HookRegistry), ITEM_HANDLERS, this.work.forAllTypes());
  }

  static async open(): Promise<EnrichmentFixture> {
    const imports = [QueuesModule, OutboundModule, MailModule, DnsModule, UsersModule, EnrichmentModule];
    return new EnrichmentFixture(await openTestDatabase({ imports }));
  }

  get clock(): FakeClock {
    return this.database.clock;
  }

  get<T>(service: abstract new (...args: never[]) => T): T {
    return this.database.module.get<T>(service, { strict: false });
  }

  model<T>(record: { name: string }): Model<T> {
    return this.database.module.get<Model<T>>(getModelToken(record.name), { strict: false });
  }

  /** Creates a workspace and resets the handler. */
  async fresh(credits = 1_000): Promise<WorkspaceScope> {
    this.clock.reset();
    this.work.reset();
    return this.workspace(credits);
  }

  async workspace(credits: number): Promise<WorkspaceScope> {
    this.#serial += 1;
    const owner = { email: `owner-${this.#serial}@example.com`, name: 'Owner' };
    const user = await this.get(UsersService).create(owner);
    const by = systemActor('operator');
    const { id } = await this.get(WorkspacesService).createFor(user.id, { name: 'Acme' }, by);
    const workspace = systemScope(id);
    await this.get(CreditsService).grant(workspace, { amount: credits, reason: 'to start with', operation: 'start' });
    return workspace;
  }

  async campaign(workspace: WorkspaceScope, emails: readonly string[]): Promise<{ _id: string; leadIds: string[] }> {
    const { _id } = await this.get(CampaignsService).create(workspace, { name: 'Autumn' });
    const rows = emails.map((email) => ({ email }));
    const { leads } = await this.get(LeadInsertionService).insert(workspace, _id, rows);
    return { _id, leadIds: leads.map((lead) => lead._id.toHexString()) };
  }

  create(workspace: WorkspaceScope, emails: readonly string[]): Promise<CreatedEnrichmentJobResponse> {
    return this.get(EnrichmentJobCreationService).create(workspace, {
      type: 'email_verification',
      emails: [...emails],
    });
  }

  read(workspace: WorkspaceScope, id: string): Promise<EnrichmentJobResponse> {
    return this.get(EnrichmentJobsService).get(workspace, id);
  }

  /** Runs each work partition of the workspace sequentially. */
  async run({ workspaceId }: WorkspaceScope, signal = FOREVER): Promise<void> {
    const partitions = await this.model<EnrichmentWorkPartitionRecord>(EnrichmentWorkPartitionRecord)
      .find({ workspaceId })
      .lean();
    for (const { _id } of partitions)
      await this.get(EnrichmentWorkerService).run({ workspaceId, partitionId: _id.toHexString() }, signal);
  }

  /** Runs all work partitions of the workspace concurrently. */
  async runAll({ workspaceId }: WorkspaceScope, signal = FOREVER): Promise<void> {
    const partitions = await this.model<EnrichmentWorkPartitionRecord>(EnrichmentWorkPartitionRecord)
      .find({ workspaceId })
      .lean();
    const run = (partitionId: string) => this.get(EnrichmentWorkerService).run({ workspaceId, partitionId }, signal);
    await Promise.all(partitions.map(({ _id }) => run(_id.toHexString())));
  }

  job({ workspaceId }: WorkspaceScope, code: string): Promise<EnrichmentJobRecord> {
    return this.model<EnrichmentJobRecord>(EnrichmentJobRecord)
      .findOne({ workspaceId, code })
      .orFail()
      .lean<EnrichmentJobRecord>();
  }

  /** In the order of the addresses. */
  items({ workspaceId }: WorkspaceScope): Promise<EnrichmentItemRecord[]> {
    return this.model<EnrichmentItemRecord>(EnrichmentItemRecord)
      .find({ workspaceId })
      .sort({ _id: 1 })
      .lean<EnrichmentItemRecord[]>();
  }

  completions({ workspaceId }: WorkspaceScope): Promise<EventRecord[]> {
    return this.model<EventRecord>(EventRecord)
      .find({ workspaceId, type: 'enrichment.completed' })
      .lean<EventRecord[]>();
  }

  /** Balance and reserved credits, after the ledger was verified. */
  async credits(workspace: WorkspaceScope): Promise<{ balance: number; reserved: number }> {
    const credits = this.get(CreditsService);
    const { ok, problems } = await credits.verify(workspace);
    if (!ok) throw new Error(`The ledger does not agree: ${problems.join('; ')}`);
    return credits.balance(workspace);
  }

  async close(): Promise<void> {
    await this.get(QueuesService).obliterate();
    await this.database.close();
  }
}

/** Creates `count` different addresses. */
export function addresses(count: number, domain = 'example.com'): string[] {
  return Array.from({ length: count }, (_, at) => `person-${at}@${domain}`);
}
