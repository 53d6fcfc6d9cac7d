import { dayOf } from '@platform/time';
import { countsAsSent, groupedBy, type SendingWorld } from './invariants.facts';

const TALLIES = ['active', 'paused', 'completed', 'bounced', 'removed'] as const;

/** 3: the figures of campaigns, steps and mailboxes are what a recount gives; and what happened was told once. */
export function* figuresRight(world: SendingWorld): Generator<string> {
  yield* campaignFigures(world);
  yield* mailboxFigures(world);
  yield* eventsTold(world);
}

function* differing(name: string, told: Record<string, number>, counted: Record<string, number>): Generator<string> {
  for (const key of new Set([...Object.keys(told), ...Object.keys(counted)])) {
    const [is, should] = [told[key] ?? 0, counted[key] ?? 0];
    if (is !== should) yield `3: ${name}: ${key} is ${is} and should be ${should}`;
  }
}

function* campaignFigures({ campaigns, shares, sends, leads, events }: SendingWorld): Generator<string> {
  for (const { _id } of campaigns) {
    const mine = <T extends { campaignId: unknown }>(all: readonly T[]) =>
      all.filter(({ campaignId }) => String(campaignId) === String(_id));
    const own = mine(shares);
    const sent = mine(sends).filter(countsAsSent);
    const bounced = mine(events).filter(({ type }) => type === 'email.bounced');
    const name = `campaign ${String(_id)}`;
    yield* differing(name, summed(own.map(({ stats }) => stats)), {
      sent: sent.length,
      delivered: sent.length,
      bounced: bounced.length,
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
        bounced: bounced.filter(({ data }) => data['stepId'] === stepId).length,
      });
    }
    const known = new Set(present.map((lead) => String(lead._id)));
    // A lead that was erased counts when it had been tried; a mailbox's claim that came to nothing is taken back.
    const erased = mine(sends).filter(
      ({ leadId, state, attempt }) => !known.has(String(leadId)) && (state !== 'planned' || attempt > 1),
    );
    for (const { mailboxId, newLeads } of own) {
      if (!mailboxId) continue;
      const taken = [...present, ...erased].filter((one) => one.mailboxId?.equals(mailboxId)).length;
      if (newLeads !== taken) {
        yield `3: ${name}, mailbox ${String(mailboxId)}: newLeads is ${newLeads} and should be ${taken}`;
      }
    }
  }
}

function* mailboxFigures({ mailboxes, days, sends, events, turns }: SendingWorld): Generator<string> {
  for (const { _id, email, timezone, totalSent, totalBounced } of mailboxes) {
    const mine = <T extends { mailboxId: unknown }>(all: readonly T[]) =>
      all.filter(({ mailboxId }) => String(mailboxId) === String(_id));
    const sent = mine(sends).filter(countsAsSent);
    const refused = mine(events).filter(({ type }) => type === 'email.bounced' || type === 'email.failed');
    const bounced = refused.filter(({ type }) => type === 'email.bounced');
    yield* differing(email, { totalSent, totalBounced }, { totalSent: sent.length, totalBounced: bounced.length });
    const sentOn = groupedBy(sent, ({ sentAt }) => (sentAt ? dayOf(sentAt, timezone) : 'never'));
    const refusedOn = groupedBy(refused, ({ at }) => dayOf(at, timezone));
    const own = mine(days);
    for (const day of new Set([...own.map((one) => one.day), ...sentOn.keys(), ...refusedOn.keys()])) {
      const told = own.filter((one) => one.day === day);
      const refusals = refusedOn.get(day) ?? [];
      yield* differing(
        `${email} on ${day}`,
        summed(told.map(({ sent, failed, bounced }) => ({ sent, failed, bounced }))),
        {
          sent: sentOn.get(day)?.length ?? 0,
          failed: refusals.filter(({ type }) => type === 'email.failed').length,
          bounced: refusals.filter(({ type }) => type === 'email.bounced').length,
        },
      );
    }
    const turn = turns.find((one) => one._id.equals(_id));
    const today = sent.filter(({ claimedAt }) => turn && dayOf(claimedAt, timezone) === turn.day).length;
    if (turn && turn.dayUsed < today) yield `3: ${email}: ${turn.dayUsed} of its budget used for ${today} emails`;
  }
}

function* eventsTold({ events, sends, leads, campaigns }: SendingWorld): Generator<string> {
  const keys = groupedBy(events, ({ dedupeKey }) => dedupeKey);
  for (const [key, same] of keys) if (same.length > 1) yield `3: told ${same.length} times: ${key}`;
  const sent = sends.filter(countsAsSent).map(({ _id }) => `email.sent:${String(_id)}`);
  for (const key of sent) if (!keys.has(key)) yield `3: not told: ${key}`;
  const told = events.filter(({ type }) => type === 'email.sent').length;
  if (told !== sent.length) yield `3: ${told} emails were told of, and ${sent.length} sent`;
  for (const { _id, status } of leads) {
    const ended = status === 'completed' || status === 'bounced';
    if (ended && !keys.has(`lead.completed:${String(_id)}`)) yield `3: not told: the end of lead ${String(_id)}`;
  }
  for (const { _id, status } of campaigns) {
    const isTold = events.some(({ type, campaignId }) => type === 'campaign.completed' && campaignId?.equals(_id));
    if (status === 'completed' && !isTold) yield `3: not told: the end of campaign ${String(_id)}`;
  }
}

function summed(all: readonly Record<string, number>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const one of all) for (const [key, by] of Object.entries(one)) sums[key] = (sums[key] ?? 0) + by;
  return sums;
}
