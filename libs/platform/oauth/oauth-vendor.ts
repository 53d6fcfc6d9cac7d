/** How a vendor differs within OAuth 2.0 (RFC 6749, section 4.1), by its documentation, as data. */
export interface OAuthDialect {
  /** The requested scopes; none where the vendor's registration of the app defines them. */
  readonly scopes: readonly string[];
  readonly scopeSeparator: ' ' | ',';
  /** Parameters of the consent page in addition to those of the RFC, such as `access_type=offline`. */
  readonly authParameters: Readonly<Record<string, string>>;
  /** How the client secret is sent. */
  readonly clientAuth: 'body' | 'basic';
  /** Whether the vendor supports PKCE (RFC 7636). */
  readonly hasProofKey: boolean;
  /** Lifetime of an access token in seconds where the response does not state it. */
  readonly defaultLifeSeconds: number;
}

/** A vendor with the registration of this installation. */
export interface OAuthVendor extends OAuthDialect {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly authUrl: string;
  readonly tokenUrl: string;
  /** Where the vendor sends the browser back to; it has to be registered with the vendor. */
  readonly redirectUri: string;
}
