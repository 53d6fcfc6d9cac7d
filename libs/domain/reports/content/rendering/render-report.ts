import { renderChart } from '../charts/chart-painter';
import { CHART_WIDTH, getShownHeight } from '../charts/chart-theme';
import { type Chart } from '../charts/chart';
import { createCampaignChart, createDayCharts } from '../charts/figure-charts';
import { createMailboxChart } from '../charts/mailbox-charts';
import { toMjml } from '../layout/report-mjml';
import { toReportText } from '../layout/report-text';
import { toView } from '../layout/report-view';
import { type ReportFacts } from '../report-facts';
import { type RenderedReport, type ReportImage } from '../report-shape';
import { renderMjml } from './mjml';

/** Renders a report. The same facts give the same bytes. */
export async function renderReport(facts: ReportFacts): Promise<RenderedReport> {
  const view = toView(facts);
  const charts = [
    ...(view.isEmpty ? [] : createDayCharts(facts.days)),
    createCampaignChart(facts),
    createMailboxChart(facts.mailboxes),
  ];
  const images: ReportImage[] = [];
  for (const chart of charts) if (chart) images.push(await toImage(chart));
  const pictures = Object.fromEntries(images.map((image) => [image.filename.replace('.png', ''), image]));
  return { subject: view.subject, html: await renderMjml(toMjml(view, pictures)), text: toReportText(view), images };
}

async function toImage(chart: Chart): Promise<ReportImage> {
  const { name, alt, height } = chart;
  const png = await renderChart(chart);
  return {
    cid: `${name}@report`,
    filename: `${name}.png`,
    png,
    alt,
    width: CHART_WIDTH,
    height: getShownHeight(height),
  };
}
