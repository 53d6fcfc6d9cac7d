/**
 * OAuth 2.0 of a vendor (RFC 6749, section 4.1): what its documents say, as data. Ids, secrets and addresses of the installation come from
 * the settings.
 */
export interface CrmConsent {
  readonly scopes: readonly string[];
  readonly scopeSeparator: ' ' | ',';
  /** Beyond those of the RFC, such as `access_type=offline`. */
  readonly authParameters: Readonly<Record<string, string>>;
  /** Where the client's secret goes. */
  readonly clientAuth: 'body' | 'basic';
  /** Whether the vendor takes a proof key (RFC 7636). */
  readonly hasProofKey: boolean;
  /** The name in the token answer under which the account's own API address comes; null where all accounts have the same. */
  readonly baseUrlField: string | null;
  /** Life of an access token in seconds where the answer does not say (Salesforce). */
  readonly defaultLifeSeconds: number;
  /** Domains of which a `baseUrl` given by the vendor must be, such as `salesforce.com`; tests' own addresses are allowed by settings. */
  readonly baseUrlDomains: readonly string[];
  /**
   * Where the vendor has several servers and says in the callback which one gives this account its tokens: the parameter's name, and the
   * vendor's own hosts. Nothing else is asked for a token, for anybody can write a callback.
   */
  readonly tokenServers?: { readonly parameter: string; readonly hosts: readonly string[] };
}
