import {
  type CampaignFacts,
  type LeadFacts,
  type LimitName,
  type MailboxFacts,
  type StopReason,
} from '../decide/facts';
import { campaignGate, newLeadsGate } from '../decide/campaign-gate';
import { decideSend } from '../decide/decide';
import { earlier } from '../decide/limits';
import { mailboxGate } from '../decide/mailbox-gate';

/** Follow-ups of the mailbox's own leads, or leads without a first email. */
export type LeadKind = 'followUp' | 'new';

/** A campaign that the mailbox sends for. */
export interface CampaignAtWork {
  readonly id: string;
  readonly facts: CampaignFacts;
  readonly followUpsFirst: boolean;
  /** When the mailbox last took a lead of it. */
  readonly lastServedAt: Date | null;
}

/** A due lead. */
export interface LeadAtWork {
  readonly id: string;
  readonly facts: LeadFacts;
}

/**
 * The data that a plan reads and changes: the database for the mailbox sender, arrays for a simulation. Both use the
 * same planner, so that they agree.
 */
export interface PlannerDataSource<C extends CampaignAtWork, L extends LeadAtWork> {
  readonly now: Date;
  readonly mailbox: MailboxFacts;
  /** Lists active campaigns with this mailbox, the one served longest ago first. */
  campaigns(): Promise<readonly C[]>;
  /** Lists due leads, ordered by (dueAt, id). */
  due(campaign: C, kind: LeadKind, limit: number): Promise<readonly L[]>;
  /** Returns when the next lead of the kind is due, or null. */
  nextDue(campaign: C, kind: LeadKind): Promise<Date | null>;
  /** Returns null if the mailbox may take a new lead now, otherwise when to plan again. */
  rotationWait(campaign: C): Promise<Date | null>;
  /** Reserves a chosen lead against concurrent mailboxes; false if another one has reserved it. */
  reserve(lead: L): boolean;
  /** Number of leads per call of `due`. */
  readonly batch: number;
  /** Postpones the lead until a time or a change of the campaign's settings. */
  postpone(lead: L, until: Date, why: Postponing<C>): Promise<void>;
  /** Stops the lead: it gets no more emails. */
  stop(lead: L, reason: StopReason): Promise<void>;
}

/** The limit that a lead waits for, and the campaign whose settings define it. */
export interface Postponing<C> {
  readonly reason: LimitName;
  readonly campaign: C;
}

export type Plan<C, L> =
  | { readonly kind: 'send'; readonly campaign: C; readonly lead: L; readonly leadKind: LeadKind }
  | Idle;

/** Nothing can be sent now. */
export interface Idle {
  readonly kind: 'idle';
  /** When to plan again; null if nothing will become due. */
  readonly nextAt: Date | null;
  /** Whether an active campaign sends from the mailbox; assumed while the mailbox itself may not send. */
  readonly works: boolean;
}

/** Maximum leads of a campaign per plan, so that many blocked leads do not delay other campaigns. */
const MOST_LEADS = 200;
/** The postponement of a lead that only a person or an event can release. */
const STUCK_PAUSE_MS = 3_600_000;

/** Maximum time between two runs of a mailbox, so that a lost request for a run is made up for. */
const POLL_AGAIN_MS = 900_000;

/** Returns the next run of an idle mailbox; null when no campaign uses it. */
export function nextPollAt({ nextAt, works }: Idle, now: Date): Date | null {
  if (!works) return null;
  const atLatest = after(now, POLL_AGAIN_MS);
  return nextAt && nextAt < atLatest ? nextAt : atLatest;
}

/** Tells whether the next run of an idle mailbox only polls, since nothing is known to be due. */
export function isPollOnly(plan: Idle, now: Date): boolean {
  return nextPollAt(plan, now)?.getTime() !== plan.nextAt?.getTime();
}

/** Finds what a mailbox sends next, or when it can send something again. */
export async function planNextSend<C extends CampaignAtWork, L extends LeadAtWork>(
  source: PlannerDataSource<C, L>,
): Promise<Plan<C, L>> {
  const gate = mailboxGate(source.now, source.mailbox);
  if (gate.kind === 'wait') return idle(gate.nextEligibleAt);
  let nextAt: Date | null = null;
  const campaigns = await source.campaigns();
  for (const campaign of campaigns) {
    const shut = shutUntil(source, campaign, campaignGate);
    if (shut !== undefined) {
      nextAt = earlier(nextAt, shut);
      continue;
    }
    for (const leadKind of listLeadKinds(campaign)) {
      const found = await planLead(source, campaign, leadKind);
      if (found.kind === 'send') return found;
      nextAt = earlier(nextAt, found.nextAt);
    }
  }
  return { kind: 'idle', nextAt, works: campaigns.length > 0 };
}

async function planLead<C extends CampaignAtWork, L extends LeadAtWork>(
  source: PlannerDataSource<C, L>,
  campaign: C,
  leadKind: LeadKind,
): Promise<Plan<C, L>> {
  if (leadKind === 'new') {
    const shut = shutUntil(source, campaign, newLeadsGate);
    if (shut !== undefined) return idle(shut);
  }
  for (let examined = 0; examined < MOST_LEADS;) {
    const leads = await source.due(campaign, leadKind, source.batch);
    examined += leads.length;
    for (const lead of leads) {
      const decision = decideSend({
        now: source.now,
        mailbox: source.mailbox,
        campaign: campaign.facts,
        lead: lead.facts,
      });
      if (decision.kind === 'send') {
        const wait = leadKind === 'new' ? await source.rotationWait(campaign) : null;
        if (wait) return idle(wait);
        if (!source.reserve(lead)) continue;
        return { kind: 'send', campaign, lead, leadKind };
      }
      if (decision.kind === 'stop') await source.stop(lead, decision.reason);
      else {
        const until = decision.nextEligibleAt ?? after(source.now, STUCK_PAUSE_MS);
        await source.postpone(lead, until, { reason: decision.reason, campaign });
      }
    }
    if (leads.length < source.batch) return idle(await source.nextDue(campaign, leadKind));
  }
  // The next run reads the remaining ones.
  return idle(source.now);
}

/**
 * Returns when a gate of a campaign opens; undefined if it is open. The mailbox itself is open now, so it affects only
 * the time at which both are open.
 */
function shutUntil<C extends CampaignAtWork>(
  { now, mailbox }: Pick<PlannerDataSource<C, never>, 'now' | 'mailbox'>,
  { facts }: C,
  gate: typeof campaignGate,
): Date | null | undefined {
  if (gate(now, facts).kind === 'open') return undefined;
  const opening = gate(now, facts, mailbox);
  return opening.kind === 'wait' ? opening.nextEligibleAt : undefined;
}

function idle(nextAt: Date | null): Idle {
  return { kind: 'idle', nextAt, works: true };
}

function listLeadKinds({ followUpsFirst }: CampaignAtWork): readonly LeadKind[] {
  return followUpsFirst ? ['followUp', 'new'] : ['new', 'followUp'];
}

function after(now: Date, milliseconds: number): Date {
  return new Date(now.getTime() + milliseconds);
}
