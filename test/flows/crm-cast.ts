import { type CrmType } from '@adapters/crm';
import {
  AttioServer,
  CloseServer,
  HubSpotServer,
  PIPEDRIVE_KEYS,
  PipedriveServer,
  SalesforceServer,
  ZohoServer,
} from '../../libs/adapters/crm/testing';
import { ConsentServer } from '../../libs/domain/crm/testing';

type LocalCrm = AttioServer | CloseServer | HubSpotServer | PipedriveServer | SalesforceServer | ZohoServer;

/** A vendor on this machine, and where it differs from the others. */
export interface CrmVendor {
  readonly type: CrmType;
  readonly server: LocalCrm;
  /** Where somebody consents; null where a key is made. */
  readonly consents: ConsentServer | null;
  /** Its names of the job title, and of a text of the account's own. */
  readonly title: string;
  readonly own: string;
  /** What a person there is never without. */
  readonly needs: Readonly<Record<string, string>>;
  /** Whether it says that somebody wants no email. */
  readonly knowsOptOut: boolean;
  /** Whether it has two people with one address. */
  readonly hasTwins: boolean;
}

/** The secret that lets us in by key. */
export const CRM_KEY = 'canary-token';

/** When the local vendors' time begins. */
const BEGINS_AT = Date.parse('2026-11-01T00:00:00.000Z');

/** All six, whose time is ours. */
export async function startVendors(now: Date): Promise<readonly CrmVendor[]> {
  const both = { knowsOptOut: true, hasTwins: true, needs: {} };
  const [hubspot, salesforce, pipedrive, zoho, close, attio] = await Promise.all([
    new HubSpotServer().listen(),
    new SalesforceServer().listen(),
    new PipedriveServer().listen(),
    new ZohoServer().listen(),
    new CloseServer().listen(),
    new AttioServer().listen(),
  ]);
  const [atSalesforce, atZoho] = await Promise.all([ConsentServer.start(), ConsentServer.start()]);
  for (const { store } of [hubspot, salesforce, pipedrive, zoho, close, attio]) {
    store.passes(now.getTime() - BEGINS_AT);
  }
  const byKey = { ...both, consents: null };
  return [
    { type: 'hubspot', server: hubspot, ...byKey, title: 'jobtitle', own: 'shoe_size', hasTwins: false },
    {
      type: 'salesforce',
      server: salesforce,
      ...both,
      consents: letsIn(atSalesforce, salesforce),
      title: 'Title',
      own: 'Nickname__c',
      needs: { LastName: 'Lovelace' },
    },
    { type: 'pipedrive', server: pipedrive, ...byKey, title: 'job_title', own: PIPEDRIVE_KEYS.text },
    {
      type: 'zoho',
      server: zoho,
      ...both,
      consents: letsIn(atZoho, zoho),
      title: 'Title',
      own: 'Favourite',
      needs: { Last_Name: 'Lovelace' },
    },
    { type: 'close', server: close, ...byKey, title: 'title', own: 'custom.cf_shoe', needs: { name: 'Ada Lovelace' } },
    {
      type: 'attio',
      server: attio,
      ...byKey,
      title: 'job_title',
      own: 'favourite',
      knowsOptOut: false,
      hasTwins: false,
    },
  ];
}

/** Settings by which the platform reaches them. */
export function envOf(vendors: readonly CrmVendor[]): Record<string, string> {
  const all = vendors.map(({ type, server, consents }) => ({
    [`${type.toUpperCase()}_API_URL`]: server.baseUrl,
    ...consents?.env([type], server.baseUrl),
  }));
  return Object.assign({ OUTBOUND_ALLOW_PRIVATE: 'true' }, ...all) as Record<string, string>;
}

export async function closeVendors(vendors: readonly CrmVendor[]): Promise<void> {
  await Promise.all(
    vendors.flatMap(({ server, consents }) => [server.close(), ...(consents ? [consents.close()] : [])]),
  );
}

/** The vendor takes the tokens that come of its consents, and no key. */
function letsIn(consents: ConsentServer, { tokens }: LocalCrm): ConsentServer {
  tokens.clear();
  consents.tokens = tokens;
  // What a flow does to the clock is not about tokens that end.
  consents.lifetimeSeconds = 86_400;
  return consents;
}
