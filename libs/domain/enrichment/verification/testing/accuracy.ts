import { type VerificationResult } from '../verdict-reasons';
import { type Truth } from './labelled-kinds';

export interface Judged {
  readonly kind: string;
  readonly truth: Truth;
  readonly result: VerificationResult;
}

/** The expected result for each truth. */
const RIGHT: Readonly<Record<Truth, VerificationResult>> = {
  exists: 'valid',
  missing: 'invalid',
  full: 'risky',
  disabled: 'invalid',
  any: 'catch_all',
};

type Mark = 'right' | 'open' | 'wrong';

/** `open`: neither the expected result nor a wrong one. */
export function getMark({ truth, result }: Judged): Mark {
  if (RIGHT[truth] === result) return 'right';
  return result === 'unknown' || result === 'catch_all' ? 'open' : 'wrong';
}

/** The section of docs/reference/verification-accuracy.md, with its tables. */
export function accuracySection(judged: readonly Judged[]): string {
  const kinds = [...new Set(judged.map(({ kind }) => kind))];
  const rows = kinds.map((kind) => {
    const own = judged.filter((one) => one.kind === kind);
    return [kind, own.length, count(own, 'right'), count(own, 'open'), count(own, 'wrong')];
  });
  const results = (['valid', 'invalid', 'risky', 'catch_all'] as const).map((result) => {
    const said = judged.filter((one) => one.result === result);
    const there = judged.filter(({ truth }) => RIGHT[truth] === result);
    const right = count(said, 'right');
    return [`\`${result}\``, said.length, percent(right, said.length), there.length, percent(right, there.length)];
  });
  return [
    ...table(['Mail server of the domain', 'Addresses', 'Right', 'Open', 'Wrong'], rows),
    '',
    ...table(['Result', 'Said', 'Precision', 'There are', 'Recall'], results),
  ].join('\n');
}

function count(judged: readonly Judged[], mark: Mark): number {
  return judged.filter((one) => getMark(one) === mark).length;
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`;
}

/** In the format of prettier. */
function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): readonly string[] {
  const cells = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const [first = [], ...others] = cells;
  return [line(first), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...others.map(line)];
}
