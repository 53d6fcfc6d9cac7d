/** A response in the vendor's format. */
export interface GmailReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Thrown by the local server's handlers. */
export class GmailRefusal extends Error {
  constructor(readonly reply: GmailReply) {
    super(`Gmail refuses with ${reply.status}`);
  }
}

/** Google's error format with the reasons of "Resolve errors" in Gmail's guides. */
export function googleError(
  status: number,
  reason: string,
  message: string,
  more: Partial<GmailReply> = {},
): GmailReply {
  const code = STATUSES[reason] ?? STATUSES[status] ?? 'UNKNOWN';
  const error = { code: status, message, errors: [{ message, domain: 'global', reason }], status: code };
  return { status, body: { error }, ...more };
}

const STATUSES: Readonly<Record<string, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ABORTED',
  413: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
  failedPrecondition: 'FAILED_PRECONDITION',
};

export const refusals = {
  notFound: () => googleError(404, 'notFound', 'Requested entity was not found.'),
  invalid: (message: string) => googleError(400, 'invalidArgument', message),
  unauthorized: () =>
    googleError(
      401,
      'authError',
      'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.',
      { headers: { 'www-authenticate': 'Bearer realm="https://accounts.google.com/", error="invalid_token"' } },
    ),
  backend: (status = 503) => googleError(status, 'backendError', 'The service is currently unavailable.'),
  rateLimit: (retryAfter?: string) =>
    googleError(
      429,
      'rateLimitExceeded',
      'Resource has been exhausted (e.g. check quota).',
      retryAfter === undefined ? {} : { headers: { 'retry-after': retryAfter } },
    ),
  quota: (reason = 'rateLimitExceeded') =>
    googleError(403, reason, "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute per user'."),
  forbidden: (reason: string) => googleError(403, reason, 'Insufficient Permission'),
  labelExists: () => googleError(409, 'aborted', 'Label name exists or conflicts'),
  mailServiceOff: () => googleError(400, 'failedPrecondition', 'Mail service not enabled'),
} as const;
