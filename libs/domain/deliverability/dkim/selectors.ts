import { normalizeHostName, isHostName } from '../host-name';

/** Selectors of common providers, the most common first: each costs a query for a domain with an unknown selector. */
export const KNOWN_SELECTORS: readonly string[] = [
  'google', // Google Workspace
  'selector1', // Microsoft 365
  'selector2',
  'default', // cPanel, Plesk, OpenDKIM
  's1', // SendGrid and many others
  's2',
  'k1', // Mailgun, Mailchimp
  'k2',
  'k3',
  'dkim',
  'mail', // Mailcow, Yandex, Brevo
  'zoho',
  'zmail',
  'mandrill',
  'brevo1',
  'brevo2',
  'fm1', // Fastmail
  'protonmail',
  'key1', // Migadu
  'titan1',
  'hostingermail1',
  's1-ionos',
  'mailjet',
  'pm', // Postmark
  'sig1', // iCloud
  'x',
  'dkim1',
  'email',
  'smtp',
  'mx',
];

/** Longer selectors leave no room for a domain. */
const MAX_SELECTOR = 128;

/** Normalizes a selector; null for other text (RFC 6376, section 3.1: labels separated by dots). */
export function getSelector(text: string): string | null {
  const selector = normalizeHostName(text.trim());
  return selector.length <= MAX_SELECTOR && isHostName(selector) ? selector : null;
}

/** Name under which the key of a selector is published (RFC 6376, section 3.6.2.1). */
export function getKeyName(selector: string, domain: string): string {
  return `${selector}._domainkey.${domain}`;
}
