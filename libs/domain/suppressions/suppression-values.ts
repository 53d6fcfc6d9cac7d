import { type ErrorDetail, invalidField, validationFailed } from '@platform/errors';
import { parseEmailAddress } from '@platform/validation';
import { type SuppressionKind } from './schemas/suppression.record';

/** Entries of one request, addresses and domains together. */
export const MAX_ENTRIES = 1_000;

export interface SuppressionValue {
  readonly kind: SuppressionKind;
  /** In normal form. */
  readonly value: string;
}

/** The entries as the client sent them. */
export interface SuppressionInput {
  addresses?: readonly string[];
  domains?: readonly string[];
}

/**
 * Returns the values in normal form without duplicates, addresses first, in the order of the input.
 * @throws VALIDATION_ERROR unless there are 1 to 1000 entries; names each entry that is no address or no domain (`domains.3`)
 */
export function parseSuppressions({ addresses = [], domains = [] }: SuppressionInput): SuppressionValue[] {
  const count = addresses.length + domains.length;
  if (count === 0 || count > MAX_ENTRIES) {
    throw invalidField('addresses', `addresses and domains must have 1 to ${MAX_ENTRIES} entries in total`);
  }
  const problems: ErrorDetail[] = [];
  const values = new Map<string, SuppressionValue>();
  for (const [index, text] of addresses.entries()) {
    const parsed = parseEmailAddress(text);
    if (parsed.ok) values.set(parsed.address, { kind: 'address', value: parsed.address });
    else problems.push(toDetail(`addresses.${index}`, `must be an e-mail address: ${parsed.reason}`));
  }
  for (const [index, text] of domains.entries()) {
    const value = parseDomain(text);
    if (value !== null) values.set(value, { kind: 'domain', value });
    else problems.push(toDetail(`domains.${index}`, 'must be a domain name such as example.com'));
  }
  if (problems.length > 0) throw validationFailed(problems, getMessage(problems));
  return [...values.values()];
}

/** Lists the values that suppress an address in normal form: itself, its domain and each parent domain below the TLD. */
export function getSuppressors(address: string): string[] {
  const labels = address.slice(address.indexOf('@') + 1).split('.');
  return [address, ...labels.slice(0, -1).map((_label, index) => labels.slice(index).join('.'))];
}

/** Accepts `example.com` and `@Example.COM`; returns lower case and A-labels, or null for an invalid domain. */
function parseDomain(text: string): string | null {
  // The address parser is the one validator of domains: any valid part after an @ is a domain.
  const parsed = parseEmailAddress(`x@${text.trim().replace(/^@/, '')}`);
  return parsed.ok ? parsed.domain : null;
}

function toDetail(field: string, message: string): ErrorDetail {
  return { field, message: `${field} ${message}` };
}

/** Names the first problem only: the details have all of up to a thousand. */
function getMessage([first, ...others]: readonly ErrorDetail[]): string {
  return `${first?.message ?? ''}${others.length > 0 ? `; and ${others.length} more` : ''}`;
}
