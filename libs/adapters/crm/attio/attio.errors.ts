import { type CrmReason } from '../port/crm.errors';
import { type CrmWrite, type CrmWritten } from '../port/crm-session';

/** An error of Attio (https://docs.attio.com/rest-api/endpoint-reference): `{status_code, type, code, message, path?}`. */
export interface AttioFault {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  /** Its position in the request. */
  readonly path: readonly string[];
}

type Refused = Extract<CrmWritten, { kind: 'refused' }>;

/** Codes that are more precise than their status. */
const REASONS: Readonly<Record<string, CrmReason>> = {
  unauthorized: 'unauthorised',
  invalid_access_token: 'unauthorised',
  insufficient_scopes: 'forbidden',
  billing_error: 'forbidden',
  unknown_filter_attribute_slug: 'unknown_field',
};

/** @returns null for a body that is not an error of Attio */
export function parseAttioFault(status: number, body: unknown): AttioFault | null {
  if (typeof body !== 'object' || body === null) return null;
  const { code, message, path } = body as Record<string, unknown>;
  if (typeof code !== 'string') return null;
  return {
    status,
    code,
    message: typeof message === 'string' ? message : '',
    path: Array.isArray(path) ? path.map(String) : [],
  };
}

/** The fault of a whole request; null when the status is sufficient. */
export function toAttioReason({ code, status }: AttioFault): CrmReason | null {
  // Attio reports missing scopes as 403 with the code of a missing token.
  if (status === 403) return 'forbidden';
  return Object.hasOwn(REASONS, code) ? (REASONS[code] ?? null) : null;
}

/** The missing attribute of a filter or a value, from the path or the end of the sentence. */
export function getUnknownAttribute({ code, message, path }: AttioFault): string | null {
  const isUnknown = code === 'unknown_filter_attribute_slug' || isUnknownValue(code, message);
  if (!isUnknown) return null;
  const [, named] = /slug(?:\/ID)?:? "?([a-z0-9_-]{1,100})/i.exec(message) ?? [];
  return path.findLast((step) => !/^(\$|\d+$|data$|values$)/.test(step)) ?? named ?? null;
}

function isUnknownValue(code: string, message: string): boolean {
  return code === 'value_not_found' && /cannot find attribute/i.test(message);
}

/** The fault of one person; null when it concerns the whole request. */
export function toAttioRefusal({ key, externalId }: CrmWrite, fault: AttioFault): Refused | null {
  const reason = getRefusalReason(fault, externalId !== null);
  if (reason === null) return null;
  const { message, code, path } = fault;
  const field =
    getUnknownAttribute(fault) ?? path.find((step) => !/^(data|values|\d+)$/.test(step)) ?? findQuotedSlug(message);
  return {
    key,
    kind: 'refused',
    reason,
    message: message === '' ? code : message,
    field: reason === 'gone' ? null : field,
    externalId: null,
  };
}

function getRefusalReason(fault: AttioFault, isChange: boolean): Refused['reason'] | null {
  const { status, code } = fault;
  if (getUnknownAttribute(fault) !== null) return 'unknown_field';
  if (code === 'uniqueness_conflict') return 'duplicate';
  if (status === 404) return isChange ? 'gone' : null;
  return status === 400 || status === 409 || status === 422 ? 'invalid' : null;
}

/** `… attribute with slug "email_addresses" …` */
function findQuotedSlug(message: string): string | null {
  return /slug "([a-z0-9_-]{1,100})"/i.exec(message)?.[1] ?? null;
}
