import { answeredOnce } from './invariants-agents';
import { acceptedOnce, noLeadForgotten, nothingAfter, sentIfAccepted } from './invariants-delivery';
import {
  countsAsSent,
  type ForbiddingAct,
  type Observed,
  type SendingFacts,
  readSendingFacts,
} from './invariants-facts';
import { figuresRight } from './invariants-figures';
import { checkLimits } from './invariants-limits';
import { repliesSentOnce } from './invariants-replies';
import { reportsFacts, reportsSentOnce } from './invariants-reports';
import { syncFacts, syncsCounted } from './invariants-syncs';

export interface InvariantOptions {
  /** Nothing is left to do: every due step must be in a final state. */
  settled?: boolean;
  /** Forbidding acts, with the times of their acknowledgement. */
  acts?: readonly ForbiddingAct[];
}

/** Result of a run. */
export interface SendingFigures {
  sends: number;
  accepted: number;
  duplicates: number;
  /** Emails that certainly count as sent and that the server does not have. */
  losses: number;
  /** Emails whose outcome is or was unknown. */
  ambiguous: number;
  failed: number;
}

/**
 * Checks the invariants of design/testing.md as far as there are records for them, from outside: directly in the
 * database and in the mail server's log. Each line names a violated invariant.
 */
export async function violations(
  platform: Observed,
  workspaceId: string,
  { settled = false, acts = [] }: InvariantOptions = {},
): Promise<string[]> {
  const facts = await readSendingFacts(platform, workspaceId);
  return [
    ...acceptedOnce(facts),
    ...sentIfAccepted(facts),
    ...noLeadForgotten(facts, { settled }),
    ...figuresRight(facts),
    ...nothingAfter(facts, acts),
    ...checkLimits(facts),
    ...repliesSentOnce(facts, { settled }),
    ...answeredOnce(facts),
    ...syncsCounted(await syncFacts(platform, workspaceId)),
    ...reportsSentOnce(await reportsFacts(platform, workspaceId), { settled }),
  ];
}

/** Send states of the emails of a workspace. */
export async function sendingFigures(platform: Observed, workspaceId: string): Promise<SendingFigures> {
  return readFigures(await readSendingFacts(platform, workspaceId));
}

function readFigures({ sends, accepted }: SendingFacts): SendingFigures {
  const stepOf = new Map(
    sends.map(({ messageId, leadId, stepId }) => [messageId, `${String(leadId)} ${String(stepId)}`]),
  );
  const there = new Set(accepted.map(({ messageId }) => messageId));
  const steps = new Set(accepted.map(({ messageId }) => stepOf.get(messageId) ?? messageId));
  const uncertain = sends.filter(({ state }) => state === 'ambiguous' || state === 'sent_unconfirmed');
  return {
    sends: sends.filter(countsAsSent).length,
    accepted: accepted.length,
    duplicates: accepted.length - steps.size,
    losses: sends.filter(({ state, messageId }) => state === 'sent' && !there.has(messageId)).length,
    ambiguous: uncertain.length,
    failed: sends.filter(({ state }) => state === 'failed').length,
  };
}
