import { consentFailure } from '@domain/oauth';
import { invalidField } from '@platform/errors';
import { type CallbackParameters } from '@platform/oauth';
import { type ConsentVendor, type CrmVendor } from './crm-vendors';

/** Vendors at which people log in under an address of their own (Salesforce: My Domain, sandboxes), and of which domains it must be. */
const LOGIN_SITES: Partial<Record<CrmVendor['type'], readonly string[]>> = { salesforce: ['salesforce.com'] };

/**
 * Where the account logs in, as its origin; null for the usual place.
 * @throws VALIDATION_ERROR for an address that is none of the vendor's, or where the vendor has one for all
 */
export function getLoginSite(vendor: CrmVendor, accountUrl: string | undefined): string | null {
  if (accountUrl === undefined) return null;
  const domains = LOGIN_SITES[vendor.type];
  if (!domains)
    throw invalidField('accountUrl', `accountUrl cannot be given: everybody logs in at the same place there`);
  return requireSite(vendor, accountUrl, domains);
}

/**
 * Where the API of an account is that was let in by a key.
 * @throws VALIDATION_ERROR for an address that is none of the vendor's, or where the vendor has one for all
 */
export function getKeyBaseUrl(vendor: CrmVendor, accountUrl: string | undefined): string {
  if (accountUrl === undefined) return vendor.apiUrl;
  const baseUrlField = vendor.consent?.baseUrlField ?? null;
  const baseUrlDomains = vendor.consent?.baseUrlDomains ?? [];
  if (baseUrlField === null)
    throw invalidField('accountUrl', 'accountUrl cannot be given: all accounts have the same there');
  return requireSite(vendor, accountUrl, baseUrlDomains);
}

function requireSite(vendor: CrmVendor, given: string, domains: readonly string[]): string {
  const site = parseSite(vendor, given, domains);
  if (site !== null) return site;
  throw invalidField('accountUrl', `accountUrl must be an https address of ${domains.join(' or ')}`);
}

/** The page at which people consent. */
export function getAuthUrl({ authUrl }: CrmVendor, site: string | null): string {
  return replaceOrigin(authUrl, site);
}

/**
 * Where the code of somebody who came back is exchanged, and its tokens are renewed later. Anybody can write a callback: what it says is
 * taken only if it is one of the vendor's own servers.
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
 * Where the API of an account is that was let in by consent.
 * @param answer of the token server
 * @throws INTEGRATION_CONSENT_FAILED for an address that is none of the vendor's
 */
export function getGrantedBaseUrl(vendor: ConsentVendor, answer: Readonly<Record<string, unknown>>): string {
  const { baseUrlField, baseUrlDomains } = vendor.consent;
  const named = baseUrlField === null ? undefined : answer[baseUrlField];
  if (named === undefined) return vendor.apiUrl;
  const site = typeof named === 'string' ? parseSite(vendor, named, baseUrlDomains) : null;
  if (site === null) throw consentFailure('failed', 'The vendor named an address that is none of its own; start again');
  return site;
}

/** The origin of an address that is the vendor's, or the operator's for it; null for any other. Tokens and keys go there. */
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
