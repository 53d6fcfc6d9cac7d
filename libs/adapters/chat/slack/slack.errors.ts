import { retryAfterMs } from '@platform/outbound';
import { ChatError, type ChatReason } from '../port/chat.errors';

/** Longest accepted Retry-After in milliseconds. */
const LONGEST_WAIT_MS = 3_600_000;

const AUTHORISATION = [
  'not_authed',
  'invalid_auth',
  'account_inactive',
  'token_revoked',
  'token_expired',
  'no_permission',
  'missing_scope',
  'not_allowed_token_type',
  'org_login_required',
  'ekm_access_denied',
  'access_denied',
  'accesslimited',
  'team_access_not_granted',
  'two_factor_setup_required',
  'enterprise_is_restricted',
  'invalid_code',
  'code_already_used',
  'bad_redirect_uri',
  // Of incoming webhooks.
  'invalid_token',
  'no_service',
  'no_service_id',
  'no_team',
  'no_active_hooks',
  'team_disabled',
  'action_prohibited',
];

const CHANNEL = [
  'channel_not_found',
  'is_archived',
  'channel_is_archived',
  'not_in_channel',
  'restricted_action',
  'restricted_action_read_only_channel',
  'restricted_action_thread_only_channel',
  'restricted_action_non_threadable_channel',
  'posting_to_general_channel_denied',
  'method_not_supported_for_channel_type',
  'user_not_found',
];

const UNAVAILABLE = [
  'service_unavailable',
  'request_timeout',
  'team_added_to_org',
  'rollup_error',
  // The OAuth client of the installation is wrong: only the operator can correct it.
  'invalid_client_id',
  'bad_client_secret',
];

/** Error codes of Slack by reason (https://docs.slack.dev/reference/methods/chat.postMessage#errors, and those of webhooks). */
const REASONS: ReadonlyMap<string, ChatReason> = new Map([
  ...AUTHORISATION.map((code) => [code, 'authorisation'] as const),
  ...CHANNEL.map((code) => [code, 'channel'] as const),
  ...UNAVAILABLE.map((code) => [code, 'unavailable'] as const),
  ...['ratelimited', 'rate_limited', 'message_limit_exceeded'].map((code) => [code, 'rate_limited'] as const),
  // "It's possible some aspect of the operation succeeded before the error was raised."
  ...['fatal_error', 'internal_error'].map((code) => [code, 'unconfirmed'] as const),
]);

/** A failed response of Slack. */
export interface SlackRefusal {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** The `error` of the Web API, or the body of a webhook's response, unchecked. */
  readonly vendorCode: string;
  /** Whether the call posts a message: only then an unknown outcome matters. */
  readonly posts: boolean;
  readonly now: Date;
}

/** Classifies a failed response. Text that is no error code of Slack (a proxy's page) is not repeated. */
export function toSlackRefusal({ status, retryAfter, vendorCode: reported, posts, now }: SlackRefusal): ChatError {
  const known = /^[a-z][a-z0-9_]{1,63}$/.test(reported) ? reported : null;
  const code = known ?? `http_${status}`;
  const said = getReason(status, known);
  // Calls that post nothing can be repeated, so their unknown outcome is a temporary failure.
  const reason = said === 'unconfirmed' && !posts ? 'unavailable' : said;
  const wait = retryAfterMs(retryAfter, now.toUTCString());
  return new ChatError(reason, `Slack answered ${code}`, {
    vendorCode: code,
    retryAfterMs: wait === null ? null : Math.min(wait, LONGEST_WAIT_MS),
  });
}

function getReason(status: number, code: string | null): ChatReason {
  if (status === 429) return 'rate_limited';
  const known = code === null ? undefined : REASONS.get(code);
  if (known) return known;
  // A gateway has lost the response of Slack.
  if (status === 502 || status === 504) return 'unconfirmed';
  // A redirect or a page instead of an error code does not come from Slack.
  if (status >= 500 || status === 408 || code === null) return 'unavailable';
  return status === 401 || status === 403 || status === 404 || status === 410 ? 'authorisation' : 'refused';
}
