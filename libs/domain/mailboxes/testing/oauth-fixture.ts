import { MailSessionPool } from '@adapters/mail';
import { type WorkspaceScope, systemActor, systemScope } from '@domain/access';
import { UsersModule, UsersService, WorkspacesService } from '@domain/identity';
import { Module } from '@nestjs/common';
import { getModelToken } from '@nestjs/mongoose';
import { OutboundModule } from '@platform/outbound';
import { QueuesModule } from '@platform/queues';
import { SecretBoxService } from '@platform/secrets';
import { type TestDatabase, openTestDatabase } from '@testing';
import { type Model, Types } from 'mongoose';
import { createConnection } from '../mailbox-connection';
import { getMailboxSecretOwner } from '../mailbox-secrets';
import { MailboxesModule } from '../mailboxes.module';
import { MailboxRecord, type OAuthCredentials } from '../schemas/mailbox.record';
import { OAuthServer, type VendorAccount } from './oauth-server';
import { VendorDriver } from './vendor.driver';

const HOUR_MS = 3_600_000;

/** Several processes on one database, with local vendors. */
export class OAuthFixture {
  readonly #databases: TestDatabase[] = [];
  #serial = 0;

  private constructor(
    readonly server: OAuthServer,
    readonly first: TestDatabase,
  ) {
    this.#databases.push(first);
  }

  static async open(): Promise<OAuthFixture> {
    const server = await OAuthServer.start();
    const first = await openProcess(server, {});
    const fixture = new OAuthFixture(server, first);
    return fixture;
  }

  get mailboxes(): Model<MailboxRecord> {
    return this.model(MailboxRecord);
  }

  /** One more process of the same installation. */
  async process(env: Record<string, string> = {}): Promise<TestDatabase> {
    const { mongodbUri, queuePrefix, secretKeys } = this.first.config;
    const same = { MONGODB_URI: mongodbUri, QUEUE_PREFIX: queuePrefix, SECRET_KEYS: secretKeys };
    const database = await openProcess(this.server, { ...same, ...env });
    this.#databases.push(database);
    return database;
  }

  get<T>(service: abstract new (...args: never[]) => T, { module } = this.first): T {
    return module.get<T>(service, { strict: false });
  }

  model<T>(record: { name: string }): Model<T> {
    return this.first.module.get<Model<T>>(getModelToken(record.name), { strict: false });
  }

  async workspace(): Promise<WorkspaceScope> {
    this.#serial += 1;
    const user = await this.get(UsersService).create({ email: `owner-${this.#serial}@example.com`, name: 'Owner' });
    const creation = this.get(WorkspacesService);
    const { id } = await creation.createFor(user.id, { name: 'Acme' }, systemActor('operator'));
    return systemScope(id);
  }

  account(vendor: 'google' | 'microsoft' = 'google'): VendorAccount {
    this.#serial += 1;
    return this.server.account(vendor, `ada-${this.#serial}@mail.test`);
  }

  /** A mailbox as a consent creates it; by default with an expired access token. */
  async mailbox(
    account: VendorAccount,
    credentials: Partial<Omit<OAuthCredentials, 'refreshToken' | 'accessToken'>> & {
      refreshToken?: string | null;
      accessToken?: string;
      key?: string;
      workspaceId?: Types.ObjectId;
    } = {},
  ): Promise<{ workspaceId: Types.ObjectId; mailboxId: Types.ObjectId }> {
    const _id = new Types.ObjectId();
    const box = this.get(SecretBoxService);
    const {
      refreshToken = this.server.refreshTokenOf(account),
      accessToken = 'access-of-before',
      key,
      workspaceId = new Types.ObjectId(),
      ...more
    } = credentials;
    const now = this.first.clock.now();
    const sealed = (text: string | null | undefined, secret: Parameters<typeof getMailboxSecretOwner>[2]) =>
      text ? box.seal(text, getMailboxSecretOwner(workspaceId, _id, secret)) : null;
    await this.mailboxes.create({
      _id,
      workspaceId,
      email: account.address,
      provider: account.vendor,
      connectionType: 'oauth',
      connection: createConnection(now),
      dailySendLimit: 30,
      sendGapSeconds: 60,
      timezone: 'UTC',
      oauthCredentials: {
        kind: key === undefined ? 'consent' : 'service_account',
        refreshToken: key === undefined ? sealed(refreshToken, 'refreshToken') : null,
        serviceAccountKey: sealed(key, 'serviceAccountKey'),
        accessToken: sealed(accessToken, 'accessToken'),
        accessTokenExpiresAt: new Date(now.getTime() - HOUR_MS),
        scopes: [],
        version: 0,
        ...more,
      },
    });
    return { workspaceId, mailboxId: _id };
  }

  async record({ workspaceId, mailboxId }: { workspaceId: Types.ObjectId; mailboxId: Types.ObjectId }) {
    const found = await this.mailboxes.findOne({ workspaceId, _id: mailboxId }).lean<MailboxRecord>();
    if (!found) throw new Error('The mailbox is deleted');
    return found;
  }

  async close(): Promise<void> {
    for (const database of this.#databases.toReversed()) await database.close();
    await this.server.close();
  }
}

function openProcess(server: OAuthServer, env: Record<string, string>): Promise<TestDatabase> {
  const sessions = new MailSessionPool([new VendorDriver('gmail', server), new VendorDriver('graph', server)]);
  const imports = [QueuesModule, OutboundModule, mailModule(sessions), UsersModule, MailboxesModule];
  return openTestDatabase({ imports }, { ...server.env, ...env });
}

function mailModule(sessions: MailSessionPool) {
  @Module({})
  class MailForTests {}
  const providers = [{ provide: MailSessionPool, useValue: sessions }];
  return { module: MailForTests, global: true, providers, exports: [MailSessionPool] };
}
