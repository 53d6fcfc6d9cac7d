import { type Sample } from './load.mts';
import { typical } from './statistics.mts';

/** A number and its bound. */
export interface Goal {
  what: string;
  value: number;
  /** The number must be `atLeast`, `atMost` or `below` this. */
  bound: { atLeast: number } | { atMost: number } | { below: number };
  unit?: string;
}

export function isMet({ value, bound }: Goal): boolean {
  if (!Number.isFinite(value)) return false;
  if ('atLeast' in bound) return value >= bound.atLeast;
  return 'atMost' in bound ? value <= bound.atMost : value < bound.below;
}

export function heading(text: string): void {
  console.log(`\n${text}`);
}

/** One line per measurement: rate, 99th percentile, CPU of the server process. */
export function showSamples(name: string, samples: Sample[]): void {
  const { requestsPerSecond, p99Ms, cpuMs } = typical(samples);
  const numbers = [
    `${requestsPerSecond.toFixed(0).padStart(6)} requests/s`,
    `p99 ${p99Ms.toFixed(0).padStart(4)} ms`,
    `CPU ${cpuMs.toFixed(2).padStart(5)} ms`,
  ];
  console.log(`  ${name.padEnd(46)} ${numbers.join('   ')}`);
}

function showGoal(goal: Goal): void {
  const { what, value, bound, unit = '' } = goal;
  const [kind = '', limit = 0] = Object.entries(bound)[0] ?? [];
  const sign = { atLeast: '>=', atMost: '<=', below: '<' }[kind] ?? '';
  const digits = unit === '' ? 2 : 0;
  const verdict = isMet(goal) ? 'PASS' : 'FAIL';
  console.log(`  ${what.padEnd(46)} ${value.toFixed(digits)}${unit} (goal ${sign} ${limit}${unit})   ${verdict}`);
}

export function showGoals(goals: Goal[]): Goal[] {
  goals.forEach(showGoal);
  return goals;
}
