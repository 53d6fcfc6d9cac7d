import { type DomainSpec } from './spf-domain-spec';
import { type MacroString } from './spf-macros';

/** What every record begins with; case does not count. */
export const VERSION = 'v=spf1';

/** What the result is when the mechanism matches: pass, fail, softfail, neutral. */
export type Qualifier = '+' | '-' | '~' | '?';

/** How many leading bits of an address count, by its family. */
export interface Prefixes {
  readonly ip4: number;
  readonly ip6: number;
}

/** RFC 7208, section 5. A null domain is the one that the record stands under. */
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

/** A modifier that RFC 7208 does not know: it means nothing, and is no mistake (section 6). */
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
