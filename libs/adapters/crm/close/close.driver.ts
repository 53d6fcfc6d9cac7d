import { type CrmDriver } from '../port/crm.port';
import { type CrmAccount } from '../port/crm-account';
import { type CrmSession } from '../port/crm-session';
import { CrmHttpClient, type CrmWay } from '../http/crm-http.client';
import { CLOSE_CONSENT } from './close-consent';
import { CLOSE } from './close.errors';
import { CloseSession } from './close-session';

/** Close: contacts of its API v1, by a key or by consent. */
export class CloseDriver implements CrmDriver {
  readonly type = 'close';
  readonly ways = ['key', 'consent'] as const;
  readonly consent = CLOSE_CONSENT;

  constructor(private readonly way: CrmWay) {}

  open(account: CrmAccount): CrmSession {
    return new CloseSession(new CrmHttpClient(this.way, account, CLOSE));
  }
}
