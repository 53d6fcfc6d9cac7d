import { type OutboundResponse } from '@platform/outbound';

/** What a token server gave. */
export interface Grant {
  readonly accessToken: string;
  /** null when the server does not say. */
  readonly livesForSeconds: number | null;
  /** A new one, when the server gave any. */
  readonly refreshToken: string | null;
  /** null when the server does not say: then it is what was asked for (RFC 6749, 5.1). */
  readonly scopes: readonly string[] | null;
}

export type GrantAnswer =
  | { readonly kind: 'granted'; readonly grant: Grant; readonly answer: Readonly<Record<string, unknown>> }
  | {
      readonly kind: 'refused';
      readonly status: number;
      /** Error of RFC 6749, 5.2, or of the vendor. */
      readonly code: string | null;
      readonly description: string;
      /** Whether only a person can help. */
      readonly isGone: boolean;
      readonly retryAfterMs: number | null;
    }
  /** It counts as granted, and there is no token. Some vendors refuse like that, with a `code`. */
  | { readonly kind: 'unusable'; readonly status: number; readonly code: string | null };

/**
 * Errors of RFC 6749 5.2, of OpenID Connect and of the vendors after which only a person can help. Not `invalid_client`:
 * there the operator's registration is wrong, no grant, and all is well again once he mends it.
 */
const GONE: ReadonlySet<string> = new Set([
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

/** No token lives longer here, whatever a server says (a day). */
const MAX_LIFE_S = 86_400;

/** Whether the words are a token server's "this grant is worth nothing (any more)". */
export function isGrantRevoked(code: string | null): boolean {
  return code !== null && GONE.has(code);
}

/** What a token server's answer says. */
export function readGrant({ status, headers, body }: OutboundResponse): GrantAnswer {
  const answer = parsed(body);
  if (status !== 200) return refusal(status, headers['retry-after'], answer);
  const { access_token: accessToken, refresh_token: refreshToken, scope } = answer;
  if (typeof accessToken !== 'string' || accessToken === '') {
    return { kind: 'unusable', status, code: codeIn(answer) };
  }
  const grant = {
    accessToken,
    livesForSeconds: lifeOf(answer['expires_in']),
    refreshToken: typeof refreshToken === 'string' && refreshToken !== '' ? refreshToken : null,
    scopes: typeof scope === 'string' ? scope.split(/[ ,]/).filter((entry) => entry !== '') : null,
  };
  return { kind: 'granted', grant, answer };
}

/** Older Azure endpoints give the number as a text. */
function lifeOf(expiresIn: unknown): number | null {
  const seconds = Number(expiresIn ?? Number.NaN);
  return Number.isFinite(seconds) ? Math.min(Math.max(0, seconds), MAX_LIFE_S) : null;
}

function refusal(
  status: number,
  retryAfter: string | undefined,
  answer: Readonly<Record<string, unknown>>,
): GrantAnswer {
  const code = codeIn(answer);
  const { error_description: described } = answer;
  // A 5xx or 429 says nothing about the grant, whatever is in its body.
  const isClear = status >= 400 && status < 500 && status !== 429;
  return {
    kind: 'refused',
    status,
    code,
    description: typeof described === 'string' ? described : '',
    isGone: isClear && isGrantRevoked(code),
    retryAfterMs: retryAfter !== undefined && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) * 1000 : null,
  };
}

/** HubSpot calls it `status`. */
function codeIn({ error, status }: Readonly<Record<string, unknown>>): string | null {
  const code = error ?? status;
  return typeof code === 'string' ? code : null;
}

function parsed(body: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {}; // a proxy's page: the status says enough
  }
}
