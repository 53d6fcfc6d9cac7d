import { createRequire } from 'node:module';
import { type Goal, heading, showGoals } from './report.mts';
import { median } from './statistics.mts';
import type { Stage } from './subjects.mts';

/** Reports that are made before the memory is looked at for the first time, and for the last. */
const EARLY = 60;
const LATE = 200;
const REPORTS_PER_ROUND = 20;
const MEGABYTE = 1_048_576;
const FIGURES = ['contacted', 'sent', 'opened', 'clicked', 'replied', 'positiveReplied', 'bounced', 'unsubscribed', 'autoReplied', 'complained'] as const; // prettier-ignore

type Figures = Record<(typeof FIGURES)[number], number>;

interface Chart {
  readonly height: number;
  readonly option: object;
}

interface Press {
  printed(facts: object): Promise<{ html: string; images: readonly { png: Buffer }[] }>;
  charts(facts: typeof FACTS): Chart[];
}

/** A weekly report of a full workspace: HTML, text and four charts, against the charts alone; and the memory over many of them. */
export async function reports({ rounds }: Stage): Promise<Goal[]> {
  heading('Making a report with four charts, against the same charts with echarts and resvg alone');
  const press = built();
  const bare = bareDrawing();
  const charts = press.charts(FACTS);
  await press.printed(FACTS);
  await bare(charts);
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const alone = await timed(() => bare(charts));
    const whole = await timed(() => press.printed(FACTS));
    ratios.push(whole / alone);
    console.log(`  charts alone ${alone.toFixed(0).padStart(4)} ms   the report ${whole.toFixed(0).padStart(4)} ms`);
  }
  const { html, images } = await press.printed(FACTS);
  const bytes = images.reduce((sum, { png }) => sum + png.length, Buffer.byteLength(html));
  const early = await residentAfter(press, EARLY);
  const late = await residentAfter(press, LATE - EARLY);
  console.log(`  RSS ${early.toFixed(0)} MB after ${EARLY} reports, ${late.toFixed(0)} MB after ${LATE}`);
  return showGoals([
    { what: 'time of a report / of its charts alone', value: median(ratios), bound: { atMost: 2 } },
    { what: `RSS after ${LATE} / after ${EARLY} reports`, value: late / early, bound: { below: 1.15 } },
    { what: 'a report with its pictures', value: bytes / 1_024, bound: { below: 342 }, unit: ' kB' },
  ]);
}

/** ms for each of some. */
async function timed(make: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  for (let made = 0; made < REPORTS_PER_ROUND; made++) await make();
  return (performance.now() - started) / REPORTS_PER_ROUND;
}

async function residentAfter(press: Press, count: number): Promise<number> {
  for (let made = 0; made < count; made++) await press.printed(FACTS);
  return process.memoryUsage.rss() / MEGABYTE;
}

/** As its thread makes them, without the thread. */
function built(): Press {
  const load = createRequire(import.meta.url);
  const content = '../../dist/libs/domain/reports/content';
  const { printed } = load(`${content}/press/report.print.js`);
  const { campaignChart, dayCharts } = load(`${content}/charts/figure.charts.js`);
  const { mailboxChart } = load(`${content}/charts/mailbox.charts.js`);
  return {
    printed,
    charts: (facts) => [...dayCharts(facts.days), campaignChart(facts), mailboxChart(facts.mailboxes)],
  };
}

/** What anybody would write who has read the documentation of both. */
function bareDrawing(): (charts: readonly Chart[]) => Promise<void> {
  const load = createRequire(import.meta.url);
  const echarts = load('echarts');
  const { renderAsync } = load('@resvg/resvg-js');
  const font = { loadSystemFonts: false, fontFiles: [load.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf')] };
  return async (charts) => {
    for (const { option, height } of charts) {
      const drawing = echarts.init(null, null, { renderer: 'svg', ssr: true, width: 480, height });
      drawing.setOption(option);
      const svg = drawing.renderToSVGString();
      drawing.dispose();
      (await renderAsync(svg, { fitTo: { mode: 'zoom', value: 1_184 / 480 }, font })).asPng();
    }
  };
}

function figures(scale: number): Figures {
  return Object.fromEntries(
    FIGURES.map((figure, index) => [figure, Math.round((scale * 100) / (index + 1))]),
  ) as Figures;
}

const FACTS = {
  workspaceName: 'Acme Growth',
  readerName: 'Ada',
  reportType: 'workspace',
  about: [],
  period: { frequency: 'weekly', first: '2026-11-09', last: '2026-11-15', timezone: 'Europe/Berlin' },
  figures: figures(50),
  before: figures(40),
  days: Array.from({ length: 7 }, (_, day) => ({
    day: `2026-11-${String(9 + day).padStart(2, '0')}`,
    figures: figures(day),
  })),
  campaigns: {
    shown: Array.from({ length: 10 }, (_, index) => ({
      id: `c${index}`,
      name: `Campaign ${index}`,
      figures: figures(10 - index),
    })),
    rest: { count: 990, figures: figures(100) },
  },
  mailboxes: {
    total: 1_000,
    states: { disconnected: 10, stopped: 5, unreachable: 5, switched_off: 20, paused: 60, ready: 900 },
    health: { good: 800, fair: 100, poor: 50, unknown: 50 },
    inWarmup: 200,
    dailyLimit: 45_000,
    shown: Array.from({ length: 8 }, (_, index) => ({
      email: `sender${index}@acme.example`,
      state: 'ready',
      healthScore: 90,
      warmup: 'in_progress',
      dailyLimit: 50,
      sent: 100,
      replied: 5,
      bounced: 1,
    })),
  },
  attention: {
    items: Array.from({ length: 12 }, (_, index) => ({
      severity: 'warning',
      sentence: `Sentence ${index} about what needs a person.`,
    })),
    more: 3,
  },
  madeAt: '2026-11-16T07:00:00.000Z',
  publicUrl: 'https://outreach.acme.example',
};
