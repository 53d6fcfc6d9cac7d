import { type CrmType } from './crm-type';

/** How a workspace is let into its CRM. */
export interface CrmAccount {
  readonly type: CrmType;
  /**
   * Where its API begins, without a path. Most vendors have one for all; that of Salesforce (`instance_url`), Pipedrive and Zoho
   * (`api_domain`) comes with the consent.
   */
  readonly baseUrl: string;
  readonly auth: CrmAuth;
}

export type CrmAuth =
  /** A key that somebody made at the vendor: private app of HubSpot, personal API token of Pipedrive, API key of Close, access token of Attio. */
  | { readonly kind: 'key'; readonly key: string }
  | {
      readonly kind: 'token';
      /** An access token; `refused` is the one that the vendor has just refused, which is replaced only while it is still the stored one. */
      token(refused?: string): Promise<string>;
    };
