import { LazyGauges } from './lazy-gauges';
import { MetricsService } from './metrics.service';
import { measureTime } from './timer';

describe('gauges measured on request', () => {
  const metrics = new MetricsService();
  const values = async (name: string) =>
    (await metrics.text()).split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));

  it('show the samples, are measured at most every five seconds, and drop samples that no longer exist', async () => {
    let now = 0;
    const refreshed = new LazyGauges(() => undefined);
    const find = jest.fn().mockResolvedValueOnce([{ labels: { work: 'a' }, value: 3 }]);
    find.mockResolvedValueOnce([{ labels: { work: 'b' }, value: 4 }]);
    refreshed.add(metrics.dueAge, find);
    const at = async (milliseconds: number) => {
      now = milliseconds;
      await refreshed.refresh(() => now);
      return values('outreach_due_age_seconds');
    };
    expect(await at(0)).toEqual(['outreach_due_age_seconds{work="a"} 3']);
    expect(await at(5_000)).toEqual(['outreach_due_age_seconds{work="a"} 3']);
    expect(await at(5_001)).toEqual(['outreach_due_age_seconds{work="b"} 4']);
    expect(find).toHaveBeenCalledTimes(2);
  });

  it('omit a gauge that fails, log the failure and show the others', async () => {
    metrics.measureLazily(metrics.mailboxes, () => Promise.resolve([{ labels: { state: 'connected' }, value: 2 }]));
    metrics.ambiguousSends.set(7);
    metrics.measureLazily(metrics.ambiguousSends, () => Promise.reject(new Error('away')));
    const text = await metrics.text();
    expect(text).not.toMatch(/^outreach_ambiguous_sends /m);
    expect(text).toContain('outreach_mailboxes{state="connected"} 2');
    expect(text).toContain('outreach_measure_failures_total{metric="outreach_ambiguous_sends"} 1');
  });

  it('wait three seconds for a hanging measurement and do not repeat it meanwhile', async () => {
    jest.useFakeTimers();
    try {
      const failed: string[] = [];
      const measured = new LazyGauges((name) => failed.push(name));
      const find = jest.fn(() => new Promise<never>(() => {}));
      measured.add(metrics.queueLag, find);
      for (const _scrape of [1, 2]) {
        const refreshed = measured.refresh(() => 0);
        await jest.advanceTimersByTimeAsync(3_000);
        await refreshed;
      }
      expect(failed).toEqual(['outreach_queue_lag_seconds', 'outreach_queue_lag_seconds']);
      expect(find).toHaveBeenCalledTimes(1);
    } finally {
      jest.useRealTimers();
    }
  });
});

describe('a timed call', () => {
  const labels = { done: (result: number) => ({ outcome: `${result}` }), failed: () => ({ outcome: 'failed' }) };

  it.each([
    ['its result', () => Promise.resolve(5), '5'],
    ['its failure', () => Promise.reject(new Error('no')), 'failed'],
  ])('is counted under %s', async (_name, work, outcome) => {
    const { outboundRequests, registry } = new MetricsService();
    const settled = measureTime(outboundRequests, labels, work);
    await expect(settled.then(String, (error: Error) => error.message)).resolves.toBe(outcome === '5' ? '5' : 'no');
    expect(await registry.metrics()).toContain(`duration_seconds_count{outcome="${outcome}"} 1`);
  });
});
