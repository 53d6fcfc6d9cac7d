/**
 * Tokens of our links in quoted text. They survive mail systems that rewrite headers and ticket systems that begin new threads.
 * Some systems wrap and encode the links.
 */
const URLS = /(?:\/|%2f)(t(?:\/|%2f)[och]|u)(?:\/|%2f)([a-z0-9_-]{30,200})/gi;

/** A mail with more tokens is no reply. */
const MAX_TOKENS = 50;

export type QuotedToken = { readonly kind: 'open' | 'click' | 'honeypot' | 'unsubscribe'; readonly token: string };

const KINDS: Readonly<Record<string, QuotedToken['kind']>> = {
  't/o': 'open',
  't/c': 'click',
  't/h': 'honeypot',
  u: 'unsubscribe',
};

/** Lists possible tokens without duplicates, in order; only their signature proves them. */
export function listQuotedTokens(...texts: readonly (string | null)[]): QuotedToken[] {
  const found = new Map<string, QuotedToken>();
  for (const text of texts) {
    for (const [, encoded = '', token = ''] of (text ?? '').matchAll(URLS)) {
      const path = encoded.toLowerCase().replace('%2f', '/');
      const kind = KINDS[path];
      if (kind !== undefined) found.set(`${path}/${token}`, { kind, token });
      if (found.size >= MAX_TOKENS) return [...found.values()];
    }
  }
  return [...found.values()];
}
