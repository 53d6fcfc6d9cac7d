import { type MailboxRecord } from '@domain/mailboxes';
import { type MailboxLease, type MailboxLeaseState } from '@domain/sends';
import { type MailboxFacts } from '../decide/facts';
import { mailboxFacts } from '../pipeline/stored-facts';

/** The state of a mailbox for which no run was ever scheduled. */
const UNUSED = {
  lastSentAt: null,
  sentBefore: null,
  day: '',
  dayUsed: 0,
  dayWarmup: 0,
  slots: [],
  recent: [],
  stopped: null,
  cooldown: null,
} as const;

/** Returns the lease that a run of the mailbox would see, without acquiring it. */
export function planWithoutLease(record: MailboxRecord, state: MailboxLeaseState | undefined): MailboxLease {
  const { lastSentAt, sentBefore, day, dayUsed, dayWarmup, slots, recent, stopped, cooldown } = state ?? UNUSED;
  return {
    lastSentAt,
    sentBefore,
    day,
    dayUsed,
    dayWarmup,
    slots,
    recent,
    stopped,
    cooldown,
    mailboxId: record._id.toHexString(),
    partitionId: record._id.toHexString(),
    workspaceId: record.workspaceId.toHexString(),
    holder: '',
    fence: 0,
    failedRuns: 0,
    plannedFor: null,
    isPoll: false,
  };
}

/** Returns the mailbox facts for decisions outside of a run. */
export function storedMailboxFacts(record: MailboxRecord, state: MailboxLeaseState | undefined): MailboxFacts {
  return mailboxFacts(record, { lease: planWithoutLease(record, state) });
}
