import { BlacklistFixture, FOREVER } from '../testing/blacklist-fixture';
import { BlacklistZonesService } from './blacklist-zones.service';
import { ZoneCatalogue } from './zone-catalogue';

const MINUTE_MS = 60_000;
const LISTED = { A: ['127.0.0.2'] };

describe('self-tests of zones', () => {
  let fixture: BlacklistFixture;

  beforeAll(async () => {
    fixture = await BlacklistFixture.open([{ zone: 'dbl.test', kind: 'domain' }], {});
  });
  afterAll(() => fixture.close());
  beforeEach(async () => {
    await fixture.reset({});
    fixture.clock.freeze(new Date('2026-11-21T08:00:00Z'));
  });

  const selfTests = () => fixture.get(BlacklistZonesService);
  const zones = () => fixture.get(ZoneCatalogue).zones;
  /** The number of self-test queries of the zone when its status is requested now. */
  async function asked(): Promise<number> {
    fixture.dns.queries.length = 0;
    await selfTests().getSelfTests(zones(), FOREVER);
    return fixture.dns.queries.filter(({ name }) => name === 'test.dbl.test').length;
  }

  it.each([
    ['works', LISTED, 6 * 60],
    ['broken', {}, 60],
    ['refused', { A: ['127.255.255.254'] }, 60],
    ['silent', 'timeout', 5],
  ] as const)('are cached for their lifetime when their result is %s', async (outcome, entry, minutes) => {
    fixture.publish({ 'test.dbl.test': entry });
    expect(await asked()).toBe(1);
    expect([...(await selfTests().findLastSelfTests(zones())).values()]).toMatchObject([{ outcome }]);
    fixture.clock.advance(minutes * MINUTE_MS - 1);
    expect(await asked()).toBe(0);
    fixture.clock.advance(1);
    expect(await asked()).toBe(1);
  });

  it('do not apply to a zone with changed settings', async () => {
    fixture.publish({ 'test.dbl.test': LISTED });
    await asked();
    const [zone] = zones();
    for (const other of [{ suffix: 'key.dbl.test' }, { testPoints: { listed: 'a', clear: 'b' } }]) {
      expect((await selfTests().findLastSelfTests([{ ...zone!, ...other }])).size).toBe(0);
    }
    expect((await selfTests().findLastSelfTests([{ ...zone!, name: 'Renamed' }])).size).toBe(1);
  });
});
