import { type CrmWrite, type CrmWritten } from '../port/crm-session';
import { type CrmAnswer, toRecord, toText } from '../http/crm-response';
import { type CrmDialect, type CrmFault } from '../http/crm-dialect';

/** `ratelimit: limit=100, remaining=50, reset=5` (https://developer.close.com/api/overview/rate-limits), in seconds. */
const RATE_LIMIT = /remaining=(\d+)\s*,\s*reset=(\d+(?:\.\d+)?)/;

const MISSING = /not found|does not exist|unknown|no such|invalid (?:custom )?field/i;

/** Error format of Close (https://developer.close.com/api/overview/http-response-codes). */
export const CLOSE: CrmDialect = {
  vendor: 'Close',
  // A key is the user name of a login without a password.
  authorisation: (secret, kind) => ({
    authorization: kind === 'key' ? `Basic ${Buffer.from(`${secret}:`).toString('base64')}` : `Bearer ${secret}`,
  }),
  getFault: (answer) => toCloseFault(answer),
  getCooldownMs: ({ headers }) => {
    const [, remaining, reset] = RATE_LIMIT.exec(headers['ratelimit'] ?? '') ?? [];
    return remaining === '0' ? Math.ceil(Number(reset) * 1_000) : null;
  },
};

function toCloseFault({ status, json }: CrmAnswer): CrmFault | null {
  const sentence = getErrorSentence(json);
  if (status === 429) {
    const reset = toRecord(toRecord(json)['error'])['rate_reset'];
    const retryAfterMs = typeof reset === 'number' && reset >= 0 ? Math.ceil(reset * 1_000) : null;
    return { reason: 'rate_limited', sentence, retryAfterMs };
  }
  return status === 400 || status === 404 || status === 405 ? { reason: 'rejected', sentence } : null;
}

/** `{"error": "…"}`, `{"errors": ["…"]}` or `{"field-errors": {"name": "…"}}`. */
function getErrorSentence(json: unknown): string {
  const { error, errors } = toRecord(json);
  const [field] = listFieldErrors(json);
  const list = Array.isArray(errors) ? errors.map((one) => toText(one)).filter((one) => one !== null) : [];
  const named = field ? `${field.name}: ${field.message}` : null;
  return toText(error) ?? toText(toRecord(error)['message']) ?? list[0] ?? named ?? '';
}

/** The faults by field; a field with several parts has a nested object or list. */
function listFieldErrors(json: unknown): { readonly name: string; readonly message: string }[] {
  return Object.entries(toRecord(toRecord(json)['field-errors'])).map(([name, message]) => ({
    name,
    message: toText(message) ?? JSON.stringify(message),
  }));
}

/** The reason for a refused person. */
export function toCloseRefusal(
  { key, fields }: CrmWrite,
  { status, json }: CrmAnswer,
  sentence: (text: string) => string,
): CrmWritten {
  const [fault] = listFieldErrors(json);
  const field = fault?.name ?? null;
  const isMissing = fault !== undefined && Object.hasOwn(fields, fault.name) && MISSING.test(fault.message);
  const reason = status === 404 ? 'gone' : isMissing ? 'unknown_field' : status === 403 ? 'forbidden' : 'invalid';
  return { key, kind: 'refused', reason, message: sentence(getErrorSentence(json)), field, externalId: null };
}

export function toUnknownFieldRefusal({ key }: CrmWrite, field: string): CrmWritten {
  return { key, kind: 'refused', reason: 'unknown_field', message: 'Close has no such field', field, externalId: null };
}
