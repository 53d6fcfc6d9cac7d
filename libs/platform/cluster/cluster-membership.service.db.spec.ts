import { getModelToken } from '@nestjs/mongoose';
import { openTestDatabase, type TestDatabase } from '@testing';
import { type Model } from 'mongoose';
import { MaintenanceModeService } from '@platform/maintenance';
import { ClusterMembershipService, ClusterModule, PresenceService } from '.';
import { ClusterMemberRecord } from './cluster-member.record';

describe('a fleet', () => {
  let database: TestDatabase;
  let fleet: ClusterMembershipService;
  let records: Model<ClusterMemberRecord>;

  beforeAll(async () => {
    database = await openTestDatabase({ imports: [ClusterModule] });
    fleet = database.module.get(ClusterMembershipService);
    records = database.module.get(getModelToken(ClusterMemberRecord.name));
  });
  afterAll(() => database.close());

  it('knows who takes part, for each kind of work by itself', async () => {
    expect(await fleet.join('mail', 'a', 60_000)).toEqual(['a']);
    expect((await fleet.join('mail', 'b', 60_000)).toSorted()).toEqual(['a', 'b']);
    expect(await fleet.join('other', 'c', 60_000)).toEqual(['c']);
  });

  it('forgets who leaves', async () => {
    await fleet.join('leaving', 'd', 60_000);
    await fleet.leave('d');
    expect(await fleet.join('leaving', 'e', 60_000)).toEqual(['e']);
  });

  it('forgets who has not been heard of in time, by the clock of the database', async () => {
    await fleet.join('silent', 'f', 60_000);
    await records.updateOne({ _id: 'f' }, { $set: { expiresAt: new Date(Date.now() - 1_000) } });
    expect(await fleet.join('silent', 'g', 60_000)).toEqual(['g']);
    expect((await fleet.join('silent', 'f', 60_000)).toSorted()).toEqual(['f', 'g']);
  });

  it('counts a process that uses the database, until it ends', async () => {
    const [presence, before] = [database.module.get(PresenceService), await fleet.size()];
    await presence.start('api');
    expect(await fleet.size()).toBe(before + 1);
    await presence.stop();
    await presence.stop();
    expect(await fleet.size()).toBe(before);
  });

  it('has no place for a process that comes while the database is being restored', async () => {
    const [hold, presence, before] = [
      database.module.get(MaintenanceModeService),
      database.module.get(PresenceService),
      await fleet.size(),
    ];
    const at = new Date('2027-03-08T09:00:00Z');
    await hold.enable({ state: 'restoring', backupAt: at, since: at });
    await expect(presence.start('api')).rejects.toThrow(/A restore of this database was not finished/);
    expect(await fleet.size()).toBe(before);
    await hold.enable({ state: 'held', backupAt: at, since: at });
    await presence.start('api');
    await presence.stop();
  });
});
