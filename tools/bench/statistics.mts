import type { Sample } from './load.mts';

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  if (low === undefined || high === undefined) throw new Error('No values');
  return (low + high) / 2;
}

/** The value that `part` (0 to 1) of the values do not exceed. */
export function quantile(values: number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN;
}

/** The median of each number separately. */
export function typical(samples: Sample[]): Sample {
  return {
    requestsPerSecond: median(samples.map((sample) => sample.requestsPerSecond)),
    p99Ms: median(samples.map((sample) => sample.p99Ms)),
    cpuMs: median(samples.map((sample) => sample.cpuMs)),
  };
}

/** The median of the ratios of each round: measurements close in time compare better than the two medians. */
export function ratio(field: keyof Sample, subject: Sample[], denominator: Sample[]): number {
  return median(subject.map((sample, round) => sample[field] / (denominator[round]?.[field] ?? Number.NaN)));
}
