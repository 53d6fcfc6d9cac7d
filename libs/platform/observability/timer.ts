import { type Histogram } from 'prom-client';

/** The labels of a measurement, by outcome. */
export interface TimedLabels<T, L extends string> {
  readonly done: (result: T) => Partial<Record<L, string>>;
  readonly failed: (error: unknown) => Partial<Record<L, string>>;
}

/** Runs the work and records its duration. */
export async function measureTime<T, L extends string>(
  histogram: Histogram<L>,
  { done, failed }: TimedLabels<T, L>,
  work: () => Promise<T>,
): Promise<T> {
  const began = performance.now();
  const observe = (labels: Partial<Record<L, string>>): void =>
    histogram.observe(labels, (performance.now() - began) / 1_000);
  try {
    const result = await work();
    observe(done(result));
    return result;
  } catch (error) {
    observe(failed(error));
    throw error;
  }
}
