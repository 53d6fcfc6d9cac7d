import { MailError, serverWords } from '@adapters/mail';
import { type OutboundResponse } from '@platform/outbound';

/** What a token server gave. */
export interface Grant {
  readonly accessToken: string;
  readonly expiresAt: Date;
  /** A new one, when the server gave any. */
  readonly refreshToken: string | null;
  /** null when the server does not say: then it is what was asked for (RFC 6749, 5.1). */
  readonly scopes: readonly string[] | null;
}

/** Seconds that a token is taken to live when the server does not say. */
const UNKNOWN_LIFETIME_S = 300;
/** No token lives longer here, whatever a server says (a day). */
const MAX_LIFETIME_S = 86_400;

const COMMAND = 'POST token';

/**
 * Errors of RFC 6749 5.2, of OpenID Connect and of the vendors after which only a person can help. Not `invalid_client`:
 * there the operator's registration is wrong, no mailbox, and all is well again once he mends it.
 */
const NEEDS_HUMAN: ReadonlySet<string> = new Set([
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

/** Whether the words are a token server's "this grant is worth nothing (any more)". */
export function isGrantGone(code: string | null): boolean {
  return code !== null && NEEDS_HUMAN.has(code);
}

/**
 * The grant in a token server's answer.
 * @param now when the request was sent
 * @throws MailError `needs-human` when the grant is gone, `temporary` for everything else
 */
export function grantOf({ status, headers, body }: OutboundResponse, now: Date): Grant {
  const answer = parsed(body);
  if (status !== 200) throw refusal(status, headers['retry-after'], answer);
  const accessToken = answer['access_token'];
  if (typeof accessToken !== 'string' || accessToken === '') {
    throw unusable(status, 'The token server answered without a token');
  }
  const refreshToken = answer['refresh_token'];
  const scope = answer['scope'];
  return {
    accessToken,
    expiresAt: new Date(now.getTime() + lifetime(answer['expires_in']) * 1000),
    refreshToken: typeof refreshToken === 'string' && refreshToken !== '' ? refreshToken : null,
    scopes: typeof scope === 'string' ? scope.split(' ').filter((entry) => entry !== '') : null,
  };
}

/** Whether all needed scopes were granted. Microsoft may answer with or without the resource, and in any case. */
export function coversScopes(granted: readonly string[] | null, needed: readonly string[]): boolean {
  if (granted === null) return true;
  const names = new Set(granted.flatMap((scope) => [scope, scope.slice(scope.lastIndexOf('/') + 1)]).map(folded));
  return needed.every((scope) => names.has(folded(scope)));
}

const folded = (scope: string): string => scope.toLowerCase();

/** Older Azure endpoints give the number as a text. */
function lifetime(expiresIn: unknown): number {
  const seconds = Number(expiresIn ?? UNKNOWN_LIFETIME_S);
  return Number.isFinite(seconds) ? Math.min(Math.max(0, seconds), MAX_LIFETIME_S) : UNKNOWN_LIFETIME_S;
}

function refusal(status: number, retryAfter: string | undefined, answer: Record<string, unknown>): MailError {
  const code = typeof answer['error'] === 'string' ? answer['error'] : null;
  const description = typeof answer['error_description'] === 'string' ? answer['error_description'] : '';
  // A 5xx or 429 says nothing about the grant, whatever is in its body.
  const isClear = status >= 400 && status < 500 && status !== 429;
  const gone = isClear && isGrantGone(code);
  return new MailError({
    failure: gone ? 'needs-human' : 'temporary',
    stage: 'login',
    message: gone
      ? 'The vendor does not accept the authorisation of this mailbox any more; somebody has to authorise it again'
      : `The token server refused the request (${code ?? status})`,
    words: serverWords({ code: code ?? status, command: COMMAND, response: description || (code ?? `HTTP ${status}`) }),
    retryAfterMs: retryAfter !== undefined && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) * 1000 : null,
  });
}

function unusable(status: number, message: string): MailError {
  return new MailError({
    failure: 'temporary',
    stage: 'login',
    message,
    words: serverWords({ code: status, command: COMMAND, response: `HTTP ${status}` }),
  });
}

function parsed(body: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {}; // a proxy's page: the status says enough
  }
}
