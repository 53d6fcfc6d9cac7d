import { domainToUnicode } from 'node:url';
import { asciiDomain } from '@platform/validation';
import { parseLiteralFamily } from './address-literal';
import { type Scanner } from './scanner';
import { type SyntaxRemark } from './syntax-faults';
import { areUnicodeLabels } from './u-label';
import { isWhite, readFolding, readOldControls, readQuotedPair, readSpacing } from './white-space';

export interface DomainPart {
  /**
   * In lower case and A-labels; an address literal with its brackets. Null for a form that only a header may contain.
   */
  readonly name: string | null;
  readonly destination: 'domain' | 'ipv4' | 'ipv6';
  readonly remarks: readonly SyntaxRemark[];
}

const MAX_LABEL_OCTETS = 63;
/** Far above the length of any domain: conversion is slower than linear, so longer texts are not converted. */
const MAX_CONVERTED = 1_000;

/** RFC 5322 `atext`, and non-ASCII characters of domains, including the joiners of RFC 5892 (appendix A.1 and A.2). */
const ATOM = /(?:[\w!#$%&'*+/=?^`{|}~-]|[^\p{ASCII}\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]|[\u200c\u200d])+/uy;
const LITERAL_TEXT = /[\x21-Z^-~]+/y;
const NOT_IN_HOST_NAMES = /[_!#$%&'*+/=?^`{|}~]/;
const LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;
const OUTER_HYPHEN = /(?:^|\.)-|-(?:\.|$)/;
/**
 * A last label that programs read as the end of an IPv4 address; RFC 3696, section 2, excludes numeric top-level
 * domains.
 */
const NUMBER = /^(?:\d+|0x[\da-f]*)$/;
const BEYOND_ASCII = /[^\p{ASCII}]/u;

/** Reads from the `@` to the end. @returns null for an invalid domain */
export function readDomainPart(scanner: Scanner): DomainPart | null {
  if (readSpacing(scanner) === null) return null;
  return scanner.next === '[' ? readLiteral(scanner) : readName(scanner);
}

function readName(scanner: Scanner): DomainPart | null {
  const atoms: string[] = [];
  do {
    const atom = readAtom(scanner, atoms.length);
    if (atom === null) return null;
    atoms.push(atom);
  } while (scanner.skip('.'));
  return named(scanner, atoms.join('.'));
}

/** @param before number of atoms read so far */
function readAtom(scanner: Scanner, before: number): string | null {
  const isSpaced = readSpacing(scanner);
  if (isSpaced === null) return null;
  const atom = scanner.take(ATOM);
  if (atom === '') {
    if (scanner.next === '' && before === 0) return scanner.fail('no_domain');
    if (scanner.next === '' || scanner.next === '.') return scanner.fail('domain_dots');
    return scanner.failAtCharacter(scanner.next === '@' ? 'second_at' : 'domain_character');
  }
  const isSpacedAfter = readSpacing(scanner);
  if (isSpacedAfter === null) return null;
  if ((isSpaced && before > 0) || (isSpacedAfter && scanner.next === '.')) scanner.note('obsolete_spacing');
  if (scanner.next === '' || scanner.next === '.') return atom;
  if (scanner.next === '@') return scanner.fail('second_at');
  return scanner.failAtCharacter(isSpacedAfter ? 'text_after_space' : 'domain_character');
}

function named(scanner: Scanner, text: string): DomainPart | null {
  if (text.length > MAX_CONVERTED) return scanner.fail('address_too_long');
  if (OUTER_HYPHEN.test(text)) return scanner.fail('label_hyphen');
  if (NOT_IN_HOST_NAMES.test(text)) {
    scanner.note('domain_atom');
    return { name: null, destination: 'domain', remarks: [] };
  }
  const name = asciiDomain(text);
  if (name === null || (BEYOND_ASCII.test(text) && !areUnicodeLabels(domainToUnicode(name))))
    return scanner.fail('not_idna');
  const labels = name.split('.');
  if (labels.some((label) => label.length > MAX_LABEL_OCTETS)) return scanner.fail('label_too_long');
  if (!labels.every((label) => LABEL.test(label))) return scanner.fail('not_idna');
  return { name, destination: 'domain', remarks: listRemarks(labels) };
}

function listRemarks(labels: readonly string[]): readonly SyntaxRemark[] {
  const isNumeric = NUMBER.test(labels.at(-1) ?? '');
  return [
    ...(labels.length === 1 ? (['single_label'] as const) : []),
    ...(isNumeric ? (['numeric_tld'] as const) : []),
  ];
}

function readLiteral(scanner: Scanner): DomainPart | null {
  const start = scanner.at;
  scanner.skip('[');
  const parts: string[] = [];
  while (!scanner.skip(']')) {
    const part = readInLiteral(scanner);
    if (part === null) return null;
    parts.push(part);
  }
  const literal = scanner.text.slice(start, scanner.at);
  if (readSpacing(scanner) === null) return null;
  if (scanner.next !== '') return scanner.failAtCharacter('text_after_literal');
  const family = literal.length === parts.join('').length + 2 ? parseLiteralFamily(parts.join('')) : null;
  if (family !== null) return { name: literal.toLowerCase(), destination: family, remarks: [] };
  scanner.note('domain_literal');
  return { name: null, destination: 'domain', remarks: [] };
}

function readInLiteral(scanner: Scanner): string | null {
  if (scanner.next === '') return scanner.fail('unclosed_literal');
  if (scanner.next === '\\') {
    scanner.note('obsolete_text');
    return readQuotedPair(scanner);
  }
  if (isWhite(scanner.next)) return readFolding(scanner) === null ? null : ' ';
  const text = scanner.take(LITERAL_TEXT);
  if (text !== '') return text;
  return readOldControls(scanner) || scanner.failAtCharacter('domain_character');
}
