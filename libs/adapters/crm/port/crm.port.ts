import { type CrmAccount } from './crm-account';
import { type CrmConsent } from './crm-consent';
import { type CrmSession } from './crm-session';
import { type CrmType } from './crm-type';

/** One vendor. */
export interface CrmDriver {
  readonly type: CrmType;
  /** How people let us in: by a key that they make at the vendor, by consent, or either. */
  readonly ways: readonly ('key' | 'consent')[];
  /** How consent is asked for here; null where a key is the only way. */
  readonly consent: CrmConsent | null;
  /** Opens nothing yet: the first call does. */
  open(account: CrmAccount): CrmSession;
}

/** All of them. */
export abstract class CrmPort {
  abstract driver(type: CrmType): CrmDriver;
}
