/**
 * Patterns of secrets: keys, invitations, webhook secrets (docs/operators/security.md). No result has a field for one,
 * but a mail or a name may contain one.
 */
const SECRETS = /\b(sk_user_|sk_|inv_|whsec_)[\w+/=-]{12,}/g;

/** Removes fields from a result at any depth, and secrets from its texts. */
export function cleanResult(value: unknown, hides: readonly string[]): unknown {
  if (typeof value === 'string') return value.replaceAll(SECRETS, '$1[removed]');
  if (Array.isArray(value)) return value.map((each) => cleanResult(each, hides));
  if (typeof value !== 'object' || value === null) return value;
  const shown = Object.entries(value).filter(([name]) => !hides.includes(name));
  return Object.fromEntries(shown.map(([name, each]) => [name, cleanResult(each, hides)]));
}
