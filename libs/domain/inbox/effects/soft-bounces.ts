/** Soft bounces that say as much as a hard one. */
const ENOUGH = 3;
const WITHIN_MS = 7 * 86_400_000;
/** Several reports of one email are one. */
const SAME_MS = 60_000;

/**
 * Whether soft bounces in a row have become a hard one: three within seven days.
 * @param at in whatever order they were read: several are looked at at once
 */
export function areHard(at: readonly Date[]): boolean {
  const sorted = at.toSorted((one, other) => one.getTime() - other.getTime());
  const distinct = sorted.filter((one, index) => one.getTime() - (sorted[index - 1]?.getTime() ?? 0) > SAME_MS);
  const last = distinct.at(-1);
  const first = distinct.at(-ENOUGH);
  return last !== undefined && first !== undefined && last.getTime() - first.getTime() <= WITHIN_MS;
}
