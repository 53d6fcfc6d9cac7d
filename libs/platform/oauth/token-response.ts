import { type OutboundResponse } from '@platform/outbound';

/** The response of a token endpoint. */
export interface TokenResponse {
  readonly status: number;
  /** Error code of RFC 6749, 5.2, or of the vendor. */
  readonly code: string | null;
  readonly description: string;
  readonly retryAfterMs: number | null;
  /** The body as RFC 6749, 5.1 defines it. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** Upper bound of a token's lifetime: a day. */
const MAX_LIFE_S = 86_400;

/** Reads the response of a token endpoint, and corrects what vendors write in another way than the RFC. */
export function readTokenResponse({ status, headers, body }: OutboundResponse): TokenResponse {
  const answer = parseObject(body);
  const { error_description: described } = answer;
  const retryAfter = headers['retry-after'];
  return {
    status,
    // HubSpot calls it `status`.
    code: [answer['error'], answer['status']].find((code) => typeof code === 'string') ?? null,
    description: typeof described === 'string' ? described : '',
    retryAfterMs: retryAfter !== undefined && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) * 1000 : null,
    body: toStandardBody(answer),
  };
}

function toStandardBody(answer: Readonly<Record<string, unknown>>): Record<string, unknown> {
  // No identity is read from an ID token, and vendors may add one that names another issuer.
  const { id_token: _identity, expires_in: expiresIn, refresh_token: refreshToken, scope, ...others } = answer;
  const type = others['token_type'] ?? 'bot';
  const seconds = Number(expiresIn ?? Number.NaN);
  return {
    ...others,
    // Slack names the bearer token of a bot after its owner, and others omit the type.
    token_type: type === 'bot' ? 'bearer' : type,
    // Older Azure endpoints return the number as text.
    ...(Number.isFinite(seconds) && { expires_in: Math.min(Math.max(0, seconds), MAX_LIFE_S) }),
    ...(typeof refreshToken === 'string' && refreshToken !== '' && { refresh_token: refreshToken }),
    ...(typeof scope === 'string' && { scope }),
  };
}

function parseObject(body: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {}; // such as an error page of a proxy: the status is enough
  }
}
