/** Maximum signatures read per email: relays and lists add theirs to that of the domain. */
const MAX_SIGNATURES = 10;
/** Longer fields are cut: in practice `d=` and `s=` precede the signature. */
const MAX_CHARACTERS = 4_096;

/**
 * Distinct selectors of the DKIM-Signature fields (RFC 6376, section 3.5) of a domain; those of other domains are ignored.
 * @param fields unfolded values, without the field name
 */
export function parseSelectors(fields: readonly string[], domain: string): Set<string> {
  const own = fields.slice(0, MAX_SIGNATURES).flatMap((field) => {
    const tags = parseTags(field.slice(0, MAX_CHARACTERS));
    const selector = tags.get('s');
    return selector && tags.get('d')?.toLowerCase() === domain ? [selector] : [];
  });
  return new Set(own);
}

function parseTags(field: string): ReadonlyMap<string, string> {
  const tags = field.split(';').map((tag) => {
    const equals = tag.indexOf('=');
    return [tag.slice(0, Math.max(0, equals)).trim(), tag.slice(equals + 1).replaceAll(/\s/g, '')] as const;
  });
  return new Map(tags);
}
