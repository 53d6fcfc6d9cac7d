import { type CrmDriver } from '../port/crm.port';
import { type CrmAccount } from '../port/crm-account';
import { type CrmSession } from '../port/crm-session';
import { CrmHttpClient, type CrmWay } from '../http/crm-http.client';
import { PIPEDRIVE_CONSENT } from './pipedrive-consent';
import { PIPEDRIVE_DIALECT } from './pipedrive-dialect';
import { PipedriveSession } from './pipedrive-session';

/** Pipedrive over its API (developers.pipedrive.com, "API Reference"). */
export class PipedriveDriver implements CrmDriver {
  readonly type = 'pipedrive';
  readonly ways = ['key', 'consent'] as const;
  readonly consent = PIPEDRIVE_CONSENT;

  constructor(private readonly way: CrmWay) {}

  open(account: CrmAccount): CrmSession {
    return new PipedriveSession(new CrmHttpClient(this.way, account, PIPEDRIVE_DIALECT), this.way.now);
  }
}
