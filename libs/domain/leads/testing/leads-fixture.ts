import { MailSessionPool } from '@adapters/mail';
import { type WorkspaceScope, systemActor, systemScope } from '@domain/access';
import { CampaignsService } from '@domain/campaigns';
import { UsersModule, UsersService, WorkspacesService } from '@domain/identity';
import { Module } from '@nestjs/common';
import { getModelToken } from '@nestjs/mongoose';
import { OutboundModule } from '@platform/outbound';
import { QueuesModule } from '@platform/queues';
import { type TestDatabase, openTestDatabase } from '@testing';
import { type Model } from 'mongoose';
import { LeadInsertionService } from '../lead-insertion.service';
import { LeadsModule } from '../leads.module';

/** The services of this library on a database of their own. */
export class LeadsFixture {
  #serial = 0;

  private constructor(readonly database: TestDatabase) {}

  static async open(): Promise<LeadsFixture> {
    const imports = [QueuesModule, OutboundModule, NoMail, UsersModule, LeadsModule];
    const database = await openTestDatabase({ imports });
    return new LeadsFixture(database);
  }

  get<T>(service: abstract new (...args: never[]) => T): T {
    return this.database.module.get<T>(service, { strict: false });
  }

  model<T>(record: { name: string }): Model<T> {
    return this.database.module.get<Model<T>>(getModelToken(record.name), { strict: false });
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

  async add(workspace: WorkspaceScope, campaignId: string, emails: readonly string[]): Promise<string[]> {
    const rows = emails.map((email) => ({ email }));
    const { leads } = await this.get(LeadInsertionService).insert(workspace, campaignId, rows);
    return leads.map(({ _id }) => _id.toHexString());
  }
}

@Module({
  providers: [{ provide: MailSessionPool, useValue: new MailSessionPool([]) }],
  exports: [MailSessionPool],
})
class NoMailProviders {}

const NoMail = { module: NoMailProviders, global: true };
