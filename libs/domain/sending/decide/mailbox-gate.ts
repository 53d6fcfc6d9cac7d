import { type LimitName, type MailboxFacts, type Opening } from './facts';
import { earlier, endless, type LimitHit, blockedByDay, blockedByPeriod, blockedUntil, settle } from './limits';
import { recentEnds, slotEnds } from './tokens';
import { reservedForWarmup, nextShared } from './warmup-share';

/** Tells whether a mailbox can send any email now, independent of the campaign. */
export function mailboxGate(now: Date, mailbox: MailboxFacts): Opening {
  return settle(now, (at) => mailboxLimits(at, mailbox));
}

/** Limits of a mailbox that apply to an email. */
export function mailboxLimits(now: Date, mailbox: MailboxFacts): LimitHit[] {
  const hits = conditions(now, mailbox);
  hits.push(...quotas(now, mailbox));
  return hits;
}

function conditions(now: Date, mailbox: MailboxFacts): LimitHit[] {
  const hits: LimitHit[] = [];
  if (mailbox.status === 'paused') hits.push(endless('mailbox_paused'));
  if (mailbox.status === 'error' || mailbox.status === 'disconnected') {
    const name: LimitName = `mailbox_${mailbox.status}`;
    // When the retry is due, the send itself tests the connection.
    hits.push(...(mailbox.retryAt === null ? [endless(name)] : blockedUntil(name, mailbox.retryAt, now)));
  }
  if (!mailbox.sendingEnabled) hits.push(endless('mailbox_sending_disabled'));
  if (mailbox.pausedBySending !== null) hits.push(endless('mailbox_paused_by_sending', mailbox.pausedBySending.reason));
  if (mailbox.cooldown !== null)
    hits.push(...blockedUntil('mailbox_cooldown', mailbox.cooldown.until, now, mailbox.cooldown.reason));
  return hits;
}

/** Evaluated for every email, so only limits that apply are built. */
function quotas(now: Date, mailbox: MailboxFacts): LimitHit[] {
  const { lastSentAt, gapSeconds, perMinuteLimit } = mailbox;
  const hits = dailyLimits(now, mailbox);
  const gapEnds = lastSentAt === null ? 0 : lastSentAt.getTime() + gapSeconds * 1_000;
  if (gapEnds > now.getTime()) hits.push({ name: 'mailbox_gap', until: new Date(gapEnds) });
  if (perMinuteLimit !== null) {
    const recent = mailbox.recent.map((takenAt) => ({ used: 1, ends: recentEnds(takenAt) }));
    hits.push(...blockedByPeriod('provider_rate', recent, perMinuteLimit, now));
  }
  return hits;
}

function dailyLimits(now: Date, mailbox: MailboxFacts): LimitHit[] {
  const { dailySendLimit, day, dayUsed, timezone } = mailbox;
  const reserved = reservedForWarmup(mailbox, now);
  const max = dailySendLimit - reserved;
  const hits = blockedByDay('mailbox_day', { day, used: dayUsed }, max, timezone, now);
  if (mailbox.slots.length > 0 || dailySendLimit <= 0) {
    const rolling = mailbox.slots.map((slot) => ({ used: slot.used, ends: slotEnds(slot) }));
    hits.push(...blockedByPeriod('mailbox_24h', rolling, max, now));
  }
  if (reserved === 0 || hits.length === 0) return hits;
  // Warmup may reserve another number of emails on another day.
  const shared = nextShared(mailbox, now);
  const detail = `${reserved} of the ${dailySendLimit} emails a day are kept for warmup`;
  return hits.map((limit) => ({ ...limit, until: earlier(limit.until, shared), detail }));
}
