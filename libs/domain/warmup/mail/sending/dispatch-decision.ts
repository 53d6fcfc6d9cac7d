import { addDays, getDay, startOfDay } from '@platform/time';
import { getDraws } from '../../plan/seeded-random';
import { getRoomForAnswers } from '../../plan/volume';
import { getHoursOn, getWorkingMoment, type WorkingHours } from '../../plan/working-hours';
import { MAX_MESSAGES } from '../../texts/thread-script';

const HOUR_MS = 3_600_000;
/** An opening that is later than this is left out: what a worker has missed is not caught up with in a burst. */
export const MOST_LATE_MS = 2 * HOUR_MS;
/** Nobody answers a mail after so long. */
export const OLDEST_ANSWER_MS = 72 * HOUR_MS;

/** A mail whose time has come. */
export interface DueMail {
  readonly id: string;
  /** Its place in the thread: 0 begins it. */
  readonly position: number;
  /** YYYY-MM-DD that it was planned for. */
  readonly day: string;
  /** Its time in the plan, however often it was put off since. */
  readonly plannedFor: Date;
  readonly plannedAt: Date;
}

/** The warmup of the sender on its present day. */
export interface DayUsage {
  /** Whether the warmup sends: it is not paused, stopped or suspended. */
  readonly isSending: boolean;
  readonly hours: WorkingHours;
  /** Mails that warmup may send on it at most. */
  readonly share: number;
  /** Mails that were given to a server. */
  readonly attempted: number;
  /** Threads that were begun, and those that are still planned. */
  readonly openings: number;
  readonly openingsLeft: number;
}

export type Dispatch =
  | { readonly kind: 'send' }
  | { readonly kind: 'putOff'; readonly until: Date }
  | { readonly kind: 'giveUp'; readonly reason: string };

/** Whether a mail whose time has come is sent now, later, or not at all. Pure. */
export function decideDispatch(mail: DueMail, standing: DayUsage, now: Date): Dispatch {
  if (!standing.isSending) return decideStill(mail, now);
  return mail.position === 0 ? decideOpening(mail, standing, now) : decideAnswer(mail, standing, now);
}

/** Answers wait until it goes on, as long as anybody would wait for them. */
function decideStill({ position, plannedAt }: DueMail, now: Date): Dispatch {
  if (position === 0) return createGiveUp('The warmup did not run any more');
  if (isTooOld(plannedAt, now)) return createGiveUp('It could not be sent in time');
  return { kind: 'putOff', until: new Date(now.getTime() + HOUR_MS) };
}

function decideOpening({ day, plannedFor }: DueMail, { hours, share, attempted }: DayUsage, now: Date): Dispatch {
  const today = getDay(now, hours.timezone);
  const span = getHoursOn(today, hours);
  const isOver = day !== today || span === null || now.getTime() >= span.to;
  if (isOver) return createGiveUp('Its day was over before it could be sent');
  if (now.getTime() - plannedFor.getTime() > MOST_LATE_MS) return createGiveUp('It could not be sent in time');
  if (attempted >= share) return createGiveUp('The share of the daily limit was used up');
  return { kind: 'send' };
}

function decideAnswer(mail: DueMail, standing: DayUsage, now: Date): Dispatch {
  const { hours, share, attempted, openings, openingsLeft } = standing;
  if (mail.position >= MAX_MESSAGES) return createGiveUp(`A thread has ${MAX_MESSAGES} mails at most`);
  if (isTooOld(mail.plannedAt, now)) return createGiveUp('It could not be sent in time');
  const draw = getDraws('warmup dispatch', mail.id, now.getTime());
  const room = getRoomForAnswers(share, { openings: openings + openingsLeft, answered: attempted - openings });
  const today = getDay(now, hours.timezone);
  const from = room > 0 ? now : startOfDay(addDays(today, 1), hours.timezone);
  const until = getWorkingMoment(from, hours, draw);
  if (until === null) return createGiveUp('There are no hours in which it could be sent');
  return until > now ? { kind: 'putOff', until } : { kind: 'send' };
}

function isTooOld(plannedAt: Date, now: Date): boolean {
  return now.getTime() - plannedAt.getTime() > OLDEST_ANSWER_MS;
}

function createGiveUp(reason: string): Dispatch {
  return { kind: 'giveUp', reason };
}
