import { getModelToken } from '@nestjs/mongoose';
import { openTestDatabase, type TestDatabase } from '@testing';
import { type Model } from 'mongoose';
import { MaintenanceModeService } from '@platform/maintenance';
import { ClusterMembershipService, ClusterModule } from '.';
import { ClusterMemberRecord } from './cluster-member.record';

describe('the members of a cluster', () => {
  let database: TestDatabase;
  let cluster: ClusterMembershipService;
  let records: Model<ClusterMemberRecord>;

  beforeAll(async () => {
    database = await openTestDatabase({ imports: [ClusterModule] });
    cluster = database.module.get(ClusterMembershipService);
    records = database.module.get(getModelToken(ClusterMemberRecord.name));
  });
  afterAll(() => database.close());

  it('are known for each kind of work', async () => {
    expect(await cluster.join('mail', 'a', 60_000)).toEqual(['a']);
    expect((await cluster.join('mail', 'b', 60_000)).toSorted()).toEqual(['a', 'b']);
    expect(await cluster.join('other', 'c', 60_000)).toEqual(['c']);
  });

  it('no longer include a member that leaves', async () => {
    await cluster.join('leaving', 'd', 60_000);
    await cluster.leave('d');
    expect(await cluster.join('leaving', 'e', 60_000)).toEqual(['e']);
  });

  it('no longer include a member without a heartbeat, by the clock of the database', async () => {
    await cluster.join('silent', 'f', 60_000);
    await records.updateOne({ _id: 'f' }, { $set: { expiresAt: new Date(Date.now() - 1_000) } });
    expect(await cluster.join('silent', 'g', 60_000)).toEqual(['g']);
    expect((await cluster.join('silent', 'f', 60_000)).toSorted()).toEqual(['f', 'g']);
  });

  it('include a process that uses the database, until it ends', async () => {
    const before = await cluster.size();
    await cluster.start('api');
    expect(await cluster.size()).toBe(before + 1);
    await cluster.stop();
    await cluster.stop();
    expect(await cluster.size()).toBe(before);
  });

  it('do not include a process that starts while the database is being restored', async () => {
    const maintenance = database.module.get(MaintenanceModeService);
    const before = await cluster.size();
    const at = new Date('2027-03-08T09:00:00Z');
    await maintenance.enable({ state: 'restoring', backupAt: at, since: at });
    await expect(cluster.start('api')).rejects.toThrow(/The last restore of this database is incomplete/);
    expect(await cluster.size()).toBe(before);
    await maintenance.enable({ state: 'active', backupAt: at, since: at });
    await cluster.start('api');
    await cluster.stop();
  });
});
