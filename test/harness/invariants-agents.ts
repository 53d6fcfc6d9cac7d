import { type AgentReplyFacts, groupedBy, type SendingFacts } from './invariants-facts';

/** Nothing of it can arrive any more. */
const OVER: ReadonlySet<string> = new Set(['cancelled', 'failed']);

/**
 * 1 for what agents answer: whatever is `handed` or `sent` is the reply of the inbox that it names, no other of it can arrive, nor
 * anything of what was not handed over, and each message has one answer at most, and one of each of its follow-ups.
 */
export function* answeredOnce({ agentReplies, replies: { records } }: SendingFacts): Generator<string> {
  const byAgents = groupedBy(
    records.filter(({ agentReplyId }) => agentReplyId !== undefined),
    ({ agentReplyId }) => String(agentReplyId),
  );
  const arriving: AgentReplyFacts[] = [];
  for (const answer of agentReplies) {
    const own = byAgents.get(String(answer._id)) ?? [];
    byAgents.delete(String(answer._id));
    const live = own.filter(({ state }) => !OVER.has(state));
    yield* inboxAgrees(answer, own, live);
    if (live.length > 0) arriving.push(answer);
  }
  for (const id of byAgents.keys()) yield `1: in the inbox, and no answer of an agent is ${id}`;
  for (const [message, same] of groupedBy(arriving, ({ answeredId, turn }) => `${String(answeredId)}, turn ${turn}`)) {
    if (same.length > 1) yield `1: ${same.length} answers to message ${message}`;
  }
}

type InInbox = SendingFacts['replies']['records'];

function* inboxAgrees(answer: AgentReplyFacts, own: InInbox, live: InInbox): Generator<string> {
  const name = getName(answer);
  const isNamed = ({ _id }: { _id: unknown }) => String(_id) === String(answer.replyId);
  if (answer.state !== 'handed' && answer.state !== 'sent') {
    if (live.length > 0) yield `1: in the inbox although it is ${answer.state}: ${name}`;
    return;
  }
  // What the inbox has given up is looked at a little later; what is sent was looked at.
  if (!(answer.state === 'sent' ? live : own).some(isNamed)) yield `1: not in the inbox: ${name}`;
  if (live.length > 1) yield `1: ${live.length} in the inbox: ${name}`;
  else if (!live.every(isNamed)) yield `1: names another reply of the inbox: ${name}`;
}

function getName({ _id, state, turn }: AgentReplyFacts): string {
  return `createResponse ${String(_id)}, turn ${turn}, ${state}`;
}
