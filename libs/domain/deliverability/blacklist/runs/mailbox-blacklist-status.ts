import { type CurrentListing } from '../schemas/mailbox-blacklist-status.record';
import { type MailboxOutcome } from './test-outcome';

export interface BlacklistStatusChange {
  readonly listings: CurrentListing[];
  /** Zones that list it now, when none was known to before; otherwise empty. */
  readonly becomesListedIn: readonly string[];
}

/**
 * How a mailbox stands after a test. A listing stays until its zone says that it is over: one that did not answer this time has not
 * taken it back, and telling of it again later would be telling twice. What belongs to an address that the mailbox has no more goes,
 * unless DNS did not say which addresses it has.
 * @param clear zones by subject that said that it is not listed
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
  const kept = before.filter(
    (one) => (subjects.has(one.subject) || isUnanswered) && !isNow(one) && !clear.get(one.subject)?.has(one.zone),
  );
  const becomesListedIn = before.length === 0 ? [...new Set(now.map(({ zone }) => zone))] : [];
  return { listings: [...now, ...kept], becomesListedIn };
}
