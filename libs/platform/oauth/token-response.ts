import { type OutboundResponse } from '@platform/outbound';

/** Tokens from a token endpoint. */
export interface Grant {
  readonly accessToken: string;
  /** null when the server does not state it. */
  readonly livesForSeconds: number | null;
  /** A new refresh token, or null. */
  readonly refreshToken: string | null;
  /** null when the server does not state them: then they are the requested ones (RFC 6749, 5.1). */
  readonly scopes: readonly string[] | null;
}

export type GrantAnswer =
  | { readonly kind: 'granted'; readonly grant: Grant; readonly answer: Readonly<Record<string, unknown>> }
  | {
      readonly kind: 'refused';
      readonly status: number;
      /** Error code of RFC 6749, 5.2, or of the vendor. */
      readonly code: string | null;
      readonly description: string;
      /** Whether the grant is revoked, so that the user has to authorize again. */
      readonly isRevoked: boolean;
      readonly retryAfterMs: number | null;
    }
  /** Status 200 without a token. Some vendors refuse in this way, with a `code`. */
  | { readonly kind: 'unusable'; readonly status: number; readonly code: string | null };

/**
 * Errors of RFC 6749 5.2, of OpenID Connect and of vendors that require a new authorization by the user. Not `invalid_client`:
 * then the operator's registration is wrong, and the grant works again once it is corrected.
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
]);

/** Upper bound of a token's lifetime: a day. */
const MAX_LIFE_S = 86_400;

/** Whether an error code of a token endpoint means a revoked or invalid grant. */
export function isGrantRevoked(code: string | null): boolean {
  return code !== null && REVOKED_CODES.has(code);
}

/** Parses the response of a token endpoint. */
export function readGrant({ status, headers, body }: OutboundResponse): GrantAnswer {
  const answer = parseAnswer(body);
  if (status !== 200) return toRefusedGrant(status, headers['retry-after'], answer);
  const { access_token: accessToken, refresh_token: refreshToken, scope } = answer;
  if (typeof accessToken !== 'string' || accessToken === '') {
    return { kind: 'unusable', status, code: getErrorCode(answer) };
  }
  const grant = {
    accessToken,
    livesForSeconds: toLifetime(answer['expires_in']),
    refreshToken: typeof refreshToken === 'string' && refreshToken !== '' ? refreshToken : null,
    scopes: typeof scope === 'string' ? scope.split(/[ ,]/).filter((entry) => entry !== '') : null,
  };
  return { kind: 'granted', grant, answer };
}

/** Older Azure endpoints return the number as text. */
function toLifetime(expiresIn: unknown): number | null {
  const seconds = Number(expiresIn ?? Number.NaN);
  return Number.isFinite(seconds) ? Math.min(Math.max(0, seconds), MAX_LIFE_S) : null;
}

function toRefusedGrant(
  status: number,
  retryAfter: string | undefined,
  answer: Readonly<Record<string, unknown>>,
): GrantAnswer {
  const code = getErrorCode(answer);
  const { error_description: described } = answer;
  // A 5xx or 429 says nothing about the grant, whatever its body contains.
  const isClear = status >= 400 && status < 500 && status !== 429;
  return {
    kind: 'refused',
    status,
    code,
    description: typeof described === 'string' ? described : '',
    isRevoked: isClear && isGrantRevoked(code),
    retryAfterMs: retryAfter !== undefined && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) * 1000 : null,
  };
}

/** HubSpot calls it `status`. */
function getErrorCode({ error, status }: Readonly<Record<string, unknown>>): string | null {
  const code = error ?? status;
  return typeof code === 'string' ? code : null;
}

function parseAnswer(body: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {}; // such as an error page of a proxy: the status is enough
  }
}
