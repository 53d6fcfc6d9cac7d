import { type CurrentListing } from '../schemas/mailbox-blacklist-status.record';
import { type MailboxOutcome } from './test-outcome';

export interface BlacklistStatusChange {
  readonly listings: CurrentListing[];
  /** Zones that list it now, if none did before; otherwise empty. */
  readonly becomesListedIn: readonly string[];
}

/**
 * Returns the status of a mailbox after a test. A listing stays until its zone answers that it has ended: a silent zone must not
 * cause a second event later. Listings of former addresses are dropped, unless DNS failed to return the addresses.
 * @param clear zones by subject that do not list it
 */
export function nextBlacklistStatus(
  before: readonly CurrentListing[],
  { mailbox, listings }: Pick<MailboxOutcome, 'mailbox' | 'listings'>,
  clear: ReadonlyMap<string, ReadonlySet<string>>,
): BlacklistStatusChange {
  const now = listings
    .filter(({ weight }) => weight > 0)
    .map(({ zone, subject, weight }) => ({ zone, subject, weight }));
  const subjects = new Set(mailbox.subjects.map(({ subject }) => subject));
  const isNow = (one: CurrentListing) => now.some((other) => other.zone === one.zone && other.subject === one.subject);
  const isUnanswered = mailbox.notChecked.some(({ reason }) => reason === 'host_unanswered');
  const unconfirmed = before.filter(
    (one) => (subjects.has(one.subject) || isUnanswered) && !isNow(one) && !clear.get(one.subject)?.has(one.zone),
  );
  const becomesListedIn = before.length === 0 ? [...new Set(now.map(({ zone }) => zone))] : [];
  return { listings: [...now, ...unconfirmed], becomesListedIn };
}
