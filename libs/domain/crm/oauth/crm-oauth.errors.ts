import { CrmError } from '@adapters/crm';
import { OAuthError } from '@platform/oauth';

/**
 * Waits for a request to a token server.
 * @throws CrmError `unauthorised` for a revoked grant, otherwise a temporary one
 */
export async function withCrmErrors<T>(request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    throw error instanceof OAuthError ? toCrmError(error) : error;
  }
}

function toCrmError({ status, isRevoked, retryAfterMs, message, cause }: OAuthError): CrmError {
  if (isRevoked)
    return new CrmError('unauthorised', 'The vendor does not accept the consent any more; connect it again');
  if (status === null) return new CrmError('unreachable', message, { cause });
  return new CrmError(status === 429 ? 'rate_limited' : 'server', message, { retryAfterMs });
}
