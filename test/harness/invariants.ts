import { answeredOnce } from './invariants-agents';
import { acceptedOnce, nobodyForgotten, nothingAfter, sentIfAccepted } from './invariants-delivery';
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
  /** What was forbidden, with the times of its acknowledgement. */
  acts?: readonly ForbiddingAct[];
}

/** What a run came to. */
export interface SendingFigures {
  sends: number;
  accepted: number;
  duplicates: number;
  /** Emails that count as sent for certain and that the server does not have. */
  losses: number;
  /** Emails of which it is, or stayed, unknown whether the server has them. */
  ambiguous: number;
  failed: number;
}

/**
 * The invariants of design/testing.md, as far as there is something to hold to them, looked at from outside: in the
 * database past the platform's code, and in the mail server's own log. Each line names the invariant that is broken.
 */
export async function violations(
  platform: Observed,
  workspaceId: string,
  { settled = false, acts = [] }: InvariantOptions = {},
): Promise<string[]> {
  const world = await readSendingFacts(platform, workspaceId);
  return [
    ...acceptedOnce(world),
    ...sentIfAccepted(world),
    ...nobodyForgotten(world, { settled }),
    ...figuresRight(world),
    ...nothingAfter(world, acts),
    ...checkLimits(world),
    ...repliesSentOnce(world, { settled }),
    ...answeredOnce(world),
    ...syncsCounted(await syncFacts(platform, workspaceId)),
    ...reportsSentOnce(await reportsFacts(platform, workspaceId), { settled }),
  ];
}

/** What has become of the emails of a workspace. */
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
