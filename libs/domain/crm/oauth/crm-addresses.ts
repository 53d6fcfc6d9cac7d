import { consentFailure } from '@domain/oauth';
import { invalidField } from '@platform/errors';
import { type CallbackParameters } from '@platform/oauth';
import { type ConsentVendor, type CrmVendor } from './crm-vendors';

/** Vendors with own login addresses (Salesforce: My Domain, sandboxes), and the allowed domains. */
const LOGIN_SITES: Partial<Record<CrmVendor['type'], readonly string[]>> = { salesforce: ['salesforce.com'] };

/**
 * Returns the origin of the account's login site; null for the default.
 * @throws VALIDATION_ERROR for a foreign address, or when the vendor has one address for all
 */
export function getLoginSite(vendor: CrmVendor, accountUrl: string | undefined): string | null {
  if (accountUrl === undefined) return null;
  const domains = LOGIN_SITES[vendor.type];
  if (!domains)
    throw invalidField('accountUrl', `accountUrl cannot be given: this vendor has one login address for all`);
  return requireSite(vendor, accountUrl, domains);
}

/**
 * Returns the API address of an account that connects by key.
 * @throws VALIDATION_ERROR for a foreign address, or when the vendor has one address for all
 */
export function getKeyBaseUrl(vendor: CrmVendor, accountUrl: string | undefined): string {
  if (accountUrl === undefined) return vendor.apiUrl;
  const baseUrlField = vendor.consent?.baseUrlField ?? null;
  const baseUrlDomains = vendor.consent?.baseUrlDomains ?? [];
  if (baseUrlField === null)
    throw invalidField('accountUrl', 'accountUrl cannot be given: this vendor has one address for all');
  return requireSite(vendor, accountUrl, baseUrlDomains);
}

function requireSite(vendor: CrmVendor, input: string, domains: readonly string[]): string {
  const site = parseSite(vendor, input, domains);
  if (site !== null) return site;
  throw invalidField('accountUrl', `accountUrl must be an https address of ${domains.join(' or ')}`);
}

/** Returns the consent page. */
export function getAuthUrl({ authUrl }: CrmVendor, site: string | null): string {
  return replaceOrigin(authUrl, site);
}

/**
 * Returns the token endpoint of a callback. Callbacks can be forged, so only the vendor's own servers are accepted.
 * @throws INTEGRATION_CONSENT_FAILED for any other
 */
export function getTokenUrl(vendor: ConsentVendor, site: string | null, parameters: CallbackParameters): string {
  const { tokenServers } = vendor.consent;
  const named = tokenServers ? parameters[tokenServers.parameter] : undefined;
  if (!tokenServers || named === undefined) return replaceOrigin(vendor.tokenUrl, site);
  const server = typeof named === 'string' ? parseSite(vendor, named, tokenServers.hosts) : null;
  if (server === null) throw consentFailure('failed', 'The vendor named a server that is none of its own; start again');
  return replaceOrigin(vendor.tokenUrl, server);
}

/**
 * Returns the API address of an account that connects by consent.
 * @param answer of the token server
 * @throws INTEGRATION_CONSENT_FAILED for a foreign address
 */
export function getGrantedBaseUrl(vendor: ConsentVendor, answer: Readonly<Record<string, unknown>>): string {
  const { baseUrlField, baseUrlDomains } = vendor.consent;
  const named = baseUrlField === null ? undefined : answer[baseUrlField];
  if (named === undefined) return vendor.apiUrl;
  const site = typeof named === 'string' ? parseSite(vendor, named, baseUrlDomains) : null;
  if (site === null) throw consentFailure('failed', 'The vendor named an address that is none of its own; start again');
  return site;
}

/** The origin of an address of the vendor, or the configured one; null for any other. It receives tokens and keys. */
function parseSite(vendor: CrmVendor, text: string, domains: readonly string[]): string | null {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '') return null;
  const own = [vendor.authUrl, vendor.tokenUrl, vendor.apiUrl].map((address) => new URL(address).origin);
  if (own.includes(url.origin)) return url.origin;
  const isTheirs = domains.some((domain) => url.hostname === domain || url.hostname.endsWith(`.${domain}`));
  return isTheirs && url.protocol === 'https:' && url.port === '' ? url.origin : null;
}

function replaceOrigin(url: string, site: string | null): string {
  if (site === null) return url;
  const { pathname, search } = new URL(url);
  return `${site}${pathname}${search}`;
}
