import { type ErrorDetail, invalidField, validationFailed } from '@platform/errors';
import { parseEmailAddress } from '@platform/validation';
import { type SuppressionKind } from './schemas/suppression.record';

/** Addresses and domains of one call, both kinds together. */
export const MAX_ENTRIES = 1_000;

export interface SuppressionValue {
  readonly kind: SuppressionKind;
  /** In normal form. */
  readonly value: string;
}

/** As somebody wrote them. */
export interface SuppressionInput {
  addresses?: readonly string[];
  domains?: readonly string[];
}

/**
 * The values in normal form, each once, in the order given: addresses first.
 * @throws VALIDATION_ERROR unless they are 1 to 1000; naming each entry that is no address or no domain (`domains.3`)
 */
export function suppressionValues({ addresses = [], domains = [] }: SuppressionInput): SuppressionValue[] {
  const count = addresses.length + domains.length;
  if (count === 0 || count > MAX_ENTRIES) {
    throw invalidField('addresses', `addresses and domains must have 1 to ${MAX_ENTRIES} entries in total`);
  }
  const problems: ErrorDetail[] = [];
  const values = new Map<string, SuppressionValue>();
  for (const [index, text] of addresses.entries()) {
    const parsed = parseEmailAddress(text);
    if (parsed.ok) values.set(parsed.address, { kind: 'address', value: parsed.address });
    else problems.push(wrong(`addresses.${index}`, `must be an e-mail address: ${parsed.reason}`));
  }
  for (const [index, text] of domains.entries()) {
    const value = normalDomain(text);
    if (value !== null) values.set(value, { kind: 'domain', value });
    else problems.push(wrong(`domains.${index}`, 'must be a domain name such as example.com'));
  }
  if (problems.length > 0) throw validationFailed(problems, messageOf(problems));
  return [...values.values()];
}

/** What suppresses an address in normal form: itself, its domain, and every domain above that but the top-level one. */
export function getSuppressors(address: string): string[] {
  const labels = address.slice(address.indexOf('@') + 1).split('.');
  return [address, ...labels.slice(0, -1).map((_label, index) => labels.slice(index).join('.'))];
}

/** `example.com`, also written `@Example.COM`, in lower case and A-labels; null for what is no domain. */
function normalDomain(text: string): string | null {
  // The one judge of domains takes addresses: whatever is right after an @ is a domain.
  const parsed = parseEmailAddress(`x@${text.trim().replace(/^@/, '')}`);
  return parsed.ok ? parsed.domain : null;
}

function wrong(field: string, message: string): ErrorDetail {
  return { field, message: `${field} ${message}` };
}

/** A message for people; all of a thousand problems are in the details only. */
function messageOf([first, ...others]: readonly ErrorDetail[]): string {
  return `${first?.message ?? ''}${others.length > 0 ? `; and ${others.length} more` : ''}`;
}
