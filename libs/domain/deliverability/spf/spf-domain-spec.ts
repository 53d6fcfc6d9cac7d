import { type MacroString, parseMacros } from './spf-macros';
import { SpfSyntaxError } from './spf-syntax.errors';

/** A name with macros; it ends in a top-level label or in a macro. */
export type DomainSpec = MacroString;

/** Letters, digits and inner hyphens, not digits alone (`toplabel` of RFC 7208, section 12); a final dot may follow. */
const TOP_LABEL_END = /\.(?=[^.]*[a-z-])[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.?$/i;

/**
 * Reads a `domain-spec` (RFC 7208, section 7.1).
 * @param at start position in the record
 * @throws SpfSyntaxFault
 */
export function parseDomainSpec(text: string, at: number): DomainSpec {
  if (text === '') throw new SpfSyntaxError('lacks the domain name', at);
  const parts = parseMacros(text, 'term', at);
  const last = parts.at(-1);
  if (last?.kind === 'literal' && !TOP_LABEL_END.test(last.text)) {
    throw new SpfSyntaxError(`has no full domain name: "${text}" does not end in a top-level domain`, at);
  }
  return parts;
}
