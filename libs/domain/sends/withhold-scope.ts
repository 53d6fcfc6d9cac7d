import { type SendRecord } from './schemas/send.record';

/**
 * Which sends of a workspace: those to which all that is given applies; of `emails` and `domains` together, those whose
 * recipient is in one of the two.
 */
export interface WithholdScope {
  campaignId?: string;
  leadIds?: readonly string[];
  mailboxId?: string;
  /** Recipients, in their normal form. */
  emails?: readonly string[];
  /** Recipients' domains, in their normal form; each stands for its subdomains too. */
  domains?: readonly string[];
}

type Addressed = Pick<SendRecord, 'campaignId' | 'leadId' | 'mailboxId' | 'email'>;

/** Whether a send is in the scope. */
export function inScope(scope: WithholdScope): (send: Addressed) => boolean {
  const { campaignId, mailboxId } = scope;
  const leads = scope.leadIds && new Set(scope.leadIds);
  const emails = scope.emails && new Set(scope.emails);
  const domains = scope.domains && new Set(scope.domains);
  return (send) => {
    if (campaignId !== undefined && send.campaignId.toHexString() !== campaignId) return false;
    if (mailboxId !== undefined && send.mailboxId.toHexString() !== mailboxId) return false;
    if (leads && !leads.has(send.leadId.toHexString())) return false;
    if (!emails && !domains) return true;
    return emails?.has(send.email) === true || domainsOf(send.email).some((domain) => domains?.has(domain));
  };
}

/** The domain of an address and all above it. */
function domainsOf(email: string): string[] {
  const labels = email.slice(email.lastIndexOf('@') + 1).split('.');
  return labels.map((_label, index) => labels.slice(index).join('.'));
}
