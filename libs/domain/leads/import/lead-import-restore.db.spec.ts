import { ImportsFixture } from '../testing/imports-fixture';
import { LeadImportRepository } from './lead-import.repository';
import { LeadImportChunkRecord } from './schemas/lead-import-chunk.record';

const MINUTE_MS = 60_000;
const FILE = 'email\nada@example.com';

describe('imports of a restored database', () => {
  let fixture: ImportsFixture;

  beforeAll(async () => {
    fixture = await ImportsFixture.open();
  });
  afterAll(() => fixture.database.close());

  it('end if they were open at the backup, and create no more leads; later and other imports continue', async () => {
    const [at, elsewhere] = [await fixture.campaign(), await fixture.campaign()];
    const { workspaceId } = at.workspace;
    const done = await fixture.upload(at, FILE);
    await fixture.run(at, done._id);
    const open = await fixture.upload(at, FILE);
    const other = await fixture.upload(elsewhere, FILE);
    const until = fixture.database.clock.now();
    fixture.database.clock.advance(MINUTE_MS);
    const later = await fixture.upload(at, FILE);

    expect(await fixture.get(LeadImportRepository).reconcile(workspaceId, until)).toBe(1);
    await fixture.run(at, open._id);
    expect(await fixture.read(at, open._id)).toMatchObject({
      status: 'failed',
      error: { code: 'RESTORED' },
      counts: { rows: 0 },
    });
    expect(await fixture.read(at, done._id)).toMatchObject({ status: 'completed', error: null });
    expect(await fixture.read(at, later._id)).toMatchObject({ status: 'pending' });
    expect(await fixture.read(elsewhere, other._id)).toMatchObject({ status: 'pending' });
    // The chunk of the later import.
    expect(await fixture.model<LeadImportChunkRecord>(LeadImportChunkRecord).countDocuments({ workspaceId })).toBe(1);
    expect(await fixture.get(LeadImportRepository).reconcile(workspaceId, until)).toBe(0);
  });
});
