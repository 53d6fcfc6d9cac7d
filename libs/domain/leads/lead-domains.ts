/**
 * `mail.example.com, example.com` for the first of them: an address is found by each of its domains, without a search that
 * no index serves.
 * @param domain in normal form
 */
export function getDomains(domain: string): string[] {
  const labels = domain.split('.');
  return labels.slice(0, -1).map((_label, at) => labels.slice(at).join('.'));
}

/** The domain of addresses that stand for people who were erased: nobody is behind it (RFC 2606, 2). */
export const ERASED_DOMAIN = 'erased.invalid';
