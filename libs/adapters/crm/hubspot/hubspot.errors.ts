import { type CrmReason } from '../port/crm.errors';
import { type CrmWritten } from '../port/crm-session';
import { type CrmAnswer, type JsonRecord, toRecord, toRecords, toText } from '../http/crm-response';
import { type CrmDialect, type CrmFault } from '../http/crm-dialect';

/** One fault of a property, a record or the whole request, as reported by HubSpot. */
export interface HubSpotFault {
  /** `PROPERTY_DOESNT_EXIST`, `INVALID_EMAIL`, or the category of the error: `VALIDATION_ERROR`, `CONFLICT`, `OBJECT_NOT_FOUND`. */
  readonly code: string;
  readonly message: string;
  readonly property: string | null;
  /** The affected record ids or write trace ids. */
  readonly about: readonly string[];
}

type Refusal = Extract<CrmWritten, { kind: 'refused' }>['reason'];

/** The limit that caused a 429 (https://developers.hubspot.com/docs/developer-tooling/platform/usage-guidelines). */
const DAY_POLICY = 'DAILY';
/** The recovery time of limits without a header (milliseconds): the rolling limit and the search limit. */
const ROLLING_MS = 10_000;
const SECOND_MS = 1_000;

const MISSING_PROPERTY =
  /propert(?:y|ies)[\s:]+\\?["'“]?([a-z0-9_]{1,250})\\?["'”]?\s+(?:does not|doesn't|do not) exist/i;
const EXISTING_ID = /existing id:?\s*(\d{1,20})/i;

/** Error format of HubSpot (https://developers.hubspot.com/docs/api-reference/error-handling). */
export const HUBSPOT: CrmDialect = {
  vendor: 'HubSpot',
  authorisation: (secret) => ({ authorization: `Bearer ${secret}` }),
  getFault: (answer) => toHubSpotFault(answer),
  getCooldownMs: ({ headers }) => {
    if (headers['x-hubspot-ratelimit-remaining'] !== '0') return null;
    const interval = Number(headers['x-hubspot-ratelimit-interval-milliseconds'] ?? ROLLING_MS);
    return Number.isFinite(interval) ? Math.min(Math.max(interval, 0), ROLLING_MS) : ROLLING_MS;
  },
};

function toHubSpotFault(answer: CrmAnswer): CrmFault | null {
  const body = toRecord(answer.json);
  const sentence = toText(body['message']) ?? '';
  if (answer.status === 429) return getLimitReason(body, sentence, answer.headers['retry-after'] !== undefined);
  const missing = getHubSpotFaults(body).find(({ code }) => code === 'PROPERTY_DOESNT_EXIST');
  if (missing) return { reason: 'unknown_field', sentence: missing.message, field: missing.property };
  const reason = getFaultReason(answer.status, body);
  return reason === null ? null : { reason, sentence };
}

function getLimitReason(body: JsonRecord, sentence: string, saysWhen: boolean): CrmFault {
  const policy = toText(body['policyName']) ?? '';
  if (policy === DAY_POLICY) return { reason: 'quota', sentence };
  // Most 429 responses do not state when the limit ends.
  const retryAfterMs = saysWhen ? null : policy.startsWith('TEN_') ? ROLLING_MS : SECOND_MS;
  return { reason: 'rate_limited', sentence, retryAfterMs };
}

function getFaultReason(status: number, body: JsonRecord): CrmReason | null {
  const category = toText(body['category']) ?? '';
  if (category === 'EXPIRED_AUTHENTICATION' || category === 'INVALID_AUTHENTICATION') return 'unauthorised';
  if (category === 'MISSING_SCOPES' || category === 'BANNED') return 'forbidden';
  return status >= 400 && status < 500 && status !== 401 && status !== 403 && status !== 408 ? 'rejected' : null;
}

/** All faults in a response. */
export function getHubSpotFaults(json: unknown): HubSpotFault[] {
  const body = toRecord(json);
  const message = toText(body['message']) ?? '';
  const whole = { code: toText(body['category']) ?? '', message, property: null, about: getSubjects(body) };
  const within = listValidations(message);
  const named = toRecords(body['errors']).flatMap((error) => getHubSpotFaults({ category: error['code'], ...error }));
  const missing = findMissingProperty(message);
  return [...within, ...missing, ...named, ...(within.length + missing.length === 0 ? [whole] : [])];
}

/** `Property values were not valid: [{"isValid":false,"message":…,"error":"INVALID_EMAIL","name":"email"}]`. */
function listValidations(message: string): HubSpotFault[] {
  const from = message.indexOf('[{');
  if (from === -1) return [];
  try {
    return toRecords(JSON.parse(message.slice(from)) as unknown).map((entry) => ({
      code: toText(entry['error']) ?? 'VALIDATION_ERROR',
      message: toText(entry['message']) ?? '',
      property: toText(entry['name']),
      about: [],
    }));
  } catch {
    return [];
  }
}

function findMissingProperty(message: string): HubSpotFault[] {
  const [, property] = MISSING_PROPERTY.exec(message) ?? [];
  if (property === undefined || message.includes('[{')) return [];
  return [{ code: 'PROPERTY_DOESNT_EXIST', message, property, about: [] }];
}

function getSubjects(body: JsonRecord): string[] {
  const context = toRecord(body['context']);
  return ['objectWriteTraceId', 'ids', 'id'].flatMap((name) => {
    const values = context[name];
    return Array.isArray(values) ? values.map(String) : [];
  });
}

export function toHubSpotRefusal(
  key: string,
  faults: readonly HubSpotFault[],
  sentence: (text: string) => string,
): CrmWritten {
  const [fault] = faults;
  const { code = '', message = '', property = null } = fault ?? {};
  const [, existing = null] = EXISTING_ID.exec(message) ?? [];
  const reason = existing === null ? getRefusalReason(code, property !== null) : 'duplicate';
  return { key, kind: 'refused', reason, message: sentence(message || code), field: property, externalId: existing };
}

/** HubSpot has many codes for an invalid property value. */
function getRefusalReason(code: string, isOfProperty: boolean): Refusal {
  if (code === 'PROPERTY_DOESNT_EXIST') return 'unknown_field';
  if (code === 'CONFLICT') return 'duplicate';
  if (code === 'OBJECT_NOT_FOUND') return 'gone';
  if (code === 'READ_ONLY_VALUE' || code === 'FORBIDDEN') return 'forbidden';
  return isOfProperty || code === 'VALIDATION_ERROR' ? 'invalid' : 'other';
}
