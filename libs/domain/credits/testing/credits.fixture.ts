import { systemScope, type WorkspaceScope } from '@domain/access';
import { getConnectionToken } from '@nestjs/mongoose';
import { Test, type TestingModule } from '@nestjs/testing';
import { Clock, ClockModule } from '@platform/clock';
import { Config, ConfigModule } from '@platform/config';
import { DatabaseModule, Transactions } from '@platform/database';
import { ObservabilityModule } from '@platform/observability';
import { SecretsModule } from '@platform/secrets';
import { dropDatabase, FakeClock, testConfig } from '@testing';
import { type Connection, Types } from 'mongoose';
import { CreditsModule } from '../credits.module';
import { CreditsService } from '../credits.service';
import { CreditReservations } from '../reservations.service';

/** The credits domain on a database of its own. */
export class CreditsFixture {
  readonly credits: CreditsService;
  readonly reservations: CreditReservations;
  readonly transactions: Transactions;

  private constructor(
    private readonly module: TestingModule,
    private readonly config: Config,
    readonly clock: FakeClock,
  ) {
    this.credits = module.get(CreditsService);
    this.reservations = module.get(CreditReservations);
    this.transactions = module.get(Transactions);
  }

  static async start(): Promise<CreditsFixture> {
    const config = testConfig();
    const clock = new FakeClock();
    const module = await Test.createTestingModule({
      imports: [
        ConfigModule,
        ClockModule,
        SecretsModule,
        ObservabilityModule.forRoot('test', '0'),
        DatabaseModule.forRoot('test'),
        CreditsModule,
      ],
    })
      .overrideProvider(Config)
      .useValue(config)
      .overrideProvider(Clock)
      .useValue(clock)
      .compile();
    await module.init();
    return new CreditsFixture(module, config, clock);
  }

  async stop(): Promise<void> {
    await this.module.close();
    await dropDatabase(this.config);
  }

  /** A workspace without an account. */
  workspace(): WorkspaceScope {
    return systemScope(new Types.ObjectId().toHexString());
  }

  /** A workspace that was granted credits. */
  async workspaceWith(amount: number): Promise<WorkspaceScope> {
    const workspace = this.workspace();
    await this.credits.grant(workspace, { amount, reason: 'to start with', operation: 'start' });
    return workspace;
  }

  /** The stored documents of a workspace, past every service. */
  async stored(workspace: WorkspaceScope, collection: CreditsCollection): Promise<Record<string, unknown>[]> {
    return this.raw(collection)
      .find({ workspaceId: new Types.ObjectId(workspace.workspaceId) })
      .sort({ _id: 1 })
      .toArray();
  }

  /** The collection itself, to break what the services would never break. */
  raw(collection: CreditsCollection) {
    return this.module.get<Connection>(getConnectionToken()).collection(collection);
  }
}

type CreditsCollection = 'credit_accounts' | 'credit_entries' | 'credit_reservations' | 'audit_entries';
