import { MetricsService } from '@platform/observability';

interface MetricsSource {
  get(type: typeof MetricsService, options: { strict: false }): MetricsService;
}

/** Current value of a series (`outreach_sends_total{state="sent"}`) as scraped from the process; 0 if it is absent. */
export async function getSeries(app: Known, series: string): Promise<number> {
  const text = await app.get(MetricsService, { strict: false }).text();
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? 0 : Number(line.slice(series.length));
}
