import { type MailboxRecord, type MailboxWarmup } from '@domain/mailboxes';
import { getReservedMails } from '../plan/volume';
import { type WarmupRecord } from '../schemas/warmup.record';
import { getDefaultConfig } from './warmup-defaults';
import { isWarming } from './warmup-status';

/** The state of a warmup, stored or default. */
export type WarmupState = Omit<WarmupRecord, 'createdAt' | 'updatedAt'>;

/** A mailbox and its warmup. */
export interface Warmup {
  readonly mailbox: MailboxRecord;
  readonly state: WarmupState;
}

/** The state without a run: before the first start, and after a stop. */
export const NO_RUN = {
  status: 'not_started',
  startedAt: null,
  startedOn: '',
  completedAt: null,
  currentDay: 0,
  currentVolume: 0,
  daysAtVolume: 0,
  judgedFrom: '',
  closedDay: '',
  plannedDay: '',
  plannedThreads: null,
  slowdown: null,
  suspension: null,
  nextAt: null,
} as const satisfies Partial<WarmupState>;

/** The default state of a mailbox's warmup. */
export function createState({ _id, workspaceId, provider }: MailboxRecord): WarmupState {
  return { _id, workspaceId, ...NO_RUN, config: getDefaultConfig(provider), metrics: null, revision: 0 };
}

/** The part of a warmup that its mailbox record repeats. */
export function toMailboxWarmup({ mailbox, state }: Warmup): MailboxWarmup {
  const { status, currentDay, currentVolume, plannedThreads, config, metrics } = state;
  const { startingVolume, dailyIncrease, targetVolume, weekdaysOnly } = config;
  const threads = isWarming(status) ? (plannedThreads ?? currentVolume) : 0;
  const mails = getReservedMails(threads, mailbox.dailySendLimit, config);
  return {
    enabled: isWarming(status),
    status,
    currentDay,
    currentVolume,
    config: { startingVolume, dailyIncrease, targetVolume },
    metrics: { ...metrics },
    share: mails > 0 ? { mails, weekdaysOnly } : null,
  };
}
