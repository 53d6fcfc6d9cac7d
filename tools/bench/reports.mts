import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { asInTheImage } from './image.mts';
import { type Chart, createRenderer, FACTS } from './report-rendering.mts';
import { type Goal, heading, showGoals } from './report.mts';
import { median } from './statistics.mts';
import type { Stage } from './subjects.mts';

/** The numbers of reports at the first and the last measurement of memory. */
const EARLY = 60;
const LATE = 200;
const REPORTS_PER_ROUND = 20;

/** Measures a weekly report of a full workspace (HTML, text and four charts) compared with the charts alone, and the memory over many reports. */
export async function reports({ rounds }: Stage): Promise<Goal[]> {
  heading('Making a report with four charts, against the same charts with echarts and resvg alone');
  const renderer = createRenderer();
  const bare = bareDrawing();
  const charts = renderer.charts(FACTS);
  await renderer.render(FACTS);
  await bare(charts);
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const alone = await timed(() => bare(charts));
    const whole = await timed(() => renderer.render(FACTS));
    ratios.push(whole / alone);
    console.log(`  charts alone ${alone.toFixed(0).padStart(4)} ms   the report ${whole.toFixed(0).padStart(4)} ms`);
  }
  const { html, images } = await renderer.render(FACTS);
  const bytes = images.reduce((sum, { png }) => sum + png.length, Buffer.byteLength(html));
  const { early, late } = await resident();
  console.log(`  RSS ${early.toFixed(0)} MiB after ${EARLY} reports, ${late.toFixed(0)} MiB after ${LATE}`);
  return showGoals([
    { what: 'time of a report / of its charts alone', value: median(ratios), bound: { atMost: 2 } },
    { what: `RSS after ${LATE} / after ${EARLY} reports`, value: late / early, bound: { below: 1.15 } },
    { what: 'a report with its pictures', value: bytes / 1_024, bound: { below: 342 }, unit: ' kB' },
  ]);
}

/** Milliseconds of each of some reports. */
async function timed(make: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  for (let made = 0; made < REPORTS_PER_ROUND; made++) await make();
  return (performance.now() - started) / REPORTS_PER_ROUND;
}

/** In a separate process with the flags of the image: a process that may use gigabytes does not collect garbage. */
async function resident(): Promise<{ early: number; late: number }> {
  const { args, env } = asInTheImage();
  const options = { env: { ...env, PATH: process.env['PATH'] ?? '', EARLY: String(EARLY), LATE: String(LATE) } };
  const all = [...args, 'tools/bench/reports-client.mts'];
  return JSON.parse((await promisify(execFile)(process.execPath, all, options)).stdout);
}

/** The straightforward code after reading the documentation of both libraries. */
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
