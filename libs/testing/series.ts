import { MetricsService } from '@platform/observability';

interface Known {
  get(type: typeof MetricsService, options: { strict: false }): MetricsService;
}

/** What a series stands at (`outreach_sends_total{state="sent"}`), as whoever scrapes the process sees it; 0 where it is not there. */
export async function getSeries(app: Known, series: string): Promise<number> {
  const text = await app.get(MetricsService, { strict: false }).text();
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? 0 : Number(line.slice(series.length));
}
