import { campaignLimits, newLeadsLimit, windowLimit } from './campaign-gate';
import { type Decision, type SendingFacts } from './facts';
import { domainLimit, leadLimits, postponedLimit, getStop } from './lead-gate';
import { type LimitHit, settle } from './limits';
import { mailboxLimits } from './mailbox-gate';

/**
 * Whether the next email goes to a lead, from a mailbox, for a campaign: send it now, wait (for what, until when, and what
 * else holds), or never. Pure: the engine, `explain`, `diagnostics` and `simulate` ask the same question.
 */
export function decide(facts: SendingFacts): Decision {
  const reason = getStop(facts.lead);
  if (reason !== null) return { kind: 'stop', reason };
  const opening = settle(facts.now, (at) => limitsAt(at, facts));
  return opening.kind === 'open' ? { kind: 'send' } : opening;
}

/** Of limits that hold equally long the first is named: what a person can do something about comes first. */
function limitsAt(now: Date, { mailbox, campaign, lead }: SendingFacts): LimitHit[] {
  const held = [
    ...leadLimits(now, lead),
    ...mailboxLimits(now, mailbox),
    ...campaignLimits(now, campaign),
    ...windowLimit(now, campaign, lead.timezone),
    ...(lead.isNew ? newLeadsLimit(now, campaign) : []),
    ...domainLimit(now, campaign, lead),
  ];
  return [...held, ...postponedLimit(now, lead, held)];
}
