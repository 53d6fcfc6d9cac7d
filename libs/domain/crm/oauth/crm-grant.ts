import { CrmError } from '@adapters/crm';
import { type GrantAnswer, isGrantRevoked } from '@platform/oauth';

/** What a vendor's token server gave. */
export interface CrmGrant {
  readonly accessToken: string;
  readonly expiresAt: Date;
  /** A new one, when the server gave any. */
  readonly refreshToken: string | null;
  /** null when the server does not say: then it is what was asked for. */
  readonly scopes: readonly string[] | null;
  /** All of the answer: some vendors say in it where the account is. */
  readonly answer: Readonly<Record<string, unknown>>;
}

/**
 * How vendors say `invalid_grant` besides: HubSpot, Zoho, which says it with a status of 200, and Salesforce of people and organisations that
 * are switched off.
 */
const REVOKED_CODES: ReadonlySet<string> = new Set([
  'BAD_REFRESH_TOKEN',
  'BAD_AUTH_CODE',
  'invalid_code',
  'inactive_user',
  'inactive_org',
]);

/**
 * Reads what a token server said.
 * @param now when the request was sent
 * @throws CrmError `unauthorised` when the grant is gone, otherwise a temporary one
 */
export function toCrmGrant(read: GrantAnswer, now: Date, defaultLifeSeconds: number): CrmGrant {
  if (read.kind === 'granted') {
    const { livesForSeconds, ...grant } = read.grant;
    const lifeMs = (livesForSeconds ?? defaultLifeSeconds) * 1000;
    return { ...grant, expiresAt: new Date(now.getTime() + lifeMs), answer: read.answer };
  }
  const { code, status } = read;
  const isClear = status < 500 && status !== 429;
  const isGone = isClear && (isGrantRevoked(code) || (code !== null && REVOKED_CODES.has(code)));
  if (isGone) throw new CrmError('unauthorised', 'The vendor does not accept the consent any more; connect it again');
  const retryAfterMs = read.kind === 'refused' ? read.retryAfterMs : null;
  const said = code !== null && /^[\w .-]{1,64}$/.test(code) ? code : status;
  throw new CrmError(status === 429 ? 'rate_limited' : 'server', `The token server refused the request (${said})`, {
    retryAfterMs,
  });
}
