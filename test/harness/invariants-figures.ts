import { type EventRecord } from '@domain/events';
import { getDay } from '@platform/time';
import { type Types } from 'mongoose';
import { type CampaignDay, countsAsSent, groupedBy, type SendingFacts } from './invariants-facts';

const TALLIES = ['active', 'paused', 'completed', 'bounced', 'removed'] as const;

/** 3: the figures of campaigns, steps and mailboxes equal a recount, and each event was recorded once. */
export function* figuresRight(facts: SendingFacts): Generator<string> {
  yield* campaignFigures(facts);
  yield* campaignDays(facts);
  yield* mailboxFigures(facts);
  yield* checkRecordedEvents(facts);
}

function* differing(
  name: string,
  recorded: Record<string, number>,
  counted: Record<string, number>,
): Generator<string> {
  for (const key of new Set([...Object.keys(recorded), ...Object.keys(counted)])) {
    const [is, should] = [recorded[key] ?? 0, counted[key] ?? 0];
    if (is !== should) yield `3: ${name}: ${key} is ${is} and should be ${should}`;
  }
}

function* campaignFigures({ campaigns, shares, sends, leads, events }: SendingFacts): Generator<string> {
  for (const { _id } of campaigns) {
    const mine = <T extends { campaignId: unknown }>(all: readonly T[]) =>
      all.filter(({ campaignId }) => String(campaignId) === String(_id));
    const own = mine(shares);
    const sent = mine(sends).filter(countsAsSent);
    const recorded = mine(events);
    const name = `campaign ${String(_id)}`;
    yield* differing(name, summed(own.map(({ stats }) => stats)), {
      sent: sent.length,
      delivered: sent.length,
      ...countByType(recorded),
      machineOpened: mine(sends).filter(({ machineOpenedAt }) => machineOpenedAt).length,
      machineClicked: mine(sends).filter(({ machineClickedAt }) => machineClickedAt).length,
    });
    const present = mine(leads);
    yield* differing(`${name}, leads`, summed(own.map((share) => share.leads)), {
      total: present.length,
      ...Object.fromEntries(TALLIES.map((tally) => [tally, present.filter(({ status }) => status === tally).length])),
    });
    const steps = new Set([
      ...own.flatMap((share) => Object.keys(share.steps ?? {})),
      ...sent.map((send) => String(send.stepId)),
    ]);
    for (const stepId of steps) {
      yield* differing(`${name}, step ${stepId}`, summed(own.map((share) => share.steps?.[stepId] ?? {})), {
        sent: sent.filter((send) => String(send.stepId) === stepId).length,
        ...Object.fromEntries(
          (['opened', 'clicked', 'bounced'] as const).map((figure) => [
            figure,
            recorded.filter(({ type, data }) => type === `email.${figure}` && data['stepId'] === stepId).length,
          ]),
        ),
      });
    }
    const known = new Set(present.map((lead) => String(lead._id)));
    // An erased lead counts if a send was attempted; a released claim of a mailbox does not count, nor one that
    // returned from sending: that was no attempt.
    const erased = mine(sends).filter(
      ({ leadId, state, attempt }) => !known.has(String(leadId)) && (state === 'planned' ? attempt > 1 : attempt > 0),
    );
    const takers = [
      ...present.map(({ _id, mailboxId }) => ({ leadId: _id, mailboxId })),
      ...erased.map(({ leadId, mailboxId }) => ({ leadId, mailboxId })),
    ];
    for (const { mailboxId, newLeads } of own) {
      if (!mailboxId) continue;
      // Each lead once, regardless of the number of attempts.
      const its = takers.filter((one) => one.mailboxId?.equals(mailboxId));
      const taken = new Set(its.map(({ leadId }) => String(leadId))).size;
      if (newLeads !== taken) {
        yield `3: ${name}, mailbox ${String(mailboxId)}: newLeads is ${newLeads} and should be ${taken}`;
      }
    }
  }
}

