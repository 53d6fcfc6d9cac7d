import { type MailboxRecord } from '@domain/mailboxes';
import { type MailboxLease, type MailboxLeaseState } from '@domain/sends';
import { type MailboxFacts } from '../decide/facts';
import { mailboxFacts } from '../pipeline/stored-facts';

/** A mailbox that was never woken has used nothing. */
const UNUSED = {
  lastSentAt: null,
  sentBefore: null,
  day: '',
  dayUsed: 0,
  dayWarmup: 0,
  slots: [],
  recent: [],
  stopped: null,
  rest: null,
} as const;

/** A mailbox with what it has used, as its turn would see it: a look from outside, which holds nothing. */
export function planWithoutLease(record: MailboxRecord, state: MailboxLeaseState | undefined): MailboxLease {
  const { lastSentAt, sentBefore, day, dayUsed, dayWarmup, slots, recent, stopped, rest } = state ?? UNUSED;
  return {
    lastSentAt,
    sentBefore,
    day,
    dayUsed,
    dayWarmup,
    slots,
    recent,
    stopped,
    rest,
    mailboxId: record._id.toHexString(),
    workspaceId: record.workspaceId.toHexString(),
    holder: '',
    fence: 0,
    nextAtSeen: null,
    isTrial: false,
  };
}

/** What is judged of a mailbox, seen from outside a turn. */
export function storedMailboxFacts(record: MailboxRecord, state: MailboxLeaseState | undefined): MailboxFacts {
  return mailboxFacts(record, { turn: planWithoutLease(record, state) });
}
