import { DnsModule } from '@adapters/dns';
import { MailModule } from '@adapters/mail';
import { type WorkspaceScope, systemActor, systemScope } from '@domain/access';
import { CampaignsService } from '@domain/campaigns';
import { UsersModule, UsersService, WorkspacesService } from '@domain/identity';
import { getModelToken } from '@nestjs/mongoose';
import { OutboundModule } from '@platform/outbound';
import { QueuesModule, QueuesService } from '@platform/queues';
import { type Model } from 'mongoose';
import { type FakeClock, openTestDatabase, type TestDatabase, getSeries } from '../../../testing';
import { type StoredRule } from '../connections/schemas/crm-connection.record';
import { CrmDomainModule } from '../crm-domain.module';
import { emptiedCrms, FakeCrmModule } from './emptied-crms';
import { MAPPING } from './sync-mapping';
import { SyncScenario } from './sync-scenario';

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
    emptiedCrms.reset();
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
