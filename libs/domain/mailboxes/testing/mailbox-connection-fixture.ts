import { MailSessionPool } from '@adapters/mail';
import { type WorkspaceScope, systemActor, systemScope } from '@domain/access';
import { UsersModule, UsersService, WorkspacesService } from '@domain/identity';
import { Module, type Type } from '@nestjs/common';
import { getModelToken } from '@nestjs/mongoose';
import { OutboundModule } from '@platform/outbound';
import { QueuesModule } from '@platform/queues';
import { type TestDatabase, openTestDatabase } from '@testing';
import { type Model } from 'mongoose';
import { type CreateMailboxRequest } from '../dto/mailbox-requests.dto';
import { type MailboxResponse } from '../dto/mailbox.dto';
import { MailboxCreationService } from '../mailbox-creation.service';
import { MailboxesModule } from '../mailboxes.module';
import { ScriptedDriver } from './scripted.driver';

/** Services of this library on their own database, with scripted mail servers. */
export class MailboxConnectionFixture {
  #serial = 0;

  private constructor(
    readonly database: TestDatabase,
    readonly driver: ScriptedDriver,
  ) {}

  /** @param more domains above this one */
  static async open(
    overrides: Record<string, string> = {},
    more: readonly Type[] = [],
  ): Promise<MailboxConnectionFixture> {
    const driver = new ScriptedDriver();
    const imports = [
      QueuesModule,
      OutboundModule,
      mailModule(new MailSessionPool([driver])),
      UsersModule,
      MailboxesModule,
      ...more,
    ];
    const database = await openTestDatabase({ imports }, overrides);
    return new MailboxConnectionFixture(database, driver);
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
    const by = systemActor('operator');
    const { id } = await this.get(WorkspacesService).createFor(user.id, { name: 'Acme' }, by);
    return { ...systemScope(id), actor: { kind: 'user', userId: user.id, keyId: null } };
  }

  connect(workspace: WorkspaceScope, input: Partial<CreateMailboxRequest> = {}): Promise<MailboxResponse> {
    return this.get(MailboxCreationService).create(workspace, this.request(input));
  }

  /** A request as the API passes it on. */
  request(input: Partial<CreateMailboxRequest> = {}): CreateMailboxRequest {
    this.#serial += 1;
    return {
      email: `ada-${this.#serial}@mail.test`,
      smtpHost: 'smtp.mail.test',
      smtpPort: 587,
      smtpSecure: false,
      smtpPassword: 'smtp-canary',
      imapHost: 'imap.mail.test',
      imapPort: 993,
      imapSecure: true,
      ...input,
    };
  }
}

function mailModule(sessions: MailSessionPool) {
  @Module({})
  class MailForTests {}
  return {
    module: MailForTests,
    global: true,
    providers: [{ provide: MailSessionPool, useValue: sessions }],
    exports: [MailSessionPool],
  };
}
