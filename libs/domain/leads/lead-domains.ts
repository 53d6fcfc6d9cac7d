/**
 * The domain and its parents without the top-level domain: `mail.example.com`, `example.com`. An index over them finds
 * an address by each.
 * @param domain in normal form
 */
export function getDomains(domain: string): string[] {
  const labels = domain.split('.');
  return labels.slice(0, -1).map((_label, at) => labels.slice(at).join('.'));
}
