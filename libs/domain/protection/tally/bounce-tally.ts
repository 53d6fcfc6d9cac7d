import { isFreeMail } from '@platform/validation';
import { WINDOW_DAYS } from '../rate/bounce-rate';
import { type ProtectedKind } from '../schemas/protected-subject.record';

const DAY_MS = 86_400_000;

/** What counts for or against whoever has sent an email. */
export interface EmailFate {
  /** When it was sent. */
  readonly sentAt: Date;
  readonly sends: 0 | 1;
  readonly bounces: 0 | 1;
  readonly campaignId: string | null;
  readonly mailboxId: string | null;
  /** Of the mailbox; null when it is gone. */
  readonly sender: string | null;
}

export interface Subject {
  readonly kind: ProtectedKind;
  readonly key: string;
}

/** What is added to a day of a subject. */
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

/** Whom an email counts for. A domain of free mail is nobody's own: one who writes badly from it says nothing of the others. */
export function getSubjects({ campaignId, mailboxId, sender }: EmailFate): Subject[] {
  const domain = sender?.slice(sender.lastIndexOf('@') + 1);
  return [
    ...(campaignId === null ? [] : [{ kind: 'campaign', key: campaignId } as const]),
    ...(mailboxId === null ? [] : [{ kind: 'mailbox', key: mailboxId } as const]),
    ...(domain && !isFreeMail(domain) ? [{ kind: 'domain', key: domain } as const] : []),
  ];
}

/**
 * What emails add to the days of their subjects, each day once. What was sent before the last time that a person has looked at
 * the subject (`since`, by name) counts no more.
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

/** The first day whose emails count. */
export function getWindowStart(now: Date): Date {
  return new Date(getTallyDay(now).getTime() - (WINDOW_DAYS - 1) * DAY_MS);
}

/** When a day is outside of every window. */
export function getEnd(day: Date): Date {
  return new Date(day.getTime() + (WINDOW_DAYS + 1) * DAY_MS);
}

/** Of UTC: its beginning. */
function getTallyDay(at: Date): Date {
  return new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS);
}
