import { getCompanyDomain } from '@platform/validation';
import { disposableEmailBlocklistSet } from 'disposable-email-domains-js';

/** Kept by its package, which follows a public list; it is newer with each update of the dependency. */
const LISTED: ReadonlySet<string> = disposableEmailBlocklistSet();

/**
 * Whether mailboxes there are given away for an hour, to whoever asks. A listed domain stands for all below it, down to what its
 * owner registered: services hand out subdomains as freely as addresses.
 * @param domain in A-labels and lower case
 */
export function isDisposable(domain: string): boolean {
  const registered = getCompanyDomain(domain);
  for (let name = domain; ; name = name.slice(name.indexOf('.') + 1)) {
    if (LISTED.has(name)) return true;
    if (name.length <= registered.length || !name.includes('.')) return false;
  }
}
