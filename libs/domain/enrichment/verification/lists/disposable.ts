import { getCompanyDomain } from '@platform/validation';
import { disposableEmailBlocklistSet } from 'disposable-email-domains-js';

/** The list of a package that follows a public list; dependency updates refresh it. */
const LISTED: ReadonlySet<string> = disposableEmailBlocklistSet();

/**
 * Whether the domain offers disposable mailboxes. A listed domain includes its subdomains: such services give out
 * subdomains, too.
 * @param domain in A-labels and lower case
 */
export function isDisposable(domain: string): boolean {
  const registered = getCompanyDomain(domain);
  for (let name = domain; ; name = name.slice(name.indexOf('.') + 1)) {
    if (LISTED.has(name)) return true;
    if (name.length <= registered.length || !name.includes('.')) return false;
  }
}
