import { parseMechanism } from './spf-mechanism-grammar';
import { parseDomainSpec } from './spf-domain-spec';
import { parseMacros } from './spf-macros';
import {
  type Directive,
  type Modifier,
  type Qualifier,
  type SpfRecord,
  type UnknownModifier,
  VERSION,
} from './spf-record';
import { SpfSyntaxError } from './spf-syntax.errors';

export interface SpfSyntaxIssue {
  /** Offset in characters from the beginning of the record. */
  readonly at: number;
  /** As written. */
  readonly term: string;
  /** Continues a sentence that begins with the term. */
  readonly message: string;
}

export type ParsedSpf =
  | { readonly ok: true; readonly record: SpfRecord }
  /** One mistake each for the terms that have any; there is at least one. */
  | { readonly ok: false; readonly errors: readonly SpfSyntaxIssue[] };

interface Term {
  readonly text: string;
  readonly at: number;
}

type ReadTerm =
  | { readonly kind: 'directive'; readonly directive: Directive }
  | { readonly kind: 'redirect' | 'exp'; readonly modifier: Modifier }
  | { readonly kind: 'unknown'; readonly modifier: UnknownModifier };

/** Limit of a TXT record (its length has 16 bits); longer text is not parsed. */
const MOST_CHARACTERS = 65_535;
const MODIFIER = /^([a-z][a-z0-9\-_.]*)=/i;

/** Whether a TXT is an SPF record: the version, then a space or the end (RFC 7208, section 4.5). */
export function isSpfRecord(text: string): boolean {
  return /^v=spf1(?: |$)/i.test(text);
}

/**
 * Parses a record by the grammar of RFC 7208, section 12: any mistake invalidates the whole record (section 4.6).
 * @param text one for which `isSpfRecord` is true
 */
export function parseSpf(text: string): ParsedSpf {
  if (text.length > MOST_CHARACTERS) {
    const message = `makes a record of more than ${MOST_CHARACTERS} characters`;
    return { ok: false, errors: [{ at: MOST_CHARACTERS, term: VERSION, message }] };
  }
  const errors: SpfSyntaxIssue[] = [];
  const read: ReadTerm[] = [];
  const once = new Set<string>();
  for (const term of listTerms(text)) {
    try {
      const found = readTerm(term);
      if (found.kind === 'redirect' || found.kind === 'exp') requireFirst(found.kind, once, term);
      read.push(found);
    } catch (error) {
      if (!(error instanceof SpfSyntaxError)) throw error;
      errors.push({ at: error.at, term: term.text, message: error.message });
    }
  }
  return errors.length > 0 ? { ok: false, errors } : { ok: true, record: toRecord(read) };
}

/** Any number of spaces separates terms, also at the end. A tab is part of a term, and invalid in it. */
function listTerms(text: string): readonly Term[] {
  const terms: Term[] = [];
  for (const found of text.slice(VERSION.length).matchAll(/[^ ]+/g)) {
    terms.push({ text: found[0], at: VERSION.length + found.index });
  }
  return terms;
}

function readTerm({ text, at }: Term): ReadTerm {
  const wrong = /[^\x21-\x7e]/.exec(text);
  if (wrong) throw new SpfSyntaxError('has a character that is not printable ASCII', at + wrong.index);
  const modifier = MODIFIER.exec(text);
  if (!modifier) return { kind: 'directive', directive: readDirective({ text, at }) };
  const [head, name = ''] = modifier;
  const known = name.toLowerCase();
  const value = text.slice(head.length);
  if (known === 'redirect' || known === 'exp') {
    return { kind: known, modifier: { domain: parseDomainSpec(value, at + head.length), text } };
  }
  return { kind: 'unknown', modifier: { name, value: parseMacros(value, 'modifier', at + head.length), text } };
}

function readDirective({ text, at }: Term): Directive {
  const qualified = /^[-+~?]/.test(text);
  const qualifier = qualified ? (text.charAt(0) as Qualifier) : '+';
  const skipped = qualified ? 1 : 0;
  return { qualifier, mechanism: parseMechanism(text.slice(skipped), at + skipped), text };
}

function requireFirst(name: string, names: Set<string>, { at }: Term): void {
  if (names.has(name)) throw new SpfSyntaxError(`is the second "${name}=", and there can be one only`, at);
  names.add(name);
}

function toRecord(terms: readonly ReadTerm[]): SpfRecord {
  const directives: Directive[] = [];
  const unknown: UnknownModifier[] = [];
  let [redirect, exp]: (Modifier | null)[] = [null, null];
  for (const term of terms) {
    if (term.kind === 'directive') directives.push(term.directive);
    else if (term.kind === 'unknown') unknown.push(term.modifier);
    else if (term.kind === 'redirect') redirect = term.modifier;
    else exp = term.modifier;
  }
  return { directives, redirect: redirect ?? null, exp: exp ?? null, unknown };
}
