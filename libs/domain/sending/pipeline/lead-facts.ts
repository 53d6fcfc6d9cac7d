import { type Template, type TemplateNeed, unmetNeeds } from '@domain/campaigns';
import { getDueAt, type LeadRecord, findPostponement } from '@domain/leads';
import { isFreeMail } from '@platform/validation';
import { type DayCount, type LeadFacts, type LimitName } from '../decide/facts';
import { emailVariables } from '../render/email-variables';
import { getNames } from '../render/missing-value-message';

/** What a lead's record does not say by itself. */
export interface LeadContext {
  readonly suppressed: boolean;
  /** The campaign's. */
  readonly revision: number;
  readonly domainUsedToday: DayCount;
  /** Templates of the email that comes next; null when the sequence has nothing more for it. */
  readonly next: { readonly subject: Template; readonly body: Template } | null;
  readonly sender: { readonly mailboxId: string; readonly email: string; readonly displayName: string };
  readonly inFlight?: LeadFacts['inFlight'];
  /** The mailbox that wrote to it is none of the campaign's any more: this one may go on. */
  readonly senderHasLeft?: boolean;
}

/** An email has a link of its own for unsubscribing. */
const ANY_LINK = 'https://unsubscribe.invalid/';

/** The facts of a lead that `decide` judges. */
export function leadFacts(lead: LeadRecord, around: LeadContext): LeadFacts {
  const { suppressed, domainUsedToday, next, sender, inFlight = null, senderHasLeft = false } = around;
  const postponed = findPostponement(lead, around);
  return {
    status: lead.status,
    stopReason: lead.stopReason,
    resumeAt: lead.resumeAt,
    dueAt: getDueAt(lead),
    postponed: postponed && { until: postponed.until, reason: postponed.reason as LimitName },
    isNew: lead.sentCount === 0,
    inFlight,
    timezone: lead.timezone,
    suppressed,
    domainUsedToday,
    freeMail: isFreeMail(lead.domain),
    missingVariables: next ? getNames([next.subject, next.body].flatMap((part) => getNeeds(part, lead, sender))) : [],
    hasNextStep: next !== null,
    senderIsThisMailbox: senderHasLeft || lead.mailboxId === null || lead.mailboxId.toHexString() === sender.mailboxId,
  };
}

/** What of a template has neither a default nor a value that can stand there for this lead. */
export function getNeeds(
  template: Template,
  lead: LeadRecord,
  { email, displayName }: LeadContext['sender'],
): TemplateNeed[] {
  return unmetNeeds(
    template,
    emailVariables(lead, { email, displayName, unsubscribeUrl: ANY_LINK, signature: () => '' }),
  );
}
