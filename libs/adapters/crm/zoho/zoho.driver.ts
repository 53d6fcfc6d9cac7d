import { type CrmDriver } from '../port/crm.port';
import { type CrmAccount } from '../port/crm-account';
import { type CrmSession } from '../port/crm-session';
import { CrmHttpClient, type CrmWay } from '../http/crm-http.client';
import { ZOHO_CONSENT } from './zoho-consent';
import { ZOHO } from './zoho-dialect';
import { ZohoSession } from './zoho-session';

/** Contacts of Zoho CRM, by version 8 of its REST API (https://www.zoho.com/crm/developer/docs/api/v8/). */
export class ZohoDriver implements CrmDriver {
  readonly type = 'zoho';
  readonly ways = ['consent'] as const;
  readonly consent = ZOHO_CONSENT;

  constructor(private readonly way: CrmWay) {}

  open(account: CrmAccount): CrmSession {
    return new ZohoSession(new CrmHttpClient(this.way, account, ZOHO));
  }
}
