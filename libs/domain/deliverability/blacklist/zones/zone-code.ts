import { IPv4 } from 'ipaddr.js';

/**
 * Meaning of a zone's answer. `abuse`: listed for sent or hosted abuse; `policy`: listed by a rule, such as addresses that should
 * not send mail; `refused`: no result for this client; `clear`: not a listing.
 */
export const CODE_MEANINGS = ['abuse', 'policy', 'refused', 'clear'] as const;
export type CodeMeaning = (typeof CODE_MEANINGS)[number];

/** One code of a zone, or several of the same meaning. */
export interface ZoneCode {
  /** `127.0.0.2`, `127.0.0.4-127.0.0.7`, or `&8`: that bit of the last octet of an answer in 127.0.0.0/24. */
  readonly answer: string;
  readonly means: CodeMeaning;
  /** Text for people. */
  readonly label: string;
}

/** 127.0.0.0/24, whose last octet some zones use as a set of bits. */
const BITS_FROM = getNumber('127.0.0.0') ?? 0;

/** Returns an IPv4 address as a number; null for other text. */
export function getNumber(address: string): number | null {
  if (!/^\d{1,3}(\.\d{1,3}){3}$/.test(address) || !IPv4.isValidFourPartDecimal(address)) return null;
  return address.split('.').reduce((number, octet) => number * 256 + Number(octet), 0);
}

/** Whether the code covers the address. */
export function isCode({ answer }: Pick<ZoneCode, 'answer'>, address: string): boolean {
  const answered = getNumber(address);
  const { from, to, bit } = parseCode(answer) ?? {};
  if (answered === null) return false;
  if (bit !== undefined)
    return answered >= BITS_FROM && answered <= BITS_FROM + 255 && ((answered - BITS_FROM) & bit) !== 0;
  return from !== undefined && to !== undefined && answered >= from && answered <= to;
}

/** Parses a code into addresses or a bit; null for other text. */
export function parseCode(answer: string): { from?: number; to?: number; bit?: number } | null {
  const [, digits] = /^&(\d{1,3})$/.exec(answer) ?? [];
  if (digits !== undefined) {
    const bit = Number(digits);
    return [1, 2, 4, 8, 16, 32, 64, 128].includes(bit) ? { bit } : null;
  }
  const [first = '', last = first, ...more] = answer.split('-');
  const [from, to] = [getNumber(first), getNumber(last)];
  return from === null || to === null || from > to || more.length > 0 ? null : { from, to };
}
