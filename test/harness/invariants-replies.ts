import { type SendingFacts } from './invariants-facts';

/** States in which the server may have the message. */
const MAY_BE_THERE: ReadonlySet<string> = new Set(['sending', 'sent', 'ambiguous', 'sent_unconfirmed']);
const FINAL: ReadonlySet<string> = new Set(['sent', 'sent_unconfirmed', 'failed', 'cancelled']);

/** 1 and 2 for replies by people: submitted once, and `sent` if and only if the server has it. */
export function* repliesSentOnce(
  { replies: { records, accepted } }: SendingFacts,
  { settled }: { settled: boolean },
): Generator<string> {
  for (const { _id, state, messageId, email, reason } of records) {
    const name = `reply ${String(_id)} to ${email}, ${state}`;
    const mails = accepted.filter((mail) => mail.messageId === messageId);
    if (mails.length > 1) yield `1: accepted ${mails.length} times: ${name}`;
    if (mails.some(({ to }) => to.join() !== email)) yield `1: accepted for another person: ${name}`;
    if (state === 'sent' && mails.length === 0) yield `2: the server never accepted it: ${name}`;
    if (!MAY_BE_THERE.has(state) && mails.length > 0) yield `2: the server has accepted it: ${name}`;
    if ((state === 'ambiguous' || state === 'sent_unconfirmed') && !reason)
      yield `2: uncertain without a reason: ${name}`;
    if (settled && !FINAL.has(state)) yield `2: not in a final state: ${name}`;
  }
}
