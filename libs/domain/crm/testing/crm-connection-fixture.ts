import { CrmPort, type CrmType } from '@adapters/crm';
import { type WorkspaceScope, systemActor, systemScope } from '@domain/access';
import { UsersModule, UsersService, WorkspacesService } from '@domain/identity';
import { Module } from '@nestjs/common';
import { getModelToken } from '@nestjs/mongoose';
import { OutboundModule } from '@platform/outbound';
import { QueuesModule } from '@platform/queues';
import { SecretBoxService } from '@platform/secrets';
import { type TestDatabase, openTestDatabase } from '../../../testing';
import { type Model, Types } from 'mongoose';
import { FakeCrms } from '../../../adapters/crm/testing';
import { type ConnectionSecret, connectionSecretOwner } from '../connections/crm-secrets';
import { CrmConnectionRecord } from '../connections/schemas/crm-connection.record';
import { CrmConnectionsModule } from '../crm-connections.module';
import { ConsentServer } from './consent-server';

const HOUR_MS = 3_600_000;

export interface Owned {
  readonly workspaceId: Types.ObjectId;
  readonly connectionId: Types.ObjectId;
}

/** Several processes on one database, with a vendor's token server and CRMs in memory. */
export class CrmConnectionFixture {
  readonly #databases: TestDatabase[] = [];
  #serial = 0;

  private constructor(
    readonly server: ConsentServer,
    readonly crms: FakeCrms,
    readonly first: TestDatabase,
  ) {
    this.#databases.push(first);
  }

  static async open(): Promise<CrmConnectionFixture> {
    const server = await ConsentServer.start();
    const crms = new FakeCrms();
    return new CrmConnectionFixture(server, crms, await openProcess(server, crms, {}));
  }

  get connections(): Model<CrmConnectionRecord> {
    return this.model(CrmConnectionRecord);
  }

  /** Starts another process of the same installation. */
  async process(): Promise<TestDatabase> {
    const { mongodbUri, queuePrefix, secretKeys } = this.first.config;
    const same = { MONGODB_URI: mongodbUri, QUEUE_PREFIX: queuePrefix, SECRET_KEYS: secretKeys };
    const database = await openProcess(this.server, this.crms, same);
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

  /** A connection as stored after a consent. Its access token is expired by default. */
  async consented(
    given: { type?: CrmType; refreshToken?: string | null; accessToken?: string; expiresAt?: Date } = {},
  ): Promise<Owned> {
    const [_id, workspaceId] = [new Types.ObjectId(), new Types.ObjectId()];
    const { type = 'hubspot', refreshToken = this.server.refreshToken(), accessToken = 'access-of-before' } = given;
    const now = this.first.clock.now();
    const sealed = (text: string | null, secret: ConnectionSecret) =>
      text === null ? null : this.get(SecretBoxService).seal(text, connectionSecretOwner(workspaceId, _id, secret));
    await this.connections.create({
      _id,
      workspaceId,
      type,
      authMethod: 'consent',
      enabled: true,
      status: 'connected',
      accountId: 'account-1',
      accountName: 'Acme',
      baseUrl: 'https://api.example',
      tokenUrl: `${this.server.url}/token`,
      refreshToken: sealed(refreshToken, 'refreshToken'),
      accessToken: sealed(accessToken, 'accessToken'),
      accessTokenExpiresAt: given.expiresAt ?? new Date(now.getTime() - HOUR_MS),
      tokenVersion: 0,
      revision: 0,
      mapping: [],
      ownerPolicy: 'keep',
      connectedAt: now,
      checkedAt: now,
      totalPulled: 0,
      totalPushed: 0,
    });
    return { workspaceId, connectionId: _id };
  }

  async record({ workspaceId, connectionId }: Owned): Promise<CrmConnectionRecord> {
    const found = await this.connections.findOne({ workspaceId, _id: connectionId }).lean<CrmConnectionRecord>();
    if (!found) throw new Error('The connection is gone');
    return found;
  }

  async close(): Promise<void> {
    for (const database of this.#databases.toReversed()) await database.close();
    await this.server.close();
  }
}

function openProcess(server: ConsentServer, crms: FakeCrms, env: Record<string, string>): Promise<TestDatabase> {
  const imports = [QueuesModule, OutboundModule, fakeModule(crms), UsersModule, CrmConnectionsModule];
  return openTestDatabase({ imports }, { ...server.env(['hubspot', 'attio'], 'https://api.example'), ...env });
}

function fakeModule(crms: FakeCrms) {
  @Module({})
  class CrmsForTests {}
  return { module: CrmsForTests, global: true, providers: [{ provide: CrmPort, useValue: crms }], exports: [CrmPort] };
}
