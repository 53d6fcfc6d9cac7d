import { parseDate } from '../http/crm-response';
import { type CrmReason } from '../port/crm.errors';
import { type CrmRecorded, type CrmWrite, type CrmWritten } from '../port/crm-session';

/**
 * The result of a request or of one record, successful or not: `{code, details, message, status}`
 * (https://www.zoho.com/crm/developer/docs/api/v8/status-codes.html).
 */
export interface ZohoAnswer {
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
  /** The action of an upsert: `insert` or `update`. */
  readonly action: string | null;
}

type Refusal = Extract<CrmWritten, { kind: 'refused' }>['reason'];

/** Codes of a whole request. */
const REASONS: Readonly<Record<string, CrmReason>> = {
  INVALID_TOKEN: 'unauthorised',
  AUTHENTICATION_FAILURE: 'unauthorised',
  INVALID_CLIENT: 'unauthorised',
  OAUTH_SCOPE_MISMATCH: 'forbidden',
  AUTHORIZATION_FAILED: 'forbidden',
  NO_PERMISSION: 'forbidden',
  PERMISSION_DENIED: 'forbidden',
  FEATURE_NOT_ENABLED: 'forbidden',
  // The connected user may not see contacts.
  INVALID_MODULE: 'forbidden',
  INTERNAL_ERROR: 'server',
  INTERNAL_SERVER_ERROR: 'server',
};

/** Codes of one record. Any other code is `other`. */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  INVALID_DATA: 'invalid',
  MANDATORY_NOT_FOUND: 'invalid',
  DEPENDENT_FIELD_MISSING: 'invalid',
  DEPENDENT_MISMATCH: 'invalid',
  MAPPING_MISMATCH: 'invalid',
  LIMIT_EXCEEDED: 'invalid',
  DUPLICATE_DATA: 'duplicate',
  NO_PERMISSION: 'forbidden',
  PERMISSION_DENIED: 'forbidden',
  NOT_ALLOWED: 'forbidden',
  RECORD_LOCKED: 'forbidden',
  CANNOT_UPDATE_LOCKED_RECORD: 'forbidden',
};

/** A temporary obstacle prevented this write. */
const PASSING: ReadonlySet<string> = new Set([
  'INTERNAL_ERROR',
  'INTERNAL_SERVER_ERROR',
  'RECORD_IN_BLUEPRINT_TRANSITION',
]);

/** @returns null for a body that is not Zoho's */
export function parseZohoAnswer(value: unknown): ZohoAnswer | null {
  if (typeof value !== 'object' || value === null) return null;
  const { code, message, details, action } = value as Record<string, unknown>;
  if (typeof code !== 'string' || !/^[A-Z][A-Z0-9_]{1,80}$/.test(code)) return null;
  return {
    code,
    message: typeof message === 'string' ? message : '',
    details: typeof details === 'object' && details !== null ? (details as Record<string, unknown>) : {},
    action: typeof action === 'string' ? action : null,
  };
}

/**
 * The reason for a refused request; null when only its status is known. Both limits answer 429 without an end: the credits of the last 24
 * hours, which a header reports, and concurrent requests (v8/api-limits.html).
 */
export function getReason(answer: ZohoAnswer | null, status: number, creditsLeft: number | null): CrmReason | null {
  if (status === 429) return creditsLeft === 0 ? 'quota' : 'rate_limited';
  if (answer === null) return null;
  if (getUnknownColumn(answer) !== null) return 'unknown_field';
  return REASONS[answer.code] ?? null;
}

/** The missing column of a query: `{column_name}` of an INVALID_QUERY, which concerns a value when it names one. */
export function getUnknownColumn({ code, details }: ZohoAnswer): string | null {
  const { column_name: column, operator, value } = details;
  const isMissing = code === 'INVALID_QUERY' && operator === undefined && value === undefined;
  return isMissing && typeof column === 'string' ? column : null;
}

/** The remaining credits, by a header that appears once half of them are used; null before. */
export function getCredits(header: string | undefined): number | null {
  return header !== undefined && /^\d{1,12}$/.test(header.trim()) ? Number(header) : null;
}

export function toZohoWritten(write: CrmWrite, answer: ZohoAnswer | null): CrmWritten {
  const { key } = write;
  if (answer === null) return { key, kind: 'ambiguous', message: 'Zoho returned no result for the person' };
  const { code, details, action, message } = answer;
  if (PASSING.has(code)) return { key, kind: 'ambiguous', message };
  const id = details['id'];
  if (code === 'SUCCESS') {
    if (typeof id !== 'string') return { key, kind: 'ambiguous', message: 'Zoho returned no id of the person' };
    const kind = write.externalId !== null ? 'updated' : action === 'insert' ? 'created' : 'merged';
    return { key, kind, externalId: id, updatedAt: parseDate(details['Modified_Time']) };
  }
  return getRefusalReason(write, answer);
}

export function toZohoRecorded(key: string, answer: ZohoAnswer | null): CrmRecorded {
  if (answer === null) return { key, kind: 'ambiguous', message: 'Zoho returned no result for the note' };
  const { code, message, details } = answer;
  if (PASSING.has(code)) return { key, kind: 'ambiguous', message };
  const id = details['id'];
  if (code === 'SUCCESS') {
    return typeof id === 'string'
      ? { key, kind: 'recorded', activityId: id }
      : { key, kind: 'ambiguous', message: 'Zoho returned no id of the note' };
  }
  const isDeletedParent =
    code === 'INVALID_DATA' && !['Note_Title', 'Note_Content'].includes(String(details['api_name']));
  const reason = isDeletedParent ? 'gone' : REFUSALS[code];
  const isOwn = reason === 'gone' || reason === 'invalid' || reason === 'forbidden';
  return { key, kind: 'refused', reason: isOwn ? reason : 'other', message };
}

function getRefusalReason({ key, externalId }: CrmWrite, answer: ZohoAnswer): CrmWritten {
  const { code, message } = answer;
  const field = getRefusedField(answer);
  // The change of a missing record is reported as invalid data in its id.
  const isDeleted = code === 'INVALID_DATA' && externalId !== null && (field === null || field === 'id');
  const reason = isDeleted ? 'gone' : (REFUSALS[code] ?? 'other');
  return {
    key,
    kind: 'refused',
    reason,
    message: message === '' ? code : message,
    field: isDeleted ? null : field,
    externalId: reason === 'duplicate' ? findDuplicateId(answer) : null,
  };
}

function getRefusedField({ details }: ZohoAnswer): string | null {
  const name = details['api_name'];
  return typeof name === 'string' ? name : null;
}

/** The other record, at its position in older and newer responses. */
function findDuplicateId({ details }: ZohoAnswer): string | null {
  const { id, duplicate_record: other } = details;
  if (typeof id === 'string') return id;
  const found = typeof other === 'object' && other !== null ? (other as Record<string, unknown>)['id'] : null;
  return typeof found === 'string' ? found : null;
}
