import { MetricsService } from '@platform/observability';

interface MetricsSource {
  get(type: typeof MetricsService, options: { strict: false }): MetricsService;
}

/** Returns the value of a series (`outreach_sends_total{state="sent"}`) as a scrape sees it; 0 for an absent one. */
export async function getSeries(app: MetricsSource, series: string): Promise<number> {
  const text = await app.get(MetricsService, { strict: false }).text();
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? 0 : Number(line.slice(series.length));
}
