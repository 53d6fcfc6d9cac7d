import { type SendRecord } from '@domain/sends';
import { getDay, windowAt } from '@platform/time';
import { isFreeMail } from '@platform/validation';
import { type HandoverMail, groupedBy, type SendingFacts } from './invariants-facts';
import { ON_ITS_WAY_MS, SINCE_THE_CLAIM_MS } from './invariants-tolerance';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** A submitted email and its time. */
interface Email {
  at: Date;
  send: SendRecord;
}

/** 7: no limit, gap or window is exceeded, by the time of the first byte of each email. */
export function* checkLimits(facts: SendingFacts): Generator<string> {
  const emails = listEmails(facts);
  yield* mailboxLimits(facts, emails);
  yield* campaignLimits(facts, emails);
}

/** Messages that a server has or may have; a repeated one counts at its last submission. */
function listEmails({ accepted, given, sends }: SendingFacts): Email[] {
  const there = new Set(accepted.map(({ messageId }) => messageId));
  const byMessageId = new Map(sends.map((send) => [send.messageId, send]));
  const lastOf = new Map<string, HandoverMail>();
  for (const mail of given) if ((lastOf.get(mail.messageId)?.at ?? 0) < mail.at) lastOf.set(mail.messageId, mail);
  return [...lastOf.values()]
    .flatMap(({ messageId, at }) => {
      const send = byMessageId.get(messageId);
      const counts = send && (there.has(messageId) || UNCERTAIN.has(send.state));
      return counts ? [{ at, send }] : [];
    })
    .toSorted((one, other) => one.at.getTime() - other.at.getTime());
}

const UNCERTAIN: ReadonlySet<string> = new Set(['ambiguous', 'sent_unconfirmed']);

function* mailboxLimits({ mailboxes, given }: SendingFacts, emails: readonly Email[]): Generator<string> {
  for (const { _id, email, timezone, dailySendLimit, sendGapSeconds } of mailboxes) {
    const own = emails.filter(({ send }) => send.mailboxId.equals(_id));
    yield* checkDailyLimit(email, own, dailySendLimit, timezone);
    const times = own.map(({ at }) => at.getTime());
    for (const at of times) {
      const within = times.filter((other) => other <= at && other > at - DAY_MS + SINCE_THE_CLAIM_MS).length;
      if (within > dailySendLimit) {
        yield `7: ${email}: ${within} of ${dailySendLimit} in the 24 hours before ${new Date(at).toISOString()}`;
      }
    }
    // Submission counts, whatever the server answers.
    const handovers = given.filter(({ from }) => from === email).map(({ at }) => at);
    yield* apart(email, handovers, sendGapSeconds * 1_000);
  }
}

function* campaignLimits({ campaigns, leads }: SendingFacts, emails: readonly Email[]): Generator<string> {
  const leadOf = new Map(leads.map((lead) => [String(lead._id), lead]));
  for (const campaign of campaigns) {
    const { _id, sendingSchedule, dailyLimit, newLeadsPerDay, domainDailyLimit, emailIntervalMinutes } = campaign;
    const name = `campaign ${String(_id)}`;
    const own = emails.filter(({ send }) => send.campaignId.equals(_id));
    for (const { at, send } of own) {
      const zone = campaign.useLeadTimezone ? leadOf.get(String(send.leadId))?.timezone : null;
      const isOpen = [at, new Date(at.getTime() - ON_ITS_WAY_MS)].some(
        (moment) => windowAt(sendingSchedule, moment, zone ?? undefined).open,
      );
      if (!isOpen) yield `7: ${send.email} was sent to at ${at.toISOString()}, when the window is closed`;
    }
    const limited = (what: string, some: readonly Email[], limit: number | null) =>
      limit === null ? [] : checkDailyLimit(what, some, limit, sendingSchedule.timezone);
    yield* limited(name, own, dailyLimit);
    const firsts = [...groupedBy(own, ({ send }) => String(send.leadId)).values()].flatMap(([first]) => first ?? []);
    yield* limited(`${name}, new leads`, firsts, newLeadsPerDay);
    for (const [domain, some] of groupedBy(own, ({ send: { email } }) => email.slice(email.lastIndexOf('@') + 1))) {
      if (!isFreeMail(domain)) yield* limited(`${name}, ${domain}`, some, domainDailyLimit);
    }
    for (const [mailbox, some] of groupedBy(own, ({ send }) => String(send.mailboxId))) {
      const times = some.map(({ at }) => at);
      yield* apart(`${name}, mailbox ${mailbox}`, times, emailIntervalMinutes * MINUTE_MS);
    }
  }
}

/** At most `limit` on each day; one email right after midnight is tolerated, since it was planned the day before. */
function* checkDailyLimit(what: string, emails: readonly Email[], limit: number, zone: string): Generator<string> {
  const sure = emails.filter(
    ({ at }) => getDay(at, zone) === getDay(new Date(at.getTime() - SINCE_THE_CLAIM_MS), zone),
  );
  for (const [day, same] of groupedBy(sure, ({ at }) => getDay(at, zone))) {
    if (same.length > limit) yield `7: ${what}: ${same.length} of ${limit} on ${day}`;
  }
}

function* apart(what: string, times: readonly Date[], leastMs: number): Generator<string> {
  const ordered = times.map((at) => at.getTime()).toSorted((one, other) => one - other);
  for (const [index, at] of ordered.entries()) {
    const ms = at - (ordered[index - 1] ?? -Infinity);
    if (ms < leastMs - ON_ITS_WAY_MS) yield `7: ${what}: ${ms} ms between two, at least ${leastMs} ms`;
  }
}
