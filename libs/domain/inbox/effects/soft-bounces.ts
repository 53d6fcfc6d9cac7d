/** This many soft bounces within the period count as a hard one. */
const SOFT_LIMIT = 3;
const WITHIN_MS = 7 * 86_400_000;
/** Reports within this time of each other are about one email. */
const SAME_MS = 60_000;

/**
 * Whether soft bounces in a row count as a hard one: three within seven days.
 * @param at in any order: messages are read in parallel
 */
export function areHard(at: readonly Date[]): boolean {
  const sorted = at.toSorted((one, other) => one.getTime() - other.getTime());
  const distinct = sorted.filter((one, index) => one.getTime() - (sorted[index - 1]?.getTime() ?? 0) > SAME_MS);
  const last = distinct.at(-1);
  const first = distinct.at(-SOFT_LIMIT);
  return last !== undefined && first !== undefined && last.getTime() - first.getTime() <= WITHIN_MS;
}
