import { join } from 'node:path';
import {
  busyWeek,
  hostileWeek,
  MAX_PENDING,
  renderReport,
  quietWeek,
  type ReportFacts,
  type ReportRendererService,
} from '../../libs/domain/reports/testing';

/** As it is deployed: the sources have no file that a thread could begin with. */
const BUILT = join(__dirname, '../../dist/libs/domain/reports/content/rendering/report-renderer.service.js');

interface Built {
  readonly ReportPress: new () => ReportRendererService;
}

describe('the press of reports, built', () => {
  const { ReportPress: Press } = jest.requireActual<Built>(BUILT);
  let press: ReportRendererService;

  /** One for all: a thread begins with loading what charts and pictures are made with. */
  beforeAll(() => {
    press = new Press();
  });
  afterAll(() => press.onModuleDestroy());

  it('makes on its thread what would be made without one', async () => {
    const there = await press.render(busyWeek());
    const here = await renderReport(busyWeek());
    expect({ ...there, images: there.images.length }).toEqual({ ...here, images: here.images.length });
    for (const [index, { png, ...image }] of there.images.entries()) {
      expect(image).toEqual({ ...here.images[index], png: undefined });
      expect(here.images[index]?.png.equals(png)).toBe(true);
    }
  });

  it('leaves its process free meanwhile', async () => {
    const making = press.render(hostileWeek());
    let turns = 0;
    const ticking = setInterval(() => (turns += 1), 1);
    await making;
    clearInterval(ticking);
    // Had it been made here, the first tick would have come when all was done.
    expect(turns).toBeGreaterThan(10);
  });

  it('tells what went wrong, and makes the next one', async () => {
    const broken = { ...busyWeek(), campaigns: null } as unknown as ReportFacts;
    await expect(press.render(broken)).rejects.toThrow('A report could not be made: TypeError');
    await expect(press.render(busyWeek())).resolves.toMatchObject({ subject: busySubject });
  });

  it('says that it is busy when too many wait, and ends with its process, also while it makes one', async () => {
    const all = Array.from({ length: MAX_PENDING + 1 }, () => press.render(quietWeek()));
    const settling = Promise.allSettled(all);
    const refused = Promise.race(all.map((one, index) => one.catch((error: unknown) => ({ index, error }))));
    expect(await refused).toMatchObject({ index: MAX_PENDING, error: { code: 'SERVICE_UNAVAILABLE' } });
    await press.onModuleDestroy();
    const unavailable = { status: 'rejected', reason: { code: 'SERVICE_UNAVAILABLE' } };
    expect(await settling).toMatchObject(Array.from({ length: MAX_PENDING + 1 }, () => unavailable));
  });
});

const busySubject = 'Acme Growth: 26 positive replies (+9), 9 Nov – 15 Nov';
