import { type CrmDriver } from '../port/crm.port';
import { type CrmAccount } from '../port/crm-account';
import { type CrmSession } from '../port/crm-session';
import { CrmHttpClient, type CrmWay } from '../http/crm-http.client';
import { SALESFORCE_CONSENT } from './salesforce-consent';
import { SALESFORCE_DIALECT } from './salesforce-dialect';
import { SalesforceSession } from './salesforce-session';

/** Salesforce over its REST API (developer.salesforce.com, "REST API Developer Guide", version 62.0). */
export class SalesforceDriver implements CrmDriver {
  readonly type = 'salesforce';
  readonly ways = ['consent'] as const;
  readonly consent = SALESFORCE_CONSENT;

  constructor(private readonly way: CrmWay) {}

  open(account: CrmAccount): CrmSession {
    return new SalesforceSession(new CrmHttpClient(this.way, account, SALESFORCE_DIALECT));
  }
}
