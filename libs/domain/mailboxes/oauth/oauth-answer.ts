import { MailError, toServerReply } from '@adapters/mail';
import { OAuthError } from '@platform/oauth';

const COMMAND = 'POST token';

/**
 * Waits for a request to a token server.
 * @throws MailError `needs-human` when the grant is revoked, `temporary` for everything else
 */
export async function withMailErrors<T>(request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    throw error instanceof OAuthError ? toMailError(error) : error;
  }
}

/** A lost answer is temporary: repeating the request is harmless. */
export function toMailError(error: OAuthError): MailError {
  const { status, description, message, retryAfterMs } = error;
  if (status === null) return new MailError({ failure: 'temporary', stage: 'connect', message }, error.cause);
  // Google and Microsoft refuse by the status: a 200 without a token is a fault, whatever its body contains.
  const code = status === 200 ? null : error.code;
  const isRevoked = code !== null && error.isRevoked;
  const refusal = status === 200 ? 'The token server answered without a token' : message;
  return new MailError({
    failure: isRevoked ? 'needs-human' : 'temporary',
    stage: 'login',
    message: isRevoked ? 'The vendor rejects the authorisation of this mailbox; authorise it again' : refusal,
    lastReply: toServerReply({
      code: code ?? status,
      command: COMMAND,
      response: code === null ? `HTTP ${status}` : description || code,
    }),
    retryAfterMs,
  });
}

/** Whether all needed scopes were granted. Microsoft may return scopes with or without the resource, in any case. */
export function coversScopes(granted: readonly string[] | null, needed: readonly string[]): boolean {
  if (granted === null) return true;
  const names = new Set(granted.flatMap((scope) => [scope, scope.slice(scope.lastIndexOf('/') + 1)]).map(toLowerCase));
  return needed.every((scope) => names.has(toLowerCase(scope)));
}

const toLowerCase = (scope: string): string => scope.toLowerCase();
