import { addDays, getDay, startOfDay } from '@platform/time';
import { getDraws } from '../../plan/seeded-random';
import { getRoomForAnswers } from '../../plan/volume';
import { getHoursOn, getWorkingMoment, type WorkingHours } from '../../plan/working-hours';
import { MAX_MESSAGES } from '../../texts/thread-script';

const HOUR_MS = 3_600_000;
/** An opening that is later than this is dropped: missed mail is not sent in a burst. */
export const MOST_LATE_MS = 2 * HOUR_MS;
/** An answer that is later than this is dropped. */
export const OLDEST_ANSWER_MS = 72 * HOUR_MS;

/** A due mail. */
export interface DueMail {
  readonly id: string;
  /** Position in the thread; 0 opens it. */
  readonly position: number;
  /** YYYY-MM-DD for which it was planned. */
  readonly day: string;
  /** Planned time, unchanged by delays. */
  readonly plannedFor: Date;
  readonly plannedAt: Date;
}

/** The sender's warmup on the current day. */
export interface DayUsage {
  /** Whether the warmup sends: it is not paused, stopped or suspended. */
  readonly isSending: boolean;
  readonly hours: WorkingHours;
  /** Highest number of warmup mails on this day. */
  readonly share: number;
  /** Mails that were handed over to a server. */
  readonly attempted: number;
  /** Opened threads, and planned openings. */
  readonly openings: number;
  readonly openingsLeft: number;
}

export type Dispatch =
  | { readonly kind: 'send' }
  | { readonly kind: 'putOff'; readonly until: Date }
  | { readonly kind: 'giveUp'; readonly reason: string };

/** Decides whether a due mail is sent now, later or never. Pure. */
export function decideDispatch(mail: DueMail, usage: DayUsage, now: Date): Dispatch {
  if (!usage.isSending) return decideStill(mail, now);
  return mail.position === 0 ? decideOpening(mail, usage, now) : decideAnswer(mail, usage, now);
}

/** Answers wait for the warmup to resume, up to their maximum age. */
function decideStill({ position, plannedAt }: DueMail, now: Date): Dispatch {
  if (position === 0) return createGiveUp('The warmup was no longer running');
  if (isTooOld(plannedAt, now)) return createGiveUp('It could not be sent in time');
  return { kind: 'putOff', until: new Date(now.getTime() + HOUR_MS) };
}

function decideOpening({ day, plannedFor }: DueMail, { hours, share, attempted }: DayUsage, now: Date): Dispatch {
  const today = getDay(now, hours.timezone);
  const span = getHoursOn(today, hours);
  const isOver = day !== today || span === null || now.getTime() >= span.to;
  if (isOver) return createGiveUp('Its day ended before it could be sent');
  if (now.getTime() - plannedFor.getTime() > MOST_LATE_MS) return createGiveUp('It could not be sent in time');
  if (attempted >= share) return createGiveUp('The share of the daily limit was used up');
  return { kind: 'send' };
}

function decideAnswer(mail: DueMail, usage: DayUsage, now: Date): Dispatch {
  const { hours, share, attempted, openings, openingsLeft } = usage;
  if (mail.position >= MAX_MESSAGES) return createGiveUp(`A thread has ${MAX_MESSAGES} mails at most`);
  if (isTooOld(mail.plannedAt, now)) return createGiveUp('It could not be sent in time');
  const draw = getDraws('warmup dispatch', mail.id, now.getTime());
  const room = getRoomForAnswers(share, { openings: openings + openingsLeft, answered: attempted - openings });
  const today = getDay(now, hours.timezone);
  const from = room > 0 ? now : startOfDay(addDays(today, 1), hours.timezone);
  const until = getWorkingMoment(from, hours, draw);
  if (until === null) return createGiveUp('No working hours are left for it');
  return until > now ? { kind: 'putOff', until } : { kind: 'send' };
}

function isTooOld(plannedAt: Date, now: Date): boolean {
  return now.getTime() - plannedAt.getTime() > OLDEST_ANSWER_MS;
}

function createGiveUp(reason: string): Dispatch {
  return { kind: 'giveUp', reason };
}
