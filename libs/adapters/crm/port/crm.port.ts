import { type CrmAccount } from './crm-account';
import { type CrmConsent } from './crm-consent';
import { type CrmSession } from './crm-session';
import { type CrmType } from './crm-type';

/** The driver of one vendor. */
export interface CrmDriver {
  readonly type: CrmType;
  /** How users can connect: by a key of the vendor, by OAuth consent, or both. */
  readonly ways: readonly ('key' | 'consent')[];
  /** OAuth of the vendor; null where a key is the only way. */
  readonly consent: CrmConsent | null;
  /** Creates the session; the first call connects. */
  open(account: CrmAccount): CrmSession;
}

/** All CRM drivers. */
export abstract class CrmPort {
  abstract driver(type: CrmType): CrmDriver;
}
