import { type WorkspaceScope, systemScope } from '@domain/access';
import { getConnectionToken } from '@nestjs/mongoose';
import { TransactionService } from '@platform/database';
import { type FakeClock, type TestDatabase, getSeries, openTestDatabase } from '@testing';
import { type Connection, Types } from 'mongoose';
import { CreditsModule } from '../credits.module';
import { CreditsService } from '../credits.service';

/** The credits domain on a separate database. */
export class CreditsFixture {
  readonly credits: CreditsService;
  readonly reservations: CreditsService;
  readonly transactions: TransactionService;

  readonly clock: FakeClock;

  private constructor(private readonly database: TestDatabase) {
    const { module, clock } = database;
    this.credits = module.get(CreditsService);
    this.reservations = module.get(CreditsService);
    this.transactions = module.get(TransactionService);
    this.clock = clock;
  }

  static async start(): Promise<CreditsFixture> {
    return new CreditsFixture(await openTestDatabase({ imports: [CreditsModule] }));
  }

  /** The current value of a metric series. */
  async series(name: string): Promise<number> {
    return getSeries(this.database.module, name);
  }

  async stop(): Promise<void> {
    await this.database.close();
  }

  /** A workspace without an account. */
  workspace(): WorkspaceScope {
    return systemScope(new Types.ObjectId().toHexString());
  }

  /** A workspace with granted credits. */
  async workspaceWith(amount: number): Promise<WorkspaceScope> {
    const workspace = this.workspace();
    await this.credits.grant(workspace, { amount, reason: 'to start with', operation: 'start' });
    return workspace;
  }

  /** The stored documents of a workspace, read directly. */
  async stored(workspace: WorkspaceScope, collection: CreditsCollection): Promise<Record<string, unknown>[]> {
    return this.raw(collection)
      .find({ workspaceId: new Types.ObjectId(workspace.workspaceId) })
      .sort({ _id: 1 })
      .toArray();
  }

  /** The collection itself, to corrupt records in ways that the services never do. */
  raw(collection: CreditsCollection) {
    return this.database.module.get<Connection>(getConnectionToken()).collection(collection);
  }
}

type CreditsCollection = 'credit_accounts' | 'credit_entries' | 'credit_reservations' | 'audit_entries';
