import { isFreeMail } from '@platform/validation';
import { WINDOW_DAYS } from '../rate/bounce-rate';
import { type ProtectedKind } from '../schemas/protected-subject.record';

const DAY_MS = 86_400_000;

/** A send or bounce that counts for its senders. */
export interface EmailFate {
  /** When the email was sent. */
  readonly sentAt: Date;
  readonly sends: 0 | 1;
  readonly bounces: 0 | 1;
  readonly campaignId: string | null;
  readonly mailboxId: string | null;
  /** Address of the mailbox; null when it was deleted. */
  readonly sender: string | null;
}

export interface Subject {
  readonly kind: ProtectedKind;
  readonly key: string;
}

/** Addition to a day of a subject. */
export interface TallyIncrement {
  readonly subject: string;
  readonly since: Date | null;
  readonly day: Date;
  sends: number;
  bounces: number;
}

export function getSubjectName({ kind, key }: Subject): string {
  return `${kind}:${key}`;
}

/** Lists the subjects of an email. A free mail domain is none: its users do not affect each other. */
export function getSubjects({ campaignId, mailboxId, sender }: EmailFate): Subject[] {
  const domain = sender?.slice(sender.lastIndexOf('@') + 1);
  return [
    ...(campaignId === null ? [] : [{ kind: 'campaign', key: campaignId } as const]),
    ...(mailboxId === null ? [] : [{ kind: 'mailbox', key: mailboxId } as const]),
    ...(domain && !isFreeMail(domain) ? [{ kind: 'domain', key: domain } as const] : []),
  ];
}

/**
 * Returns the additions to the days of subjects, each day once. Emails before the last resume of a subject (`since`, by name) do
 * not count.
 */
export function getTallies(fates: readonly EmailFate[], since: ReadonlyMap<string, Date | null>): TallyIncrement[] {
  const days = new Map<string, TallyIncrement>();
  for (const fate of fates) {
    for (const subject of getSubjects(fate).map(getSubjectName)) {
      const from = since.get(subject) ?? null;
      if (from && fate.sentAt <= from) continue;
      const day = getTallyDay(fate.sentAt);
      const name = `${subject} ${day.getTime()}`;
      const increment = days.get(name) ?? { subject, since: from, day, sends: 0, bounces: 0 };
      increment.sends += fate.sends;
      increment.bounces += fate.bounces;
      days.set(name, increment);
    }
  }
  return [...days.values()];
}

/** The first day that counts. */
export function getWindowStart(now: Date): Date {
  return new Date(getTallyDay(now).getTime() - (WINDOW_DAYS - 1) * DAY_MS);
}

/** When a day leaves every window. */
export function getEnd(day: Date): Date {
  return new Date(day.getTime() + (WINDOW_DAYS + 1) * DAY_MS);
}

/** Start of the day (UTC). */
function getTallyDay(at: Date): Date {
  return new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS);
}
