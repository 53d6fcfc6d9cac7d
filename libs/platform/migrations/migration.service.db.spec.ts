import { MaintenanceModeService } from '@platform/maintenance';
import { LeaseService } from '@platform/database';
import { LogService } from '@platform/observability';
import { openTestDatabase, type TestDatabase } from '@testing';
import { getConnectionToken } from '@nestjs/mongoose';
import { type Connection, type mongo } from 'mongoose';
import { type Migration } from './migration';
import { MigrationHistoryRepository } from './migration-history.repository';
import { MigrationService } from './migration.service';
import { MigrationsModule } from './migrations.module';
import { SchemaVersionCheck } from './schema-version-check';

const NEVER = new AbortController().signal;

/** Marks every record of `things` in batches of one, and can be made to fail in between. */
class Marking implements Migration {
  readonly why = 'For a test.';
  readonly isRequired = true;
  dyingAfter = Infinity;

  constructor(readonly name: string) {}

  left(database: mongo.Db): Promise<number> {
    return database.collection('things').countDocuments({ [this.name]: { $ne: true } });
  }

  async run(database: mongo.Db, signal: AbortSignal): Promise<number> {
    const things = database.collection('things');
    let changed = 0;
    for (; (await this.left(database)) > 0; changed += 1) {
      signal.throwIfAborted();
      if (changed === this.dyingAfter) throw new Error('killed');
      await things.updateOne({ [this.name]: { $ne: true } }, { $set: { [this.name]: true } });
    }
    return changed;
  }
}

describe('MigrationService', () => {
  const first = new Marking('0001-first');
  const second = new Marking('0002-second');
  let database: TestDatabase;
  let migrations: MigrationService;
  let marks: MigrationHistoryRepository;
  let db: mongo.Db;

  beforeAll(async () => {
    database = await openTestDatabase({ imports: [MigrationsModule.of([first, second])] });
    migrations = database.module.get(MigrationService);
    marks = database.module.get(MigrationHistoryRepository);
    db = database.module.get<Connection>(getConnectionToken()).db!;
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    first.dyingAfter = second.dyingAfter = Infinity;
    await db.collection('migrations').deleteMany({});
    await db.collection('leases').deleteMany({});
    await db.collection('things').deleteMany({});
  });

  const withThings = () => db.collection('things').insertMany([{ n: 1 }, { n: 2 }, { n: 3 }] as never[]);
  const pass = () =>
    SchemaVersionCheck.pass([first, second], {
      marks,
      maintenance: database.module.get(MaintenanceModeService, { strict: false }),
      log: database.module.get(LogService, { strict: false }),
    });

  it('marks an empty database as up to date and runs nothing on it', async () => {
    await pass();
    expect(await migrations.status()).toEqual({ applied: ['0001-first', '0002-second'], pending: [], unknown: [] });
    await withThings();
    expect(await migrations.up(NEVER)).toEqual({ ran: [] });
    expect(await first.left(db)).toBe(3);
  });

  it('runs nothing on a new database, in which every migration counts as applied', async () => {
    expect(await migrations.up(NEVER)).toEqual({ ran: [] });
    expect((await migrations.status()).applied).toEqual(['0001-first', '0002-second']);
  });

  it('allows every process to start on a new database while another one marks it and begins to write', async () => {
    jest.spyOn(marks, 'isFresh').mockImplementationOnce(async () => {
      await pass();
      await withThings();
      return marks.isFresh();
    });
    await expect(pass()).resolves.toBeInstanceOf(SchemaVersionCheck);
    expect(await first.left(db)).toBe(3);
  });

  it('prevents every start before the required migrations, and allows it afterwards', async () => {
    await withThings();
    await expect(pass()).rejects.toThrow(/0001-first, 0002-second have to run first/);
    const { ran } = await migrations.up(NEVER);
    expect(ran.map(({ name, changed }) => ({ name, changed }))).toEqual([
      { name: '0001-first', changed: 3 },
      { name: '0002-second', changed: 3 },
    ]);
    await expect(pass()).resolves.toBeInstanceOf(SchemaVersionCheck);
  });

  it('continues where an interrupted run stopped, without repeating finished work', async () => {
    await withThings();
    second.dyingAfter = 2;
    await expect(migrations.up(NEVER)).rejects.toThrow('killed');
    expect((await migrations.status()).applied).toEqual(['0001-first']);
    expect((await migrations.status()).pending).toMatchObject([{ name: '0002-second', left: 1 }]);
    second.dyingAfter = Infinity;
    expect((await migrations.up(NEVER)).ran).toMatchObject([{ name: '0002-second', changed: 1 }]);
  });

  it('stops when its signal is aborted, and rejects with the reason', async () => {
    await withThings();
    const reason = new Error('The operator stopped it');
    await expect(migrations.up(AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(await first.left(db)).toBe(3);
  });

  it('runs in one process at a time across all machines', async () => {
    await withThings();
    const lease = await database.module.get(LeaseService).acquire('migrations', 60_000);
    await expect(migrations.up(NEVER)).rejects.toThrow(/Another process is running the migrations/);
    if (lease) await database.module.get(LeaseService).release(lease);
    await expect(migrations.up(NEVER)).resolves.toMatchObject({ ran: [{}, {}] });
  });

  it('changes nothing of a newer release and prevents the start on it', async () => {
    await withThings();
    await marks.mark('0003-of-tomorrow', 1);
    await expect(migrations.up(NEVER)).rejects.toThrow(/belongs to a newer release, which applied 0003-of-tomorrow/);
    await expect(pass()).rejects.toThrow(/belongs to a newer release/);
    expect((await migrations.status()).unknown).toEqual(['0003-of-tomorrow']);
  });

  it('prevents the start on a partly restored database, whatever its content', async () => {
    const maintenance = database.module.get(MaintenanceModeService, { strict: false });
    await maintenance.enable({ state: 'restoring', backupAt: new Date(0), since: new Date(1) });
    await expect(pass()).rejects.toThrow(/The last restore of this database is incomplete/);
    await maintenance.disable();
  });
});
