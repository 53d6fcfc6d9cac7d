import { type SendRecord } from '@domain/sends';
import { dayOf, windowAt } from '@platform/time';
import { isFreeMail } from '@platform/validation';
import { groupedBy, type SendingWorld } from './invariants.facts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** 7: no limit, gap or window is exceeded; recomputed from the emails themselves, by when each was claimed. */
export function* limitsKept(world: SendingWorld): Generator<string> {
  const accepted = new Set(world.accepted.map(({ messageId }) => messageId));
  const given = world.sends
    .filter(({ messageId, state }) => accepted.has(messageId) || state === 'sent_unconfirmed' || state === 'ambiguous')
    .toSorted((one, other) => one.claimedAt.getTime() - other.claimedAt.getTime());
  yield* mailboxLimits(world, given);
  yield* campaignLimits(world, given);
}

function* mailboxLimits({ mailboxes }: SendingWorld, given: readonly SendRecord[]): Generator<string> {
  for (const { _id, email, timezone, dailySendLimit, sendGapSeconds } of mailboxes) {
    const own = given.filter(({ mailboxId }) => mailboxId.equals(_id));
    for (const [day, sends] of groupedBy(own, ({ claimedAt }) => dayOf(claimedAt, timezone))) {
      if (sends.length > dailySendLimit) yield `7: ${email}: ${sends.length} of ${dailySendLimit} on ${day}`;
    }
    const times = own.map(({ claimedAt }) => claimedAt.getTime());
    for (const [index, at] of times.entries()) {
      const within = times.filter((other) => other <= at && other > at - DAY_MS).length;
      if (within > dailySendLimit) yield `7: ${email}: ${within} of ${dailySendLimit} in the 24 hours before ${at}`;
      const gap = at - (times[index - 1] ?? -Infinity);
      if (gap < sendGapSeconds * 1_000) yield `7: ${email}: ${gap} ms between two, at least ${sendGapSeconds} s`;
    }
  }
}

function* campaignLimits({ campaigns, leads }: SendingWorld, given: readonly SendRecord[]): Generator<string> {
  const leadOf = new Map(leads.map((lead) => [String(lead._id), lead]));
  for (const campaign of campaigns) {
    const { _id, sendingSchedule, dailyLimit, newLeadsPerDay, domainDailyLimit, emailIntervalMinutes } = campaign;
    const own = given.filter(({ campaignId }) => campaignId.equals(_id));
    for (const send of own) {
      const zone = campaign.useLeadTimezone ? leadOf.get(String(send.leadId))?.timezone : null;
      if (!windowAt(sendingSchedule, send.claimedAt, zone ?? undefined).open) {
        yield `7: ${send.email} was sent to at ${send.claimedAt.toISOString()}, when the window is closed`;
      }
    }
    const on = ({ claimedAt }: SendRecord) => dayOf(claimedAt, sendingSchedule.timezone);
    const limited = function* (what: string, sends: readonly SendRecord[], limit: number | null) {
      for (const [day, same] of groupedBy(sends, on)) {
        if (limit !== null && same.length > limit) yield `7: ${what}: ${same.length} of ${limit} on ${day}`;
      }
    };
    yield* limited(`campaign ${String(_id)}`, own, dailyLimit);
    const firsts = [...groupedBy(own, ({ leadId }) => String(leadId)).values()].flatMap(([first]) => first ?? []);
    yield* limited(`campaign ${String(_id)}, new leads`, firsts, newLeadsPerDay);
    for (const [domain, sends] of groupedBy(own, ({ email }) => email.slice(email.lastIndexOf('@') + 1))) {
      if (!isFreeMail(domain)) yield* limited(`campaign ${String(_id)}, ${domain}`, sends, domainDailyLimit);
    }
    for (const [mailbox, sends] of groupedBy(own, ({ mailboxId }) => String(mailboxId))) {
      for (const [index, { claimedAt }] of sends.entries()) {
        const before = sends[index - 1];
        if (before && claimedAt.getTime() - before.claimedAt.getTime() < emailIntervalMinutes * MINUTE_MS) {
          yield `7: mailbox ${mailbox}: two within ${emailIntervalMinutes} minutes at ${claimedAt.toISOString()}`;
        }
      }
    }
  }
}
