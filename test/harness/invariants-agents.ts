import { type AgentReplyFacts, groupedBy, type SendingFacts } from './invariants-facts';

/** States after which nothing of it can arrive. */
const OVER: ReadonlySet<string> = new Set(['cancelled', 'failed']);

/**
 * 1 for agent replies: each `handed` or `sent` one is the inbox reply that it names, no other reply of it can arrive,
 * nothing not handed over can arrive, and each message has at most one answer and one of each follow-up.
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
  for (const [message, same] of groupedBy(
    arriving,
    ({ answeredId, position }) => `${String(answeredId)}, position ${position}`,
  )) {
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
  // A reply that the inbox gave up is processed a little later; a sent one is already processed.
  if (!(answer.state === 'sent' ? live : own).some(isNamed)) yield `1: not in the inbox: ${name}`;
  if (live.length > 1) yield `1: ${live.length} in the inbox: ${name}`;
  else if (!live.every(isNamed)) yield `1: names another reply of the inbox: ${name}`;
}

function getName({ _id, state, position }: AgentReplyFacts): string {
  return `answer ${String(_id)}, position ${position}, ${state}`;
}
