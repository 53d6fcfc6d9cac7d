import { getDomain } from 'tldts';
import { getBareHost } from './page-url';

/** The part of the web that belongs to one training: a host with its `www.` twin, at the ports of the web or at the one that was given. */
export interface Site {
  /** Without `www.`. */
  readonly host: string;
  /** Empty for 80 and 443. */
  readonly port: string;
}

/** @param url normal (`normalizeUrl`) */
export function getSite(url: string): Site {
  const { hostname, port } = new URL(url);
  return { host: getBareHost(hostname), port };
}

/** @param url normal (`normalizeUrl`) */
export function isOfSite(site: Site, url: string): boolean {
  const { hostname, port } = new URL(url);
  return getBareHost(hostname) === site.host && port === site.port;
}

/**
 * Where the start page of a site lives when it redirects: `acme.com` may say that it is `en.acme.com`, but not that it is another
 * company. null when it leads out of the registrable domain, or to another port.
 */
export function getRedirectedSite(site: Site, url: string): Site | null {
  if (isOfSite(site, url)) return site;
  const moved = getSite(url);
  const [from, to] = [getRegistrableDomain(site.host), getRegistrableDomain(moved.host)];
  return from !== null && from === to && moved.port === site.port ? moved : null;
}

/** Domains with names for anyone (`github.io`) do not count as registered domains. */
function getRegistrableDomain(host: string): string | null {
  return getDomain(host, { allowPrivateDomains: true });
}
