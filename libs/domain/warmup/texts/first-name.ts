import { ROLE_NAMES, TITLES } from './name-titles';

/** A person in a thread. */
export interface Correspondent {
  /** As in the From header; empty or null without one. */
  readonly displayName: string | null;
  readonly address: string;
}

const NAME = /^\p{L}[\p{L}\p{M}'’-]{1,23}$/u;
const MAX_NAME_PARTS = 6;
/** Longer local parts are first and last name without a separator. */
const MAX_LOCAL_PART = 10;
const VOWEL_EARLY = /^.{0,2}[aeiouyäöüåæøéèêëíîïóôúàáâãõ]/i;

/**
 * Returns the first name for the greeting; null if unknown. It comes from the display name (`Anna Schmidt`, `Schmidt, Anna`, `Dr.
 * Anna Schmidt`) or the local part (`anna.schmidt@`). Departments and companies have none.
 */
export function getFirstName({ displayName, address }: Correspondent): string | null {
  const shown = displayName?.trim() ?? '';
  if (shown !== '' && !shown.includes('@')) {
    const words = splitName(shown);
    if (words.some(isRole)) return null;
    const name = words.find((word) => !TITLES.has(foldName(word)));
    if (name !== undefined && NAME.test(name)) return capitalizeName(name);
  }
  return parseLocalPart(address);
}

/** Returns first and last name if the display name contains nothing else; null otherwise. */
export function getFullName({ displayName }: Correspondent): string | null {
  const words = splitName(displayName ?? '').filter((word) => !TITLES.has(foldName(word)));
  const isName = words.length >= 2 && words.length <= 3 && words.every((word) => NAME.test(word) && !isRole(word));
  if (!isName) return null;
  // Particles such as in `Sanne de Vries` stay in lower case, unless the whole name is.
  const isSmall = words.every((word) => word === word.toLowerCase());
  return words.map((word) => (isSmall || word !== word.toLowerCase() ? capitalizeName(word) : word)).join(' ');
}

/** Splits a display name into its words in spoken order. */
function splitName(shown: string): string[] {
  const bare = shown.replace(/["“”„]|\(.*?\)|\[.*?\]/g, ' ').trim();
  const [last = '', first = '', ...more] = bare.split(',').map((part) => part.trim());
  // `Schmidt, Anna`, but not `Anna Schmidt, PhD, MBA` and not `Anna Schmidt, Acme`.
  const isTurned = first !== '' && more.length === 0 && !last.includes(' ');
  const spoken = isTurned ? `${first} ${last}` : last;
  return spoken
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, MAX_NAME_PARTS);
}

function parseLocalPart(address: string): string | null {
  const [local = ''] = address.split('@');
  const [tagless = ''] = local.split('+');
  const words = tagless.split(/[._-]+/).map((word) => word.replace(/\d+$/, ''));
  const [first = ''] = words;
  if (words.some(isRole) || !/^\p{L}{3,}$/u.test(first) || first.length > MAX_LOCAL_PART) return null;
  // `jsmith` is not a first name.
  return VOWEL_EARLY.test(first) ? capitalizeName(first) : null;
}

function isRole(word: string): boolean {
  return ROLE_NAMES.has(foldName(word));
}

function foldName(word: string): string {
  return word.toLowerCase().replace(/\.$/, '');
}

/** `ANNA-LENA` and `anna-lena` become `Anna-Lena`; mixed case stays. */
function capitalizeName(name: string): string {
  if (name !== name.toLowerCase() && name !== name.toUpperCase()) return name;
  return name.toLowerCase().replace(/(?:^|-)\p{L}/gu, (start) => start.toUpperCase());
}
