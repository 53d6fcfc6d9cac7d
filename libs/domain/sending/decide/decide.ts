import { campaignLimits, newLeadsLimit, windowLimit } from './campaign-gate';
import { type Decision, type SendingFacts } from './facts';
import { domainLimit, leadLimits, postponedLimit, getStop } from './lead-gate';
import { type LimitHit, settle } from './limits';
import { mailboxLimits } from './mailbox-gate';

/**
 * Decides whether a mailbox sends the next email of a campaign to a lead: now, later (with the reason, the time and all
 * limits), or never. Pure: the engine, `explain`, `diagnostics` and `simulate` use the same decision.
 */
export function decideSend(facts: SendingFacts): Decision {
  const reason = getStop(facts.lead);
  if (reason !== null) return { kind: 'stop', reason };
  const opening = settle(facts.now, (at) => limitsAt(at, facts));
  return opening.kind === 'open' ? { kind: 'send' } : opening;
}

/** Of limits with the same end, the first is named, so limits that a person can change come first. */
function limitsAt(now: Date, { mailbox, campaign, lead }: SendingFacts): LimitHit[] {
  const hits = [
    ...leadLimits(now, lead),
    ...mailboxLimits(now, mailbox),
    ...campaignLimits(now, campaign),
    ...windowLimit(now, campaign, lead.timezone),
    ...(lead.isNew ? newLeadsLimit(now, campaign) : []),
    ...domainLimit(now, campaign, lead),
  ];
  return [...hits, ...postponedLimit(now, lead, hits)];
}
