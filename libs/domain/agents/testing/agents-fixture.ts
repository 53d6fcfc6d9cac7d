import { type WorkspaceScope, systemActor, systemScope } from '@domain/access';
import { CreditsService } from '@domain/credits';
import { UsersModule, UsersService, WorkspacesService } from '@domain/identity';
import { type Type } from '@nestjs/common';
import { getConnectionToken, getModelToken } from '@nestjs/mongoose';
import { OutboundModule } from '@platform/outbound';
import { QueuesModule, QueuesService } from '@platform/queues';
import { type FakeClock, type TestDatabase, openTestDatabase } from '@testing';
import { type Connection, type Model } from 'mongoose';
import { AgentsModule } from '../agents.module';
import { AgentRecord } from '../schemas/agent.record';
import { newAgent } from './agents';

/** Agents on a separate database. */
export class AgentsFixture {
  readonly clock: FakeClock;
  workspace!: WorkspaceScope;
  #serial = 0;

  private constructor(readonly database: TestDatabase) {
    this.clock = database.clock;
  }

  /** @param settings environment variables by name @param more additional modules */
  static async open(settings: Record<string, string> = {}, more: readonly Type[] = []): Promise<AgentsFixture> {
    const imports = [QueuesModule, OutboundModule, UsersModule, AgentsModule, ...more];
    return new AgentsFixture(await openTestDatabase({ imports }, settings));
  }

  async close(): Promise<void> {
    jest.restoreAllMocks();
    await this.get(QueuesService).obliterate();
    await this.database.close();
  }

  /** Creates a workspace for each test. */
  async fresh(credits = 100): Promise<WorkspaceScope> {
    this.#serial += 1;
    const user = await this.get(UsersService).create({ email: `owner-${this.#serial}@example.com`, name: 'Owner' });
    const by = systemActor('operator');
    const { id } = await this.get(WorkspacesService).createFor(user.id, { name: 'Acme' }, by);
    this.workspace = systemScope(id);
    if (credits > 0) {
      await this.get(CreditsService).grant(this.workspace, { amount: credits, reason: 'to start', operation: 'start' });
    }
    return this.workspace;
  }

  get<T>(service: abstract new (...args: never[]) => T): T {
    return this.database.module.get<T>(service, { strict: false });
  }

  model<T>(record: { name: string }): Model<T> {
    return this.database.module.get<Model<T>>(getModelToken(record.name), { strict: false });
  }

  /** A collection without its model. */
  raw(collection: string) {
    return this.database.module.get<Connection>(getConnectionToken(), { strict: false }).collection(collection);
  }

  /** Inserts an agent without any checks. */
  async agent(fields: Partial<Omit<AgentRecord, '_id'>> = {}): Promise<AgentRecord> {
    const model = this.model<AgentRecord>(AgentRecord);
    const made = await model.create(newAgent(this.workspace.workspaceId, fields));
    return made.toObject<AgentRecord>();
  }

  async stored({ _id, workspaceId }: Pick<AgentRecord, '_id' | 'workspaceId'>): Promise<AgentRecord | null> {
    return this.model<AgentRecord>(AgentRecord).findOne({ _id, workspaceId }).lean<AgentRecord>();
  }
}
