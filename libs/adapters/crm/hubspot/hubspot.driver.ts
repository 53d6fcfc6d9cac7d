import { type CrmAccount } from '../port/crm-account';
import { type CrmDriver } from '../port/crm.port';
import { type CrmSession } from '../port/crm-session';
import { CrmHttpClient, type CrmWay } from '../http/crm-http.client';
import { HUBSPOT_CONSENT } from './hubspot-consent';
import { HUBSPOT } from './hubspot.errors';
import { HubSpotSession } from './hubspot-session';

/** HubSpot: contacts of the CRM API v3, by the token of a private app or by consent. */
export class HubSpotDriver implements CrmDriver {
  readonly type = 'hubspot';
  readonly ways = ['key', 'consent'] as const;
  readonly consent = HUBSPOT_CONSENT;

  constructor(private readonly way: CrmWay) {}

  open(account: CrmAccount): CrmSession {
    return new HubSpotSession(new CrmHttpClient(this.way, account, HUBSPOT));
  }
}
