import { type CrmType } from './crm-type';

/** How a workspace logs in to its CRM. */
export interface CrmAccount {
  readonly type: CrmType;
  /**
   * Base URL of the API, without a path. Most vendors have one for all accounts; Salesforce (`instance_url`), Pipedrive and Zoho
   * (`api_domain`) return it with the grant.
   */
  readonly baseUrl: string;
  readonly auth: CrmAuth;
}

export type CrmAuth =
  /** A key that a user created at the vendor: private app of HubSpot, personal API token of Pipedrive, API key of Close, access token of Attio. */
  | { readonly kind: 'key'; readonly key: string }
  | {
      readonly kind: 'token';
      /** Returns an access token; `refused` is the one that the vendor has just refused, which is renewed only while it is stored. */
      token(refused?: string): Promise<string>;
    };
