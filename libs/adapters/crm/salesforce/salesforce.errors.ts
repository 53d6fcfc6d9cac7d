import { type CrmReason } from '../port/crm.errors';
import { type CrmRecorded, type CrmWrite, type CrmWritten } from '../port/crm-session';
import { getContactId } from './salesforce-people';

/** An error of the REST API: `errorCode` for a whole request, `statusCode` for one of several records. */
export interface SalesforceFault {
  readonly code: string;
  readonly message: string;
  readonly fields: readonly string[];
  /** Contacts that a duplicate rule found, with the fields that it returns. */
  readonly matches: readonly Readonly<Record<string, unknown>>[];
}

type Refusal = Extract<CrmWritten, { kind: 'refused' }>['reason'];

/** Codes of a whole request (REST API Developer Guide, "Status Codes and Error Responses"; SOAP API Developer Guide, "ExceptionCode"). */
const REASONS: Readonly<Record<string, CrmReason>> = {
  INVALID_SESSION_ID: 'unauthorised',
  INVALID_AUTH_HEADER: 'unauthorised',
  REQUEST_LIMIT_EXCEEDED: 'quota',
  API_DISABLED_FOR_ORG: 'forbidden',
  API_CURRENTLY_DISABLED: 'forbidden',
  INSUFFICIENT_ACCESS: 'forbidden',
  INSUFFICIENT_ACCESS_OR_READONLY: 'forbidden',
  OPERATION_NOT_ENABLED: 'forbidden',
  FUNCTIONALITY_NOT_ENABLED: 'forbidden',
  // The connected user may not see the object at all.
  INVALID_TYPE: 'forbidden',
  INVALID_FIELD: 'unknown_field',
  INVALID_FIELD_FOR_INSERT_UPDATE: 'unknown_field',
  INVALID_QUERY_LOCATOR: 'cursor',
  SERVER_UNAVAILABLE: 'server',
  QUERY_TIMEOUT: 'server',
  UNABLE_TO_LOCK_ROW: 'server',
  UNKNOWN_EXCEPTION: 'server',
};

/** Codes of one record (SOAP API Developer Guide, "StatusCode"). Any other code is `other`. */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  INVALID_FIELD: 'unknown_field',
  DUPLICATES_DETECTED: 'duplicate',
  ENTITY_IS_DELETED: 'gone',
  NOT_FOUND: 'gone',
  MALFORMED_ID: 'gone',
  INSUFFICIENT_ACCESS_OR_READONLY: 'forbidden',
  INSUFFICIENT_ACCESS_ON_CROSS_REFERENCE_ENTITY: 'forbidden',
  INVALID_FIELD_FOR_INSERT_UPDATE: 'forbidden',
  TRANSFER_REQUIRES_READ: 'forbidden',
  INVALID_EMAIL_ADDRESS: 'invalid',
  STRING_TOO_LONG: 'invalid',
  REQUIRED_FIELD_MISSING: 'invalid',
  FIELD_CUSTOM_VALIDATION_EXCEPTION: 'invalid',
  FIELD_INTEGRITY_EXCEPTION: 'invalid',
  FIELD_FILTER_VALIDATION_EXCEPTION: 'invalid',
  INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST: 'invalid',
  INVALID_TYPE_ON_FIELD_IN_RECORD: 'invalid',
  NUMBER_OUTSIDE_VALID_RANGE: 'invalid',
  DUPLICATE_VALUE: 'invalid',
  INVALID_CROSS_REFERENCE_KEY: 'invalid',
  JSON_PARSER_ERROR: 'invalid',
};

/** A temporary obstacle prevented this write: the record is checked and retried like one without a response. */
const PASSING: ReadonlySet<string> = new Set([
  'UNABLE_TO_LOCK_ROW',
  'REQUEST_LIMIT_EXCEEDED',
  'SERVER_UNAVAILABLE',
  'UNKNOWN_EXCEPTION',
]);

/** The reason for a refused request; null when only its status is known. */
export function toSalesforceReason({ code, message }: SalesforceFault): CrmReason | null {
  // One code covers two limits: daily requests and concurrent long requests.
  if (code === 'REQUEST_LIMIT_EXCEEDED' && /concurrent/i.test(message)) return 'rate_limited';
  return REASONS[code] ?? null;
}

