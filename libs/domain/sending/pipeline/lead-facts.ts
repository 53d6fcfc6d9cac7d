import { type Template, type TemplateNeed, unmetNeeds } from '@domain/campaigns';
import { getDueAt, type LeadRecord, findPostponement } from '@domain/leads';
import { isFreeMail } from '@platform/validation';
import { type DayCount, type LeadFacts, type LimitName } from '../decide/facts';
import { emailVariables } from '../render/email-variables';
import { getNames } from '../render/missing-value-message';

/** The facts of a lead that its record does not contain. */
export interface LeadContext {
  readonly suppressed: boolean;
  /** The revision of the campaign. */
  readonly revision: number;
  readonly domainUsedToday: DayCount;
  /** Templates of the next email; null if the sequence has none for the lead. */
  readonly next: { readonly subject: Template; readonly body: Template } | null;
  readonly sender: { readonly mailboxId: string; readonly email: string; readonly displayName: string };
  readonly inFlight?: LeadFacts['inFlight'];
  /** Its sender has left the campaign: this mailbox may continue. */
  readonly senderHasLeft?: boolean;
}

/** Every email has its own unsubscribe link. */
const ANY_LINK = 'https://unsubscribe.invalid/';

/** Returns the facts of a lead for `decide`. */
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

/** Returns the placeholders of a template with neither a default nor a valid value for this lead. */
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
