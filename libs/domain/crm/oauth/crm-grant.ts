import { CrmError } from '@adapters/crm';
import { type GrantAnswer, isGrantRevoked } from '@platform/oauth';

/** A grant of a vendor's token server. */
export interface CrmGrant {
  readonly accessToken: string;
  readonly expiresAt: Date;
  /** The new refresh token, if any. */
  readonly refreshToken: string | null;
  /** null when the server omits them: then the requested ones. */
  readonly scopes: readonly string[] | null;
  /** The whole response: some vendors return the account address in it. */
  readonly answer: Readonly<Record<string, unknown>>;
}

/**
 * Vendor codes that mean `invalid_grant`: HubSpot, Zoho (with status 200), and Salesforce for inactive users and organisations.
 */
const REVOKED_CODES: ReadonlySet<string> = new Set([
  'BAD_REFRESH_TOKEN',
  'BAD_AUTH_CODE',
  'invalid_code',
  'inactive_user',
  'inactive_org',
]);

/**
 * Converts the response of a token server.
 * @param now when the request was sent
 * @throws CrmError `unauthorised` for a revoked grant, otherwise a temporary one
 */
export function toCrmGrant(read: GrantAnswer, now: Date, defaultLifeSeconds: number): CrmGrant {
  if (read.kind === 'granted') {
    const { livesForSeconds, ...grant } = read.grant;
    const lifeMs = (livesForSeconds ?? defaultLifeSeconds) * 1000;
    return { ...grant, expiresAt: new Date(now.getTime() + lifeMs), answer: read.answer };
  }
  const { code, status } = read;
  const isClear = status < 500 && status !== 429;
  const isRevoked = isClear && (isGrantRevoked(code) || (code !== null && REVOKED_CODES.has(code)));
  if (isRevoked)
    throw new CrmError('unauthorised', 'The vendor does not accept the consent any more; connect it again');
  const retryAfterMs = read.kind === 'refused' ? read.retryAfterMs : null;
  const said = code !== null && /^[\w .-]{1,64}$/.test(code) ? code : status;
  throw new CrmError(status === 429 ? 'rate_limited' : 'server', `The token server refused the request (${said})`, {
    retryAfterMs,
  });
}
