import type { Serve } from './child.mts';
import { loadBuilt } from './harness.mts';
import { alternate, type Goal, heading, line, sample, showGoals, type Stage } from './measure.mts';

/** The numbers of reports at the first and the last measurement of memory. */
const [EARLY, LATE] = [60, 200];
const FIGURES =
  'contacted sent opened clicked replied positiveReplied bounced unsubscribed autoReplied complained'.split(' ');

/** A weekly report of a full workspace (HTML, text and four charts): its time, its size, and the memory over many. */
export async function reports({ fixture, rounds, short }: Stage): Promise<Goal[]> {
  heading('Making a report with four charts');
  const child = await fixture.child('reports', 'serveReports');
  const make = (count: number) => child.read<{ bytes: number }>(`/?count=${count}`);
  const { bytes } = await make(1);
  await alternate(rounds, 'reports', { report: () => sample(10, child, () => make(10)) });
  await make(short ? 1 : EARLY);
  const early = child.residentMib();
  await make(short ? 1 : LATE - EARLY);
  const late = child.residentMib();
  await child.stop();
  line('RSS', `${early.toFixed(0)} MiB`, `${late.toFixed(0)} MiB`);
  return showGoals([
    { what: `RSS after ${LATE} / after ${EARLY} reports`, value: late / early, bound: { below: 1.15 } },
    { what: 'a report with its pictures', value: bytes / 1_024, bound: { below: 342 }, unit: ' kB' },
  ]);
}

export async function serveReports(): Promise<Serve> {
  const { renderReport } = loadBuilt('libs/domain/reports/content/rendering/render-report');
  return async ({ searchParams }) => {
    let bytes = 0;
    for (let made = 0; made < Number(searchParams.get('count')); made++) {
      const { html, images } = await renderReport(createFacts());
      bytes = images.reduce((sum: number, image: { png: Buffer }) => sum + image.png.length, Buffer.byteLength(html));
    }
    return { bytes };
  };
}

/** A week of a full workspace. */
function createFacts() {
  const list = <T,>(length: number, create: (index: number) => T): T[] => Array.from({ length }, (_, n) => create(n));
  const figures = (scale: number) =>
    Object.fromEntries(FIGURES.map((figure, index) => [figure, Math.round((scale * 100) / (index + 1))]));
  const mailbox = {
    state: 'ready',
    healthScore: 90,
    warmup: 'in_progress',
    dailyLimit: 50,
    sent: 100,
    replied: 5,
    bounced: 1,
  };
  return {
    workspaceName: 'Acme Growth',
    readerName: 'Ada',
    reportType: 'workspace',
    about: [],
    period: { frequency: 'weekly', first: '2026-11-09', last: '2026-11-15', timezone: 'Europe/Berlin' },
    figures: figures(50),
    before: figures(40),
    days: list(7, (day) => ({ day: `2026-11-${String(9 + day).padStart(2, '0')}`, figures: figures(day) })),
    campaigns: {
      shown: list(10, (index) => ({ id: `c${index}`, name: `Campaign ${index}`, figures: figures(10 - index) })),
      rest: { count: 990, figures: figures(100) },
    },
    mailboxes: {
      total: 1_000,
      states: { disconnected: 10, stopped: 5, unreachable: 5, switched_off: 20, paused: 60, ready: 900 },
      health: { good: 800, fair: 100, poor: 50, unknown: 50 },
      inWarmup: 200,
      dailyLimit: 45_000,
      shown: list(8, (index) => ({ email: `sender${index}@acme.example`, ...mailbox })),
    },
    attention: { items: list(12, (n) => ({ severity: 'warning', sentence: `Sentence ${n} for a person.` })), more: 3 },
    madeAt: '2026-11-16T07:00:00.000Z',
    publicUrl: 'https://outreach.acme.example',
  };
}
