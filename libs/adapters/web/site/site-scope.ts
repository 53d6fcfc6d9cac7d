import { getDomain } from 'tldts';
import { getBareHost } from './page-url';

/** The part of the web for one training: a host with and without `www.`, at the default ports or the given port. */
export interface Site {
  /** Without `www.`. */
  readonly host: string;
  /** Empty for 80 and 443. */
  readonly port: string;
}

/** @param url normalised (`normalizeUrl`) */
export function getSite(url: string): Site {
  const { hostname, port } = new URL(url);
  return { host: getBareHost(hostname), port };
}

/** @param url normalised (`normalizeUrl`) */
export function isOfSite(site: Site, url: string): boolean {
  const { hostname, port } = new URL(url);
  return getBareHost(hostname) === site.host && port === site.port;
}

/**
 * The scope after a redirect of the start page: `acme.com` may move to `en.acme.com`, but not to another company. null when it leaves the
 * registrable domain or the port.
 */
export function getRedirectedSite(site: Site, url: string): Site | null {
  if (isOfSite(site, url)) return site;
  const redirected = getSite(url);
  const [from, to] = [getRegistrableDomain(site.host), getRegistrableDomain(redirected.host)];
  return from !== null && from === to && redirected.port === site.port ? redirected : null;
}

/** Domains with names for anyone (`github.io`) do not count as registered domains. */
function getRegistrableDomain(host: string): string | null {
  return getDomain(host, { allowPrivateDomains: true });
}
