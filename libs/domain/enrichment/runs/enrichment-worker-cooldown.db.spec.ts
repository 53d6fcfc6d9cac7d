import { type WorkspaceScope } from '@domain/access';
import { addresses, EnrichmentFixture } from '../testing/enrichment-fixture';
import { decisive } from '../testing/scripted-work';
import { MAX_CLAIMS } from './outcome-decision';

const MINUTE_MS = 60_000;

describe('an enrichment provider with a cooldown', () => {
  let fixture: EnrichmentFixture;
  let workspace: WorkspaceScope;

  beforeAll(async () => {
    fixture = await EnrichmentFixture.open();
  });
  afterAll(() => fixture.close());
  beforeEach(async () => {
    workspace = await fixture.fresh();
  });

  it('may put an item back more often than the item may be claimed, without using up claims', async () => {
    const { id } = await fixture.create(workspace, addresses(2));
    fixture.work.does = () => ({ kind: 'put_back', at: fixture.clock.in(MINUTE_MS) });
    for (let round = 0; round < MAX_CLAIMS + 2; round += 1) {
      await fixture.run(workspace);
      fixture.clock.advance(MINUTE_MS);
    }
    const waiting = await fixture.items(workspace);
    expect(waiting.map(({ claims, attempts, open }) => [claims, attempts, open])).toEqual([
      [0, 0, true],
      [0, 0, true],
    ]);
    expect(fixture.work.asked).toHaveLength(2 * (MAX_CLAIMS + 2));
    fixture.work.does = () => decisive();
    await fixture.run(workspace);
    expect(await fixture.read(workspace, id)).toMatchObject({ status: 'completed', metadata: { creditsUsed: 2 } });
  });

  it('delays all its jobs until the cooldown ends, and no item is claimed before', async () => {
    const { id } = await fixture.create(workspace, addresses(30));
    const cooldownUntil = fixture.clock.in(10 * MINUTE_MS);
    fixture.work.cooldownUntil = (workspaceId) =>
      Promise.resolve(workspaceId === workspace.workspaceId ? cooldownUntil : null);
    await fixture.run(workspace);
    expect(fixture.work.asked).toEqual([]);
    expect((await fixture.items(workspace)).every(({ claims }) => claims === 0)).toBe(true);
    expect((await fixture.job(workspace, id)).nextAt).toEqual(cooldownUntil);
    fixture.clock.advance(9 * MINUTE_MS);
    await fixture.run(workspace);
    expect(fixture.work.asked).toEqual([]);
    fixture.clock.advance(MINUTE_MS);
    await fixture.run(workspace);
    expect(await fixture.read(workspace, id)).toMatchObject({ status: 'completed', metadata: { creditsUsed: 30 } });
  });
});
