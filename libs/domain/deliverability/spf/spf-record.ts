import { type DomainSpec } from './spf-domain-spec';
import { type MacroString } from './spf-macros';

/** Begin of every record, ignoring case. */
export const VERSION = 'v=spf1';

/** Result of a matching mechanism: pass, fail, softfail, neutral. */
export type Qualifier = '+' | '-' | '~' | '?';

/** Significant leading bits of an address, by family. */
export interface Prefixes {
  readonly ip4: number;
  readonly ip6: number;
}

/** RFC 7208, section 5. A null domain is that of the record. */
export type Mechanism =
  | { readonly kind: 'all' }
  | { readonly kind: 'include' | 'exists'; readonly domain: DomainSpec }
  | { readonly kind: 'a' | 'mx'; readonly domain: DomainSpec | null; readonly prefixes: Prefixes }
  | { readonly kind: 'ptr'; readonly domain: DomainSpec | null }
  | { readonly kind: 'ip4' | 'ip6'; readonly network: string; readonly prefix: number };

export interface Directive {
  readonly qualifier: Qualifier;
  readonly mechanism: Mechanism;
  /** As written. */
  readonly text: string;
}

/** RFC 7208, section 6.1 and 6.2. */
export interface Modifier {
  readonly domain: DomainSpec;
  /** As written. */
  readonly text: string;
}

/** A modifier unknown to RFC 7208: ignored, and no mistake (section 6). */
export interface UnknownModifier {
  readonly name: string;
  readonly value: MacroString;
  readonly text: string;
}

export interface SpfRecord {
  /** In the order of their evaluation. */
  readonly directives: readonly Directive[];
  readonly redirect: Modifier | null;
  readonly exp: Modifier | null;
  readonly unknown: readonly UnknownModifier[];
}
