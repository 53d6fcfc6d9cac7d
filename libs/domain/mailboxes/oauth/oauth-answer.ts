import { MailError, toServerReply } from '@adapters/mail';
import { type GrantAnswer, readGrant } from '@platform/oauth';
import { type OutboundResponse } from '@platform/outbound';

/** The grant of a token server. */
export interface Grant {
  readonly accessToken: string;
  readonly expiresAt: Date;
  /** A new refresh token, if the server issued one. */
  readonly refreshToken: string | null;
  /** null when the server omits them: then they are the requested ones (RFC 6749, 5.1). */
  readonly scopes: readonly string[] | null;
}

/** Assumed lifetime in seconds when the server omits it. */
const UNKNOWN_LIFETIME_S = 300;

const COMMAND = 'POST token';

/**
 * Parses a token server's answer.
 * @param now the time of the request
 * @throws MailError `needs-human` when the grant is revoked, `temporary` for everything else
 */
export function toMailboxGrant(response: OutboundResponse, now: Date): Grant {
  const read = readGrant(response);
  if (read.kind === 'refused') throw toGrantError(read);
  if (read.kind === 'unusable') throw unusableAnswer(read.status, 'The token server answered without a token');
  const { livesForSeconds, ...grant } = read.grant;
  return { ...grant, expiresAt: new Date(now.getTime() + (livesForSeconds ?? UNKNOWN_LIFETIME_S) * 1000) };
}

/** Whether all needed scopes were granted. Microsoft may return scopes with or without the resource, in any case. */
export function coversScopes(granted: readonly string[] | null, needed: readonly string[]): boolean {
  if (granted === null) return true;
  const names = new Set(granted.flatMap((scope) => [scope, scope.slice(scope.lastIndexOf('/') + 1)]).map(toLowerCase));
  return needed.every((scope) => names.has(toLowerCase(scope)));
}

const toLowerCase = (scope: string): string => scope.toLowerCase();

function toGrantError({
  status,
  code,
  description,
  isRevoked,
  retryAfterMs,
}: Extract<GrantAnswer, { kind: 'refused' }>): MailError {
  return new MailError({
    failure: isRevoked ? 'needs-human' : 'temporary',
    stage: 'login',
    message: isRevoked
      ? 'The vendor rejects the authorisation of this mailbox; authorise it again'
      : `The token server refused the request (${code ?? status})`,
    lastReply: toServerReply({
      code: code ?? status,
      command: COMMAND,
      response: description || (code ?? `HTTP ${status}`),
    }),
    retryAfterMs,
  });
}

function unusableAnswer(status: number, message: string): MailError {
  return new MailError({
    failure: 'temporary',
    stage: 'login',
    message,
    lastReply: toServerReply({ code: status, command: COMMAND, response: `HTTP ${status}` }),
  });
}
