import { type LimitName, type MailboxFacts, type Opening } from './facts';
import { endless, type Held, heldByDay, heldByPeriod, heldUntil, settle } from './limits';
import { recentEnds, slotEnds } from './tokens';

/** Whether a mailbox can send anything now, whatever the campaign. */
export function mailboxGate(now: Date, mailbox: MailboxFacts): Opening {
  return settle(now, (at) => mailboxLimits(at, mailbox));
}

/** What of a mailbox holds an email back. */
export function mailboxLimits(now: Date, mailbox: MailboxFacts): Held[] {
  return [...conditions(now, mailbox), ...quotas(now, mailbox)];
}

function conditions(now: Date, mailbox: MailboxFacts): Held[] {
  const held: Held[] = [];
  if (mailbox.status === 'paused') held.push(endless('mailbox_paused'));
  if (mailbox.status === 'error' || mailbox.status === 'disconnected') {
    const name: LimitName = `mailbox_${mailbox.status}`;
    // Once it is time to try again, sending is the trial.
    held.push(...(mailbox.retryAt === null ? [endless(name)] : heldUntil(name, mailbox.retryAt, now)));
  }
  if (!mailbox.sendingEnabled) held.push(endless('mailbox_sending_disabled'));
  if (mailbox.pausedBySending !== null) held.push(endless('mailbox_paused_by_sending'));
  return held;
}

function quotas(now: Date, mailbox: MailboxFacts): Held[] {
  const { dailySendLimit, lastSentAt, gapSeconds, perMinuteLimit } = mailbox;
  const today = { day: mailbox.day, used: mailbox.dayUsed };
  const rolling = mailbox.slots.map((slot) => ({ used: slot.used, ends: slotEnds(slot) }));
  const recent = mailbox.recent.map((takenAt) => ({ used: 1, ends: recentEnds(takenAt) }));
  const gapEnds = lastSentAt && new Date(lastSentAt.getTime() + gapSeconds * 1_000);
  return [
    ...heldByDay('mailbox_day', today, dailySendLimit, mailbox.timezone, now),
    ...heldByPeriod('mailbox_24h', rolling, dailySendLimit, now),
    ...heldUntil('mailbox_gap', gapEnds, now),
    ...(perMinuteLimit === null ? [] : heldByPeriod('provider_rate', recent, perMinuteLimit, now)),
  ];
}
