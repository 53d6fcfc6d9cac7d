/**
 * Tokens of ours in what a mail quotes: the links of the email that it answers. They survive mail systems that rewrite
 * headers, and tickets that begin a thread of their own. Some wrap links into their own and encode them.
 */
const URLS = /(?:\/|%2f)(t(?:\/|%2f)[och]|u)(?:\/|%2f)([a-z0-9_-]{30,200})/gi;

/** A mail with more of them than this is no answer. */
const MOST = 50;

export type QuotedToken = { readonly kind: 'open' | 'click' | 'honeypot' | 'unsubscribe'; readonly token: string };

const KINDS: Readonly<Record<string, QuotedToken['kind']>> = {
  't/o': 'open',
  't/c': 'click',
  't/h': 'honeypot',
  u: 'unsubscribe',
};

/** What looks like one; whether it is, its signature says. Each once, in their order. */
export function quotedTokens(...texts: readonly (string | null)[]): QuotedToken[] {
  const found = new Map<string, QuotedToken>();
  for (const text of texts) {
    for (const [, encoded = '', token = ''] of (text ?? '').matchAll(URLS)) {
      const path = encoded.toLowerCase().replace('%2f', '/');
      const kind = KINDS[path];
      if (kind !== undefined) found.set(`${path}/${token}`, { kind, token });
      if (found.size >= MOST) return [...found.values()];
    }
  }
  return [...found.values()];
}
