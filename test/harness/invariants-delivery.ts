import { type SendRecord } from '@domain/sends';
import { ON_ITS_WAY_MS } from './invariants-tolerance';
import { countsAsSent, type ForbiddingAct, groupedBy, type SendingFacts } from './invariants-facts';

/** States in which the server may have the message. */
const MAY_BE_THERE: ReadonlySet<string> = new Set(['sending', 'sent', 'ambiguous', 'sent_unconfirmed']);
const OPEN: ReadonlySet<string> = new Set(['claimed', 'sending', 'withheld', 'ambiguous']);

/** 1: the server accepted exactly one email for each (campaign, lead, step), under the Message-ID of its send. */
export function* acceptedOnce({ accepted, sends, mailboxes }: SendingFacts): Generator<string> {
  const byMessageId = new Map(sends.map((send) => [send.messageId, send]));
  const senders = new Map(mailboxes.map(({ _id, email }) => [String(_id), email]));
  for (const mail of accepted) {
    const send = byMessageId.get(mail.messageId);
    const name = `${mail.messageId} to ${mail.to.join()}`;
    if (!send) {
      yield `1: accepted without a send: ${name}`;
      continue;
    }
    if (!send.messageId.startsWith(`<${String(send._id)}@`)) yield `1: a Message-ID that is not its send's: ${name}`;
    if (mail.to.join() !== send.email) yield `1: accepted for another person than ${send.email}: ${name}`;
    if (mail.from !== senders.get(String(send.mailboxId))) yield `1: accepted from another mailbox: ${name}`;
    if (send.handoverAt === null) yield `1: accepted although it was never submitted: ${name}`;
  }
  const steps = groupedBy(accepted, ({ messageId }) => {
    const send = byMessageId.get(messageId);
    return send
      ? `campaign ${String(send.campaignId)}, lead ${String(send.leadId)}, step ${send.stepOrder}`
      : messageId;
  });
  for (const [name, mails] of steps) if (mails.length > 1) yield `1: accepted ${mails.length} times: ${name}`;
  // Independent of the database: an address receives no more emails of a mailbox than it has steps.
  const perPerson = groupedBy(accepted, ({ from, to }) => `${from} to ${to.join()}`);
  for (const [name, mails] of perPerson) {
    const planned = sends.filter(({ email }) => email === mails[0]?.to.join()).length;
    if (mails.length > planned) yield `1: ${mails.length} accepted for ${planned} sends: ${name}`;
  }
}

/** 2: `sent` in the database if and only if the server has it; uncertain outcomes are explained. */
export function* sentIfAccepted({ accepted, sends }: SendingFacts): Generator<string> {
  const there = new Set(accepted.map(({ messageId }) => messageId));
  for (const send of sends) {
    const name = `send ${String(send._id)} to ${send.email}, attempt ${send.attempt}, ${send.state}`;
    if (send.state === 'sent' && !there.has(send.messageId)) yield `2: the server never accepted it: ${name}`;
    if (!MAY_BE_THERE.has(send.state) && there.has(send.messageId)) yield `2: the server has accepted it: ${name}`;
    const isUncertain = send.state === 'ambiguous' || send.state === 'sent_unconfirmed';
    if (isUncertain && !send.reason) yield `2: uncertain without an explanation: ${name}`;
  }
  for (const [name, same] of groupedBy(
    sends,
    ({ leadId, stepId }) => `lead ${String(leadId)}, step ${String(stepId)}`,
  )) {
    if (same.length > 1) yield `2: ${same.length} sends of one step: ${name}`;
  }
}

/**
 * 2: no lead is forgotten, and none belongs to a finished send. With `settled`, nothing is due: each due step is in a
 * final state.
 */
export function* noLeadForgotten(facts: SendingFacts, { settled }: { settled: boolean }): Generator<string> {
  const sends = new Map(facts.sends.map((send) => [String(send._id), send]));
  const ofLead = groupedBy(facts.sends, ({ leadId }) => String(leadId));
  for (const lead of facts.leads) {
    const name = `lead ${String(lead._id)}, ${lead.email}, ${lead.status} ${lead.stopReason ?? ''}`;
    const send = lead.sendId && sends.get(String(lead.sendId));
    if (lead.sendId && (!send || !OPEN.has(send.state))) {
      yield `2: bound to a send that is ${send ? send.state : 'gone'}: ${name}`;
    }
    if (!lead.sendId && lead.status === 'active' && lead.dueAt === null) yield `2: forgotten: ${name}`;
    const own = ofLead.get(String(lead._id)) ?? [];
    const counted = own.filter(countsAsSent).length;
    if (counted !== lead.sentCount) yield `2: ${counted} emails, and ${lead.sentCount} noted: ${name}`;
    if (lead.stopReason === 'finished') yield* unfinished(facts, String(lead.campaignId), own, name);
    if (!settled) continue;
    if (lead.sendId) yield `2: still on its way: ${name}`;
    if (lead.status === 'active') yield `2: still active: ${name}`;
  }
  if (!settled) return;
  for (const send of facts.sends) {
    if (OPEN.has(send.state)) yield `2: not in a final state: send ${String(send._id)} to ${send.email}, ${send.state}`;
  }
}

function* unfinished(
  { sequences, campaigns }: SendingFacts,
  campaignId: string,
  own: readonly SendRecord[],
  name: string,
): Generator<string> {
  const version = campaigns.find(({ _id }) => String(_id) === campaignId)?.sequenceVersion;
  const sequence = sequences.find((one) => String(one.campaignId) === campaignId && one.version === version);
  for (const step of sequence?.steps ?? []) {
    const send = own.find(({ stepId }) => stepId.equals(step._id));
    if (!send || !(countsAsSent(send) || send.state === 'failed')) {
      yield `2: finished although step ${step.order} is ${send?.state ?? 'not sent'}: ${name}`;
    }
  }
}

/**
 * 6: no message is submitted after the acknowledgement of an act that forbids it: neither its DATA command nor its
 * first byte.
 */
export function* nothingAfter({ given, sends }: SendingFacts, acts: readonly ForbiddingAct[]): Generator<string> {
  const byMessageId = new Map(sends.map((send) => [send.messageId, send]));
  for (const { messageId, dataAt, at: firstByteAt, to } of given) {
    if (messageId === '') continue; // Its worker was killed during the first bytes.
    const send = byMessageId.get(messageId);
    if (!send) {
      yield `6: given without a send: ${messageId} to ${to.join()}`;
      continue;
    }
    const broken = acts.find(({ at, until, forbids }) => {
      const isOver = until !== undefined && firstByteAt > until;
      const isLate = dataAt > at || firstByteAt.getTime() > at.getTime() + ON_ITS_WAY_MS;
      return isLate && !isOver && forbids(send);
    });
    if (!broken) continue;
    const late = firstByteAt.getTime() - broken.at.getTime();
    yield `6: given away ${late} ms after the acknowledgement of ${broken.what}: ${messageId} to ${to.join()}`;
  }
}
