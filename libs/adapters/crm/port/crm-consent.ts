import { type OAuthDialect } from '@platform/oauth';

/** OAuth 2.0 of a vendor by its documentation, as data. Client ids, secrets and endpoints come from the settings. */
export interface CrmConsent extends OAuthDialect {
  /** Field of the token response with the base URL of the account; null where all accounts share one. */
  readonly baseUrlField: string | null;
  /** Allowed domains of a `baseUrl` from the vendor, such as `salesforce.com`; the settings allow those of tests. */
  readonly baseUrlDomains: readonly string[];
  /**
   * For vendors whose callback names the token server of the account: the parameter, and the allowed hosts. Tokens are requested
   * from these hosts only, because anyone can forge a callback.
   */
  readonly tokenServers?: { readonly parameter: string; readonly hosts: readonly string[] };
}