/** The missing field, which only the message names. */
export function getUnknownSalesforceField({ code, message, fields }: SalesforceFault): string | null {
  if (code !== 'INVALID_FIELD' && code !== 'INVALID_FIELD_FOR_INSERT_UPDATE') return null;
  const [, named] =
    /No such column '([\w.]{1,160})'/.exec(message) ?? /create\/update fields: (\w{1,160})/.exec(message) ?? [];
  return named ?? fields[0] ?? null;
}

/**
 * One sentence for users. A refused query starts with an excerpt, which may contain addresses, and a line that marks the position; the
 * sentence follows.
 */
export function getSentence({ code, message }: SalesforceFault): string {
  const said = message.split(/ERROR at Row:\d+:Column:\d+\s*/).at(-1) ?? '';
  const [sentence = ''] = said.trim().split(/(?<=\.)\s|\n/);
  return sentence === '' ? code : sentence;
}

/** The reason for a refused record. */
export function toSalesforceRefusal(write: CrmWrite, fault: SalesforceFault): CrmWritten {
  const { key } = write;
  const message = getSentence(fault);
  if (PASSING.has(fault.code)) return { key, kind: 'ambiguous', message };
  const reason = isMissingRecord(write, fault) ? 'gone' : (REFUSALS[fault.code] ?? 'other');
  const field = getUnknownSalesforceField(fault) ?? fault.fields[0] ?? null;
  const externalId = reason === 'duplicate' ? findSameAddress(write, fault) : null;
  return { key, kind: 'refused', reason, message, field, externalId };
}

/** The change of a missing record is refused as an invalid reference without a field; an invalid owner is refused with a field. */
function isMissingRecord(write: CrmWrite, { code, fields }: SalesforceFault): boolean {
  return code === 'INVALID_CROSS_REFERENCE_KEY' && fields.length === 0 && write.externalId !== null;
}

/**
 * The one contact of this address among those that the organisation's duplicate rule found. Rules also match names, but a person with a
 * similar name is another person.
 */
function findSameAddress({ email }: CrmWrite, { matches }: SalesforceFault): string | null {
  const same = matches.flatMap(({ Id: id, Email: other }) => {
    const found = typeof id === 'string' ? getContactId(id) : null;
    return found !== null && typeof other === 'string' && other.toLowerCase() === email.toLowerCase() ? [found] : [];
  });
  const [only, ...more] = new Set(same);
  return only !== undefined && more.length === 0 ? only : null;
}

export function toSalesforceActivityRefusal(key: string, fault: SalesforceFault): CrmRecorded {
  const message = getSentence(fault);
  if (PASSING.has(fault.code)) return { key, kind: 'ambiguous', message };
  const isDeletedPerson = fault.code === 'INVALID_CROSS_REFERENCE_KEY' || fault.code === 'FIELD_INTEGRITY_EXCEPTION';
  const reason = isDeletedPerson ? 'gone' : (REFUSALS[fault.code] ?? 'other');
  const isOwn = reason === 'gone' || reason === 'invalid' || reason === 'forbidden';
  return { key, kind: 'refused', reason: isOwn ? reason : 'other', message };
}

/** The errors of a response in any form; an empty list without any. */
export function getSalesforceFaults(body: unknown): SalesforceFault[] {
  return (Array.isArray(body) ? body : []).flatMap((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null) return [];
    const { errorCode, statusCode, message, fields, duplicateResult, duplicateResut } = entry as Record<
      string,
      unknown
    >;
    const code = typeof errorCode === 'string' ? errorCode : statusCode;
    if (typeof code !== 'string' || !/^[A-Z][A-Z0-9_]{1,80}$/.test(code)) return [];
    return [
      {
        code,
        message: typeof message === 'string' ? message : '',
        fields: Array.isArray(fields) ? fields.filter((field): field is string => typeof field === 'string') : [],
        // Salesforce returns the misspelt name for a single record.
        matches: listMatches(duplicateResult ?? duplicateResut),
      },
    ];
  });
}

function listMatches(result: unknown): Readonly<Record<string, unknown>>[] {
  const results = listIn(result, 'matchResults').flatMap((match) => listIn(match, 'matchRecords'));
  return results.flatMap((match) => {
    const record = typeof match === 'object' && match !== null ? (match as Record<string, unknown>)['record'] : null;
    return typeof record === 'object' && record !== null ? [{ ...record }] : [];
  });
}

function listIn(value: unknown, name: string): unknown[] {
  const list = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : null;
  return Array.isArray(list) ? list : [];
}
