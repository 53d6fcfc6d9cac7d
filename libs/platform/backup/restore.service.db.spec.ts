import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getConnectionToken } from '@nestjs/mongoose';
import { type Lease, LeaseService } from '@platform/database';
import { ClusterMembershipService } from '@platform/cluster';
import { MaintenanceModeService } from '@platform/maintenance';
import { MigrationsModule } from '@platform/migrations';
import { openTestDatabase, type TestDatabase } from '@testing';
import { type Connection } from 'mongoose';
import { BackupModule } from './backup.module';
import { BackupService } from './backup.service';
import { RestoreService } from './restore.service';

const HOUR_MS = 3_600_000;
const MONDAY = new Date('2027-03-08T09:00:00Z');
const after = (hours: number) => new Date(MONDAY.getTime() + hours * HOUR_MS);
const NEVER = new AbortController().signal;

describe('the backup time of a restored installation', () => {
  let database: TestDatabase;
  let folder: string;
  let file: string;
  let restores: RestoreService;
  let maintenance: MaintenanceModeService;
  let leases: LeaseService;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'outreach-restores-'));
    file = join(folder, 'monday');
    const known = MigrationsModule.of([]);
    database = await openTestDatabase({ imports: [known, BackupModule.beside(known)] });
    restores = database.module.get(RestoreService, { strict: false });
    maintenance = database.module.get(MaintenanceModeService, { strict: false });
    leases = database.module.get(LeaseService, { strict: false });
    database.clock.freeze(MONDAY);
    await collection('things').insertMany(Array.from({ length: 2_500 }, (_none, n) => ({ n })));
    await backup(file);
  });
  afterAll(async () => {
    await database.close();
    await rm(folder, { recursive: true });
  });
  beforeEach(() => maintenance.disable());
  afterEach(() => jest.restoreAllMocks());

  const collection = (name: string) => database.module.get<Connection>(getConnectionToken()).collection(name);
  const backup = (to: string) => database.module.get(BackupService, { strict: false }).write(to, NEVER);

  /** Runs between the check for processes and the maintenance mode that prevents their start. */
  const beforeMaintenance = (happens: () => Promise<unknown>) => {
    const set = maintenance.enable.bind(maintenance);
    jest.spyOn(maintenance, 'enable').mockImplementationOnce(async (held) => {
      await happens();
      await set(held);
    });
  };

  it('is the time of the first backup for all backups until maintenance mode ends', async () => {
    database.clock.freeze(after(5));
    await restores.run(file, { drop: true });
    expect(await maintenance.current()).toMatchObject({ state: 'active', backupAt: MONDAY, since: after(5) });
    database.clock.freeze(after(6));
    await backup(join(folder, 'while-held'));
    expect(await restores.verify(join(folder, 'while-held'))).toMatchObject({ backupAt: MONDAY });
    await maintenance.disable();
    await backup(join(folder, 'released'));
    expect(await restores.verify(join(folder, 'released'))).toMatchObject({ backupAt: after(6) });
  });

  it('is never later than the restore, whatever the clock shows', async () => {
    database.clock.freeze(after(-1));
    await restores.run(file, { drop: true });
    expect(await maintenance.current()).toMatchObject({ state: 'active', backupAt: MONDAY, since: MONDAY });
  });

  it('is written by one restore at a time', async () => {
    database.clock.freeze(after(5));
    const both = await Promise.allSettled([restores.run(file, { drop: true }), restores.run(file, { drop: true })]);
    const [refused, ...more] = both.filter((one) => one.status === 'rejected');
    expect(more).toEqual([]);
    expect(String(refused?.reason)).toMatch(/Another restore of this database is running/);
    expect(await restores.run(file, { drop: true })).toMatchObject({ documents: 2_500 });
  });

  it('is left to another restore that began while this one was stalled', async () => {
    let other: Lease | null = null;
    beforeMaintenance(async () => {
      await collection('leases').updateOne({ _id: 'restore' as never }, { $set: { expiresAt: new Date(0) } });
      other = await leases.acquire('restore', HOUR_MS);
    });
    await expect(restores.run(file, { drop: true })).rejects.toThrow(
      /stalled until its lease expired and another restore began/,
    );
    expect(await maintenance.current()).toMatchObject({ state: 'restoring' });
    await leases.release(other!);
    expect(await restores.run(file, { drop: true })).toMatchObject({ documents: 2_500 });
  });

  it('stays unset when a process starts between the check and maintenance mode', async () => {
    const membership = database.module.get(ClusterMembershipService, { strict: false });
    beforeMaintenance(() => membership.join('api', 'late', HOUR_MS));
    const before = await collection('things').countDocuments();
    await expect(restores.run(file, { drop: true })).rejects.toThrow(/The API or a worker is using this database/);
    expect(await maintenance.current()).toBeNull();
    expect(await collection('things').countDocuments()).toBe(before);
    await membership.leave('late');
  });

  it('starts maintenance mode on request of the operator when the database was restored by other means', async () => {
    database.clock.freeze(after(5));
    await expect(restores.startMaintenance(after(6))).rejects.toThrow('in the future');
    const membership = database.module.get(ClusterMembershipService, { strict: false });
    await membership.join('mail', 'a', HOUR_MS);
    await expect(restores.startMaintenance(MONDAY)).rejects.toThrow(/The API or a worker is using this database/);
    await membership.leave('a');
    expect(await restores.startMaintenance(MONDAY)).toEqual({ state: 'active', backupAt: MONDAY, since: after(5) });
    expect(await maintenance.current()).toMatchObject({ state: 'active', backupAt: MONDAY, since: after(5) });
    await expect(restores.startMaintenance(after(1))).rejects.toThrow(/in maintenance mode already/);
    await maintenance.disable();
    const restoring = await leases.acquire('restore', HOUR_MS);
    await expect(restores.startMaintenance(MONDAY)).rejects.toThrow(/Another restore of this database is running/);
    await leases.release(restoring!);
  });
});
