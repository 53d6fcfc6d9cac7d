import { type CrmDriver } from '../port/crm.port';
import { type CrmAccount } from '../port/crm-account';
import { type CrmSession } from '../port/crm-session';
import { CrmHttpClient, type CrmWay } from '../http/crm-http.client';
import { ATTIO_CONSENT } from './attio-consent';
import { ATTIO } from './attio-dialect';
import { AttioSession } from './attio-session';

/** People of Attio, by version 2 of its REST API (https://docs.attio.com/rest-api). */
export class AttioDriver implements CrmDriver {
  readonly type = 'attio';
  readonly ways = ['key', 'consent'] as const;
  readonly consent = ATTIO_CONSENT;

  constructor(private readonly way: CrmWay) {}

  open(account: CrmAccount): CrmSession {
    return new AttioSession(new CrmHttpClient(this.way, account, ATTIO));
  }
}
