import { type CrmAnswer, toRecord, toText } from '../http/crm-response';
import { type CrmDialect, type CrmFault, getStatusReason } from '../http/crm-dialect';
import { type PipedriveFault, toPipedriveReason, getUnknownPipedriveField } from './pipedrive.errors';

/** Requests are counted in windows of two seconds (pipedrive.readme.io/docs/core-api-concepts-rate-limiting, "Burst limits"). */
const WINDOW_MS = 2_000;
/** Wait before the next attempt: neither the daily budget (midnight in an unknown zone) nor a block by Cloudflare states its end. */
const QUOTA_COOLDOWN_MS = 3_600_000;
const BLOCKED_COOLDOWN_MS = 600_000;

/** Requests of one call, which should fit into the window before it starts. */
export const REQUESTS_AT_ONCE = 10;

/** The dialect of Pipedrive. */
export const PIPEDRIVE_DIALECT: CrmDialect = {
  vendor: 'Pipedrive',
  authorisation: (secret, kind): Readonly<Record<string, string>> =>
    kind === 'key' ? { 'x-api-token': secret } : { authorization: `Bearer ${secret}` },
  getFault: (answer) => getPipedriveCallFault(answer),
  getCooldownMs: ({ headers }) => {
    if (headers['x-daily-requests-left'] === '0') return QUOTA_COOLDOWN_MS;
    const left = parseNumber(headers['x-ratelimit-remaining']);
    return left !== null && left < REQUESTS_AT_ONCE ? getWindowMs(headers) : null;
  },
};

export function getFault({ status, json }: CrmAnswer): PipedriveFault {
  const { error, code } = toRecord(json);
  return { status, code: toText(code) ?? '', message: toText(error) ?? '' };
}

/** Classifies a response for the whole call. */
export function getPipedriveCallFault(answer: CrmAnswer): CrmFault {
  const { status, headers, json } = answer;
  const fault = getFault(answer);
  const reason =
    toPipedriveReason(fault, json !== undefined, (parseNumber(headers['x-ratelimit-remaining']) ?? 0) > 0) ??
    getStatusReason(status);
  const hasRetryAfter = headers['retry-after'] !== undefined;
  const wait = reason === 'quota' ? QUOTA_COOLDOWN_MS : status === 403 ? BLOCKED_COOLDOWN_MS : getWindowMs(headers);
  return {
    reason,
    sentence: fault.message,
    field: getUnknownPipedriveField(fault.message),
    retryAfterMs: !hasRetryAfter && (reason === 'quota' || reason === 'rate_limited') ? wait : null,
  };
}

/** The remaining window. Its unit is not documented: the window is two seconds long, so a value above a minute is no number of seconds. */
function getWindowMs(headers: CrmAnswer['headers']): number {
  const seconds = parseNumber(headers['x-ratelimit-reset']);
  return seconds !== null && seconds > 0 && seconds <= 60 ? Math.ceil(seconds * 1_000) : WINDOW_MS;
}

function parseNumber(header: string | undefined): number | null {
  const number = Number(header ?? NaN);
  return Number.isFinite(number) ? number : null;
}