/** Figures that are derived from events and from no send state. */
function countByType(events: readonly EventRecord[]): Record<string, number> {
  const all = (type: string) => events.filter((event) => event.type === type);
  const firsts = (type: string) => all(type).filter(isFirst).length;
  return {
    bounced: all('email.bounced').length,
    opened: firsts('email.opened'),
    clicked: firsts('email.clicked'),
    replied: firsts('email.replied'),
    unsubscribed: firsts('email.unsubscribed'),
    positiveReplied: firsts('email.positive_reply'),
    autoReplied: all('email.auto_replied').length,
    complained: all('email.complained').length,
  };
}

function isFirst({ data }: Pick<EventRecord, 'data'>): boolean {
  return data['firstOfLead'] === true;
}

/** Mailboxes count opened emails, and leads that replied. */
const SEEN = ['opened', 'clicked', 'replied'] as const;

function listSeen(figure: (typeof SEEN)[number], events: readonly EventRecord[]): EventRecord[] {
  return events.filter((event) => event.type === `email.${figure}` && (figure !== 'replied' || isFirst(event)));
}

const QUARTER_MS = 900_000;
const DAY_MS = 86_400_000;

/** Days are derived from relayed events, in total and by mailbox, in days and in quarters of an hour. */
function* campaignDays({ campaigns, events, pendingEvents, campaignDays: days }: SendingFacts): Generator<string> {
  const known = new Set(campaigns.filter(({ deletedAt }) => !deletedAt).map(({ _id }) => String(_id)));
  const pending = new Set(pendingEvents.map(String));
  const counted = new Map<string, EventRecord[]>();
  for (const event of events) {
    const { _id, campaignId, mailboxId, at } = event;
    if (!known.has(String(campaignId)) || pending.has(String(_id))) continue;
    const day = Math.floor(at.getTime() / DAY_MS) * DAY_MS;
    for (const of of mailboxId ? [null, mailboxId] : [null]) {
      const place = getPlace(campaignId, of, day);
      counted.set(place, [...(counted.get(place) ?? []), event]);
    }
  }
  const kept = new Map(
    days
      .filter(({ campaignId }) => known.has(String(campaignId)))
      .map((one) => [getPlace(one.campaignId, one.mailboxId, one.day.getTime()), one]),
  );
  for (const place of new Set([...counted.keys(), ...kept.keys()])) {
    const recorded: Partial<CampaignDay> = kept.get(place) ?? {};
    yield* differing(`day ${place}`, recorded.figures ?? {}, dayFigures(counted.get(place) ?? []));
    const quarters = groupedBy(counted.get(place) ?? [], ({ at }) =>
      String(Math.floor((at.getTime() % DAY_MS) / QUARTER_MS)),
    );
    for (const quarter of new Set([...quarters.keys(), ...Object.keys(recorded.quarters ?? {})])) {
      const should = dayFigures(quarters.get(quarter) ?? []);
      yield* differing(`day ${place}, quarter ${quarter}`, recorded.quarters?.[quarter] ?? {}, should);
    }
  }
}

function getPlace(campaignId: Types.ObjectId | null, mailboxId: Types.ObjectId | null, day: number): string {
  return [String(campaignId), mailboxId?.toHexString() ?? 'all', new Date(day).toISOString().slice(0, 10)].join();
}

function dayFigures(events: readonly EventRecord[]): Record<string, number> {
  const sent = events.filter(({ type }) => type === 'email.sent');
  return { ...countByType(events), sent: sent.length, contacted: sent.filter(isFirst).length };
}

interface Refusal {
  as: 'bounced' | 'failed';
  at: Date;
}

function refusedEmails(events: readonly EventRecord[]): Refusal[] {
  return events.flatMap(({ type, at }) => {
    if (type === 'email.bounced') return { as: 'bounced', at };
    return type === 'email.failed' ? { as: 'failed', at } : [];
  });
}

/** No event records them. An unknown address is on the suppression list since then, with the server's reply. */
function refusedReplies({ records, unknown }: SendingFacts['replies']): Refusal[] {
  const failed = records.filter(({ state }) => state === 'failed');
  return failed.map(({ email, reason, updatedAt }) => {
    const isUnknown = unknown.some((line) => line.value === email && line.reason === (reason ?? '').slice(0, 200));
    return { as: isUnknown ? 'bounced' : 'failed', at: updatedAt };
  });
}

