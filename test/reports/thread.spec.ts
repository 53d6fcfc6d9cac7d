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

/** The compiled file: the uncompiled sources have no file for a thread. */
const BUILT = join(__dirname, '../../dist/libs/domain/reports/content/rendering/report-renderer.service.js');

interface Built {
  readonly ReportRendererService: new () => ReportRendererService;
}

describe('the built report renderer', () => {
  const { ReportRendererService: Renderer } = jest.requireActual<Built>(BUILT);
  let renderer: ReportRendererService;

  /** Shared by all tests: the first use of a thread loads the chart and image libraries. */
  beforeAll(() => {
    renderer = new Renderer();
  });
  afterAll(() => renderer.onModuleDestroy());

  it('renders on its thread the same report as without one', async () => {
    const there = await renderer.render(busyWeek());
    const here = await renderReport(busyWeek());
    expect({ ...there, images: there.images.length }).toEqual({ ...here, images: here.images.length });
    for (const [index, { png, ...image }] of there.images.entries()) {
      expect(image).toEqual({ ...here.images[index], png: undefined });
      expect(here.images[index]?.png.equals(png)).toBe(true);
    }
  });

  it('does not block its process meanwhile', async () => {
    const making = renderer.render(hostileWeek());
    let ticks = 0;
    const ticking = setInterval(() => (ticks += 1), 1);
    await making;
    clearInterval(ticking);
    // On the main thread, the first tick would come after the report.
    expect(ticks).toBeGreaterThan(10);
  });

  it('reports an error, and renders the next report', async () => {
    const broken = { ...busyWeek(), campaigns: null } as unknown as ReportFacts;
    await expect(renderer.render(broken)).rejects.toThrow('A report could not be rendered: TypeError');
    await expect(renderer.render(busyWeek())).resolves.toMatchObject({ subject: busySubject });
  });

  it('reports that it is busy when too many reports wait, and ends with its process, also during a report', async () => {
    const all = Array.from({ length: MAX_PENDING + 1 }, () => renderer.render(quietWeek()));
    const settling = Promise.allSettled(all);
    const refused = Promise.race(all.map((one, index) => one.catch((error: unknown) => ({ index, error }))));
    expect(await refused).toMatchObject({ index: MAX_PENDING, error: { code: 'SERVICE_UNAVAILABLE' } });
    await renderer.onModuleDestroy();
    const unavailable = { status: 'rejected', reason: { code: 'SERVICE_UNAVAILABLE' } };
    expect(await settling).toMatchObject(Array.from({ length: MAX_PENDING + 1 }, () => unavailable));
  });
});

const busySubject = 'Acme Growth: 26 positive replies (+9), 9 Nov – 15 Nov';
