import { campaignGate, newLeadsGate } from '../decide/campaign-gate';
import { decideSend } from '../decide/decide';
import { type LimitName, type Wait } from '../decide/facts';
import { type SimulatedShareState } from './simulated-share-state';
import { type SimulatedLeadState } from './simulated-lead-state';
import { type SimulatedMailboxState } from './simulated-mailbox-state';
import { type SimulatedWait } from './simulation-input';

/** Returns what keeps an idle mailbox from sending for a campaign. */
export function waitsFor(mailbox: SimulatedMailboxState, share: SimulatedShareState): SimulatedWait {
  const gate = campaignGate(mailbox.now, share.facts, mailbox.mailbox);
  if (gate.kind === 'open') return { reason: waitsForLeads(mailbox, share), until: 0 };
  const { reason, limits } = gate;
  return { reason, until: limits.find(({ binding }) => binding)?.until?.getTime() ?? Infinity };
}

function waitsForLeads(mailbox: SimulatedMailboxState, share: SimulatedShareState): LimitName {
  const { now } = mailbox;
  const { facts } = share;
  const fresh = share.campaign.newLeads.first();
  if (fresh && fresh.dueAt <= now.getTime()) {
    const limit = newLeadsGate(now, facts, mailbox.mailbox);
    // The mailbox could write to a new lead, but rotation prefers another mailbox.
    return limit.kind === 'wait' ? limit.reason : 'other_sender';
  }
  const next = [share.followUps.first(), fresh, ...share.campaign.left.map((row) => row.first())].filter(
    (lead) => lead !== undefined,
  );
  const first = next.toSorted((one, other) => one.dueAt - other.dueAt)[0];
  return first?.postponed ? getBlockingReason(first, mailbox, share) : 'step_delay';
}

/** For a lead that was postponed: returns the limit that postponed it and still applies, not the postponement. */
function getBlockingReason(
  lead: SimulatedLeadState,
  { now, mailbox }: SimulatedMailboxState,
  { facts: campaign }: SimulatedShareState,
): LimitName {
  const decision = decideSend({ now, mailbox, campaign, lead: lead.facts });
  const others = decision.kind === 'wait' ? decision.limits.filter(({ name }) => name !== 'step_delay') : [];
  return longest(others)?.name ?? 'step_delay';
}

function longest(limits: Wait['limits']) {
  const end = (until: Date | null) => until?.getTime() ?? Infinity;
  return limits.toSorted((one, other) => end(other.until) - end(one.until))[0];
}
