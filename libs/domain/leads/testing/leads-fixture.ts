import { MailSessionPool } from '@adapters/mail';
import { systemActor, systemScope, type WorkspaceScope } from '@domain/access';
import { CampaignCreationService } from '@domain/campaigns';
import { UsersModule, UsersService, WorkspaceCreationService } from '@domain/identity';
import { Module } from '@nestjs/common';
import { getModelToken } from '@nestjs/mongoose';
import { OutboundModule } from '@platform/outbound';
import { QueuesModule } from '@platform/queues';
import { openTestDatabase, type TestDatabase } from '@testing';
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
    const { id } = await this.get(WorkspaceCreationService).createFor(
      user.id,
      { name: 'Acme' },
      systemActor('operator'),
    );
    return systemScope(id);
  }

  async campaign(workspace: WorkspaceScope): Promise<string> {
    return (await this.get(CampaignCreationService).create(workspace, { name: 'Autumn' }))._id;
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
