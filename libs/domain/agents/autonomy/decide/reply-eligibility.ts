import { type ReplyLabel } from '@domain/inbox';
import { type AgentRecord } from '../../schemas/agent.record';
import { type ReplyReason } from '../agent-reply-states';
import { findStopWord } from './stop-words';

/** Maximum number of replies of agents in one conversation; ends a loop of two machines. */
export const MAX_IN_THREAD = 5;
/** An unsubscribe request never gets an automatic reply, whatever labels the agent answers. */
const NEVER: ReadonlySet<ReplyLabel> = new Set(['unsubscribe_request']);

const ELSEWHERE = 'The message directs replies to an address outside the conversation: it is left to people';

type Deciding = Pick<AgentRecord, 'isActive' | 'autonomousMode' | 'followupSettings'>;

/** The facts that decide whether an agent may reply now. */
export interface ReplyEligibilityFacts {
  /** The kill switch of the workspace. */
  readonly isOff: boolean;
  /** null when the agent was deleted. */
  readonly agent: Deciding | null;
  /** 0: the reply; from 1 on: a follow-up. */
  readonly position: number;
  /** The label for which it was planned. */
  readonly plannedFor: ReplyLabel;
  /** The present label of the conversation. */
  readonly label: ReplyLabel | null;
  /** The label of the message is still to be determined. */
  readonly isLabelling: boolean;
  /** The answered message; null when it was deleted or is no longer the latest. */
  readonly answered: { readonly text: string } | null;
  /** Reply-To names an address outside the thread. */
  readonly hasForeignReplyTo: boolean;
  /** A later automatic reply, bounce or complaint exists. */
  readonly hasNewer: boolean;
  readonly isAnsweredByHand: boolean;
  readonly isSuppressed: boolean;
  /** The conversation is with a lead that may be contacted. */
  readonly isWithLead: boolean;
  /** Number of sent and handed-over replies of agents in the conversation. */
  readonly inThread: number;
}

/** `never`: the reply is withdrawn; `later`: it is evaluated again later. */
export type ReplyEligibility =
  | { readonly may: 'yes' }
  | ({ readonly may: 'never' } & ReplyReason)
  | ({ readonly may: 'later' } & ReplyReason);

/** Decides whether an agent may reply. Decisions of people take precedence over those of programs. */
export function decideReplyEligibility(facts: ReplyEligibilityFacts): ReplyEligibility {
  const never = findRefusal(facts);
  if (never) return { may: 'never', ...never };
  if (facts.isLabelling) {
    return { may: 'later', cause: 'labelling', reason: 'The message is not labelled yet' };
  }
  return { may: 'yes' };
}

function findRefusal(facts: ReplyEligibilityFacts): ReplyReason | null {
  return checkWorkspace(facts) ?? checkConversation(facts) ?? checkLabel(facts) ?? checkPosition(facts);
}

function checkWorkspace({ isOff, agent }: ReplyEligibilityFacts): ReplyReason | null {
  if (isOff) return { cause: 'kill_switch', reason: 'The agents of the workspace are switched off' };
  if (!agent) return { cause: 'agent', reason: 'The agent was deleted' };
  if (!agent.isActive) return { cause: 'agent', reason: 'The agent is inactive' };
  if (!agent.autonomousMode.enabled) return { cause: 'agent', reason: 'The agent no longer replies autonomously' };
  return null;
}

function checkConversation(facts: ReplyEligibilityFacts): ReplyReason | null {
  const { isWithLead, isSuppressed, isAnsweredByHand, answered, hasForeignReplyTo, hasNewer } = facts;
  if (isSuppressed) return { cause: 'suppressed', reason: 'The address is on the suppression list' };
  if (!isWithLead) return { cause: 'lead', reason: 'The conversation is with no lead that may be contacted' };
  if (isAnsweredByHand) return { cause: 'answered', reason: 'A person has answered' };
  if (!answered) return { cause: 'newer', reason: 'The other side has written again' };
  // Otherwise a sender could direct the agent's mail to anybody.
  if (hasForeignReplyTo) return { cause: 'elsewhere', reason: ELSEWHERE };
  if (hasNewer) return { cause: 'newer', reason: 'Other mail has come since' };
  return null;
}

function checkLabel({ agent, label, answered, isLabelling }: ReplyEligibilityFacts): ReplyReason | null {
  const mode = agent?.autonomousMode;
  if (!mode) return null;
  // Nothing is sent before the message is labelled: until then the label may be out of date.
  if (!isLabelling && (label === null || !isChosen(label, mode.labels))) {
    return { cause: 'label', reason: `The agent does not answer what is labelled ${label ?? 'nothing'}` };
  }
  const stopWord = findStopWord(answered?.text ?? '', mode.stopWords);
  if (stopWord === null) return null;
  return { cause: 'stop_word', reason: `The message contains the stop word “${stopWord}”: it is left to people` };
}

function checkPosition({ agent, position, inThread, label, plannedFor }: ReplyEligibilityFacts): ReplyReason | null {
  if (position === 0) {
    if (inThread < MAX_IN_THREAD) return null;
    const reason = `Agents have replied ${inThread} times in this conversation: it is left to people`;
    return { cause: 'thread_limit', reason };
  }
  const settings = agent?.followupSettings;
  if (!settings?.enabled) return { cause: 'silence', reason: 'The agent no longer writes follow-ups' };
  if (position > settings.maxFollowups) return { cause: 'silence', reason: 'The agent writes fewer follow-ups now' };
  if (label !== plannedFor) return { cause: 'label', reason: 'The label of the conversation has changed' };
  return null;
}

/** Whether the agent answers messages with this label. */
export function isChosen(label: ReplyLabel, labels: readonly ReplyLabel[]): boolean {
  return labels.includes(label) && !NEVER.has(label);
}
