/**
 * Secrets by what they look like: keys, invitations, secrets of webhooks (docs/operators/security.md). No tool's answer has a field for one;
 * somebody may have written one into a mail or a name.
 */
const SECRETS = /\b(sk_user_|sk_|inv_|whsec_)[\w+/=-]{12,}/g;

/** Takes fields out of an answer wherever they are, and secrets out of its texts. */
export function cleaned(value: unknown, hides: readonly string[]): unknown {
  if (typeof value === 'string') return value.replaceAll(SECRETS, '$1[removed]');
  if (Array.isArray(value)) return value.map((each) => cleaned(each, hides));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !hides.includes(name));
  return Object.fromEntries(kept.map(([name, each]) => [name, cleaned(each, hides)]));
}
