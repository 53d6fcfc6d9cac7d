import { type SendRecord } from './schemas/send.record';

/**
 * Selects sends of a workspace. All given conditions must hold; `emails` and `domains` together match recipients that are
 * in one of the two.
 */
export interface WithholdScope {
  campaignId?: string;
  leadIds?: readonly string[];
  mailboxId?: string;
  /** Normalized addresses of recipients. */
  emails?: readonly string[];
  /** Normalized domains of recipients; each includes its subdomains. */
  domains?: readonly string[];
}

type Addressed = Pick<SendRecord, 'campaignId' | 'leadId' | 'mailboxId' | 'email'>;

/** Returns a predicate that tells whether a send is in the scope. */
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
    return emails?.has(send.email) === true || listDomains(send.email).some((domain) => domains?.has(domain));
  };
}

/** Lists the domain of an address and its parent domains. */
function listDomains(email: string): string[] {
  const labels = email.slice(email.lastIndexOf('@') + 1).split('.');
  return labels.map((_label, index) => labels.slice(index).join('.'));
}