function* mailboxFigures({ mailboxes, days, sends, events, leases, replies }: SendingFacts): Generator<string> {
  for (const { _id, email, timezone, totalSent, totalBounced } of mailboxes) {
    const mine = <T extends { mailboxId: unknown }>(all: readonly T[]) =>
      all.filter(({ mailboxId }) => String(mailboxId) === String(_id));
    const sent = [...mine(sends), ...mine(replies.records)].filter(countsAsSent);
    const refused = [...refusedEmails(mine(events)), ...refusedReplies({ ...replies, records: mine(replies.records) })];
    const bounced = refused.filter(({ as }) => as === 'bounced');
    yield* differing(email, { totalSent, totalBounced }, { totalSent: sent.length, totalBounced: bounced.length });
    const seen = mine(events).filter((event) => SEEN.some((figure) => event.type === `email.${figure}`));
    const seenOn = groupedBy(seen, ({ at }) => getDay(at, timezone));
    const sentOn = groupedBy(sent, ({ sentAt }) => (sentAt ? getDay(sentAt, timezone) : 'never'));
    const refusedOn = groupedBy(refused, ({ at }) => getDay(at, timezone));
    const own = mine(days);
    for (const day of new Set([
      ...own.map((one) => one.day),
      ...sentOn.keys(),
      ...refusedOn.keys(),
      ...seenOn.keys(),
    ])) {
      const recorded = own.filter((one) => one.day === day);
      const refusals = refusedOn.get(day) ?? [];
      yield* differing(
        `${email} on ${day}`,
        summed(
          recorded.map(({ sent, failed, bounced, opened, clicked, replied }) => {
            return { sent, failed, bounced, opened, clicked, replied };
          }),
        ),
        {
          ...Object.fromEntries(SEEN.map((figure) => [figure, listSeen(figure, seenOn.get(day) ?? []).length])),
          sent: sentOn.get(day)?.length ?? 0,
          failed: refusals.filter(({ as }) => as === 'failed').length,
          bounced: refusals.filter(({ as }) => as === 'bounced').length,
        },
      );
    }
    const position = leases.find((one) => one._id.equals(_id));
    const today = sent.filter(
      ({ claimedAt }) => position && claimedAt && getDay(claimedAt, timezone) === position.day,
    ).length;
    if (position && position.dayUsed < today)
      yield `3: ${email}: ${position.dayUsed} of its budget used for ${today} emails`;
  }
}

function* checkRecordedEvents({ events, sends, leads, campaigns }: SendingFacts): Generator<string> {
  const keys = groupedBy(events, ({ dedupeKey }) => dedupeKey);
  for (const [key, same] of keys) if (same.length > 1) yield `3: recorded ${same.length} times: ${key}`;
  const sent = sends.filter(countsAsSent).map(({ _id }) => `email.sent:${String(_id)}`);
  for (const key of sent) if (!keys.has(key)) yield `3: not recorded: ${key}`;
  const recorded = events.filter(({ type }) => type === 'email.sent').length;
  if (recorded !== sent.length) yield `3: ${recorded} events of sent emails, but ${sent.length} sent`;
  for (const { _id, status } of leads) {
    const ended = status === 'completed' || status === 'bounced';
    if (ended && !keys.has(`lead.completed:${String(_id)}`)) yield `3: not recorded: the end of lead ${String(_id)}`;
  }
  for (const { _id, status } of campaigns) {
    const isRecorded = events.some(({ type, campaignId }) => type === 'campaign.completed' && campaignId?.equals(_id));
    if (status === 'completed' && !isRecorded) yield `3: not recorded: the end of campaign ${String(_id)}`;
  }
}

function summed(all: readonly Record<string, number>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const one of all) for (const [key, by] of Object.entries(one)) sums[key] = (sums[key] ?? 0) + by;
  return sums;
}
