import { IPv4 } from 'ipaddr.js';

/**
 * What an answer of a zone means. `abuse`: listed for what was sent or is hosted there; `policy`: listed although nobody complained,
 * such as addresses that no mail should come from; `refused`: it does not tell us; `clear`: an answer that is no listing.
 */
export const CODE_MEANINGS = ['abuse', 'policy', 'refused', 'clear'] as const;
export type CodeMeaning = (typeof CODE_MEANINGS)[number];

/** One code of a zone, or some that mean the same. */
export interface ZoneCode {
  /** `127.0.0.2`, `127.0.0.4-127.0.0.7`, or `&8`: that bit of the last octet of an answer in 127.0.0.0/24. */
  readonly answer: string;
  readonly means: CodeMeaning;
  /** For a person. */
  readonly label: string;
}

/** 127.0.0.0/24, whose last octet some zones use as a set of bits. */
const BITS_FROM = getNumber('127.0.0.0') ?? 0;

/** An IPv4 address as a number; null for what is none in plain dotted notation. */
export function getNumber(address: string): number | null {
  if (!/^\d{1,3}(\.\d{1,3}){3}$/.test(address) || !IPv4.isValidFourPartDecimal(address)) return null;
  return address.split('.').reduce((number, octet) => number * 256 + Number(octet), 0);
}

/** Whether an answer is one of the addresses that the code names. */
export function isCode({ answer }: Pick<ZoneCode, 'answer'>, address: string): boolean {
  const given = getNumber(address);
  const { from, to, bit } = parseCode(answer) ?? {};
  if (given === null) return false;
  if (bit !== undefined) return given >= BITS_FROM && given <= BITS_FROM + 255 && ((given - BITS_FROM) & bit) !== 0;
  return from !== undefined && to !== undefined && given >= from && given <= to;
}

/** The addresses that a code names, or its bit; null for what is no code. */
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
