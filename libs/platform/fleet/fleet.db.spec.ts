import { getModelToken } from '@nestjs/mongoose';
import { openTestDatabase, type TestDatabase } from '@testing';
import { type Model } from 'mongoose';
import { Hold } from '@platform/hold';
import { Fleet, FleetModule, Presence } from '.';
import { FleetMemberRecord } from './fleet.record';

describe('a fleet', () => {
  let database: TestDatabase;
  let fleet: Fleet;
  let records: Model<FleetMemberRecord>;

  beforeAll(async () => {
    database = await openTestDatabase({ imports: [FleetModule] });
    fleet = database.module.get(Fleet);
    records = database.module.get(getModelToken(FleetMemberRecord.name));
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
    const [presence, before] = [database.module.get(Presence), await fleet.size()];
    await presence.begin('api');
    expect(await fleet.size()).toBe(before + 1);
    await presence.end();
    await presence.end();
    expect(await fleet.size()).toBe(before);
  });

  it('has no place for a process that comes while the database is being restored', async () => {
    const [hold, presence, before] = [database.module.get(Hold), database.module.get(Presence), await fleet.size()];
    const at = new Date('2027-03-08T09:00:00Z');
    await hold.set({ state: 'restoring', backupAt: at, since: at });
    await expect(presence.begin('api')).rejects.toThrow(/A restore of this database was not finished/);
    expect(await fleet.size()).toBe(before);
    await hold.set({ state: 'held', backupAt: at, since: at });
    await presence.begin('api');
    await presence.end();
  });
});
