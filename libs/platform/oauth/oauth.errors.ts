/**
 * Codes that require a new authorization by the user: of RFC 6749 5.2, of OpenID Connect, and of vendors (Google, HubSpot, Zoho,
 * Salesforce for inactive users and organisations). Not `invalid_client`: then the operator's registration is wrong, and the
 * grant works again once it is corrected.
 */
const REVOKED_CODES: ReadonlySet<string> = new Set([
  'invalid_grant',
  'unauthorized_client',
  'invalid_scope',
  'access_denied',
  'consent_required',
  'interaction_required',
  'login_required',
  'admin_policy_enforced',
  'org_internal',
  'BAD_REFRESH_TOKEN',
  'BAD_AUTH_CODE',
  'invalid_code',
  'inactive_user',
  'inactive_org',
]);

/** Whether an error code of a token endpoint means a revoked or invalid grant. */
export function isGrantRevoked(code: string | null): boolean {
  return code !== null && REVOKED_CODES.has(code);
}

interface Refusal {
  readonly status: number;
  /** Error code of RFC 6749, 5.2, or of the vendor. */
  readonly code: string | null;
  readonly description: string;
  readonly retryAfterMs: number | null;
}

/** A token endpoint gave no token. Its message contains nothing of the response but a code in the form of one. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';
  /** null without a response; then `cause` is the reason. */
  readonly status: number | null;
  readonly code: string | null;
  /** Text of the vendor. */
  readonly description: string;
  readonly retryAfterMs: number | null;

  constructor(refusal: Refusal | null, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = refusal?.status ?? null;
    this.code = refusal?.code ?? null;
    this.description = refusal?.description ?? '';
    this.retryAfterMs = refusal?.retryAfterMs ?? null;
  }

  /** Whether the user has to authorize again. A 5xx or 429 says nothing about the grant, whatever its body contains. */
  get isRevoked(): boolean {
    return this.status !== null && this.status < 500 && this.status !== 429 && isGrantRevoked(this.code);
  }
}
