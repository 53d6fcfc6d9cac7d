/**
 * OAuth 2.0 of a vendor (RFC 6749, section 4.1) by its documentation, as data. Client ids, secrets and endpoints come from the
 * settings.
 */
export interface CrmConsent {
  readonly scopes: readonly string[];
  readonly scopeSeparator: ' ' | ',';
  /** Parameters in addition to those of the RFC, such as `access_type=offline`. */
  readonly authParameters: Readonly<Record<string, string>>;
  /** How the client secret is sent. */
  readonly clientAuth: 'body' | 'basic';
  /** Whether the vendor supports PKCE (RFC 7636). */
  readonly hasProofKey: boolean;
  /** Field of the token response with the base URL of the account; null where all accounts share one. */
  readonly baseUrlField: string | null;
  /** Lifetime of an access token in seconds where the response does not state it (Salesforce). */
  readonly defaultLifeSeconds: number;
  /** Allowed domains of a `baseUrl` from the vendor, such as `salesforce.com`; the settings allow those of tests. */
  readonly baseUrlDomains: readonly string[];
  /**
   * For vendors whose callback names the token server of the account: the parameter, and the allowed hosts. Tokens are requested
   * from these hosts only, because anyone can forge a callback.
   */
  readonly tokenServers?: { readonly parameter: string; readonly hosts: readonly string[] };
}
