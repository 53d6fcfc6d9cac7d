import { SIGNATURE, type Template } from '@domain/campaigns';
import { type LeadRecord } from '@domain/leads';
import { isFreeMail } from '@platform/validation';
import { type DayCount, type LeadFacts } from '../decide/facts';
import { emailVariables } from '../render/email.variables';

/** What a lead's record does not say by itself. */
export interface LeadSurroundings {
  readonly suppressed: boolean;
  readonly domainUsedToday: DayCount;
  /** Templates of the email that comes next; null when the sequence has nothing more for it. */
  readonly next: { readonly subject: Template; readonly body: Template } | null;
  readonly sender: { readonly mailboxId: string; readonly email: string; readonly displayName: string };
  readonly inFlight?: LeadFacts['inFlight'];
  /** The mailbox that wrote to it is none of the campaign's any more: this one may go on. */
  readonly senderHasLeft?: boolean;
}

/** The facts of a lead that `decide` judges. */
export function leadFacts(lead: LeadRecord, around: LeadSurroundings): LeadFacts {
  const { suppressed, domainUsedToday, next, sender, inFlight = null, senderHasLeft = false } = around;
  return {
    status: lead.status,
    stopReason: lead.stopReason,
    resumeAt: lead.resumeAt,
    dueAt: lead.dueAt,
    isNew: lead.sentCount === 0,
    inFlight,
    timezone: lead.timezone,
    suppressed,
    domainUsedToday,
    freeMail: isFreeMail(lead.domain),
    missingVariables: next ? missingVariables([next.subject, next.body], lead, sender) : [],
    hasNextStep: next !== null,
    senderIsThisMailbox: senderHasLeft || lead.mailboxId === null || lead.mailboxId.toHexString() === sender.mailboxId,
  };
}

/** Placeholders that have neither a value nor a default for this lead, each once. */
function missingVariables(
  templates: readonly Template[],
  lead: LeadRecord,
  { email, displayName }: LeadSurroundings['sender'],
): string[] {
  const given = new Set([SIGNATURE, 'unsubscribeLink']);
  const lookup = emailVariables(lead, { email, displayName, unsubscribeUrl: '', signature: () => '' });
  const needed = templates.flatMap(({ variables }) =>
    variables.filter(({ name, hasDefault }) => !hasDefault && !given.has(name)),
  );
  return [...new Set(needed.map(({ name }) => name).filter((name) => !lookup(name)?.trim()))];
}
