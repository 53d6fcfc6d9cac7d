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

/** A local CRM server, and its differences from the others. */
export interface CrmVendor {
  readonly type: CrmType;
  readonly server: LocalCrm;
  /** The consent page; null for a connection by key. */
  readonly consents: ConsentServer | null;
  /** Its field names for the job title and for a custom text. */
  readonly title: string;
  readonly own: string;
  /** Fields that every person in it has. */
  readonly needs: Readonly<Record<string, string>>;
  /** Whether it has an opt-out field. */
  readonly hasOptOut: boolean;
  /** Whether it allows two people with one address. */
  readonly hasDuplicates: boolean;
}

/** The API key that the local CRM servers accept. */
export const CRM_KEY = 'canary-token';

/** Start time of the local CRM servers. */
const BEGINS_AT = Date.parse('2026-11-01T00:00:00.000Z');

/** All six CRM servers, with the clock of the platform. */
export async function startVendors(now: Date): Promise<readonly CrmVendor[]> {
  const both = { hasOptOut: true, hasDuplicates: true, needs: {} };
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
    { type: 'hubspot', server: hubspot, ...byKey, title: 'jobtitle', own: 'shoe_size', hasDuplicates: false },
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
      hasOptOut: false,
      hasDuplicates: false,
    },
  ];
}

/** Settings with which the platform reaches them. */
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

/** Lets the server accept only tokens from its consents, and no key. */
function letsIn(consents: ConsentServer, { tokens }: LocalCrm): ConsentServer {
  tokens.clear();
  consents.tokens = tokens;
  // Tokens must not expire when the flow advances the clock.
  consents.lifetimeSeconds = 86_400;
  return consents;
}
