import { isFreeMail } from '@platform/validation';

/** Providers with many users: the likely targets of mistyped domains. */
const POPULAR = [
  'gmail.com',
  'googlemail.com',
  'yahoo.com',
  'yahoo.co.uk',
  'hotmail.com',
  'hotmail.co.uk',
  'outlook.com',
  'live.com',
  'msn.com',
  'icloud.com',
  'aol.com',
  'protonmail.com',
  'proton.me',
  'gmx.de',
  'gmx.net',
  'gmx.com',
  'web.de',
  't-online.de',
  'freenet.de',
  'orange.fr',
  'wanadoo.fr',
  'laposte.net',
  'libero.it',
  'comcast.net',
  'verizon.net',
  'sbcglobal.net',
  'yandex.ru',
  'mail.ru',
  'qq.com',
  '163.com',
] as const;

/** Below this length, names are too similar to tell a typo from another name (`aon.com`, `gmx.at`). */
const MIN_LENGTH = 8;
/** From this length on, names with two typos are still recognised. */
const LONG_NAME = 11;

/**
 * The provider that was probably meant (`gmial.com`: `gmail.com`); null without a similar one. A hint for people that
 * decides nothing: the domain may be valid.
 * @param domain in A-labels and lower case
 */
export function findLikelyDomain(domain: string): string | null {
  if (isFreeMail(domain)) return null;
  let best: { name: string; slips: number } | null = null;
  for (const name of POPULAR) {
    const allowed = getAllowedSlips(name);
    if (Math.abs(name.length - domain.length) > allowed) continue;
    const slips = countSlips(domain, name);
    if (slips <= allowed && (best === null || slips < best.slips)) best = { name, slips };
  }
  return best?.name ?? null;
}

function getAllowedSlips(name: string): number {
  if (name.length < MIN_LENGTH) return 0;
  return name.length < LONG_NAME ? 1 : 2;
}

/** Number of inserted, omitted, changed or transposed letters: the optimal string alignment distance. */
export function countSlips(one: string, other: string): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const changed = (last[column - 1] ?? 0) + (one[row - 1] === other[column - 1] ? 0 : 1);
      const isSwap = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const swapped = row > 1 && column > 1 && isSwap ? (before[column - 2] ?? 0) + 1 : Infinity;
      current.push(Math.min(changed, (last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, swapped));
    }
    before = last;
    last = current;
  }
  return last[other.length] ?? 0;
}
