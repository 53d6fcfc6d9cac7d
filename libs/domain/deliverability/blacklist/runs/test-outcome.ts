import { type CheckResult } from '../lookups/zone-check';
import { type BlacklistFindingRecord, type ZoneCheck } from '../schemas/blacklist-finding.record';
import { type PlannedMailbox, type TestSummary } from '../schemas/blacklist-test.record';

export const MAILBOX_VERDICTS = ['clean', 'blacklisted', 'unknown'] as const;
/** `unknown`: no zone has given an answer yet. */
export type MailboxVerdict = (typeof MAILBOX_VERDICTS)[number];

/** Findings of a subject; where clear results are not needed, without them. */
export type Finding = Pick<BlacklistFindingRecord, 'subject' | 'kind' | 'listings' | 'counts'>;

/** A listing, with its subject. */
export interface SubjectListing extends ZoneCheck {
  subject: string;
}

/** Result of a test for a mailbox. */
export interface MailboxOutcome {
  mailbox: PlannedMailbox;
  verdict: MailboxVerdict;
  /** 0 to 100: sum of the weights of its listings, each zone once. */
  impact: number;
  counts: Record<CheckResult, number>;
  listings: SubjectListing[];
}

/** @param findings by subject; missing ones are not queried yet */
export function getOutcome(mailbox: PlannedMailbox, findings: ReadonlyMap<string, Finding>): MailboxOutcome {
  const found = mailbox.subjects.flatMap(({ subject }) => findings.get(subject) ?? []);
  const counts = { listed: 0, clear: 0, unknown: 0, zone_broken: 0 };
  for (const finding of found) {
    counts.listed += finding.counts.listed;
    counts.clear += finding.counts.clear;
    counts.unknown += finding.counts.unknown;
    counts.zone_broken += finding.counts.zone_broken;
  }
  const listings = found
    .flatMap(({ subject, listings: all }) => all.map((listing) => ({ ...listing, subject })))
    .toSorted((one, other) => other.weight - one.weight);
  // The last listing of a zone counts, which is the heaviest: weights may differ by family.
  const weights = new Map(listings.toReversed().map(({ zone, weight }) => [zone, weight]));
  const impact = Math.min(
    100,
    [...weights.values()].reduce((sum, weight) => sum + weight, 0),
  );
  const answered = counts.listed + counts.clear > 0;
  const verdict = impact > 0 ? 'blacklisted' : answered ? 'clean' : 'unknown';
  return { mailbox, verdict, impact, counts, listings };
}

/** Mailboxes with an unknown result count in no figure: they are neither clean nor listed. */
export function getTestSummary(outcomes: readonly Pick<MailboxOutcome, 'verdict'>[]): TestSummary {
  const count = (counted: MailboxVerdict) => outcomes.filter(({ verdict }) => verdict === counted).length;
  const [clean, blacklisted] = [count('clean'), count('blacklisted')];
  return { totalChecked: clean + blacklisted, clean, blacklisted };
}
