import { type CrmReason } from '../port/crm.errors';
import { type CrmWrite, type CrmWritten } from '../port/crm-session';

/** An error as Attio gives it (https://docs.attio.com/rest-api/endpoint-reference): `{status_code, type, code, message, path?}`. */
export interface AttioFault {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  /** Where in the request it is. */
  readonly path: readonly string[];
}

type Refused = Extract<CrmWritten, { kind: 'refused' }>;

/** Codes that say more than their status does. */
const REASONS: Readonly<Record<string, CrmReason>> = {
  unauthorized: 'unauthorised',
  invalid_access_token: 'unauthorised',
  insufficient_scopes: 'forbidden',
  billing_error: 'forbidden',
  unknown_filter_attribute_slug: 'unknown_field',
};

/** @returns null for what is no error of theirs */
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

/** What a request as a whole was refused for; null when its status says it. */
export function toAttioReason({ code, status }: AttioFault): CrmReason | null {
  // Attio reports missing scopes as 403 with the code of a missing token.
  if (status === 403) return 'forbidden';
  return Object.hasOwn(REASONS, code) ? (REASONS[code] ?? null) : null;
}

/** The attribute that is not there, of a filter or of a value: named by the path, or by the end of the sentence. */
export function getUnknownAttribute({ code, message, path }: AttioFault): string | null {
  const isUnknown = code === 'unknown_filter_attribute_slug' || isUnknownValue(code, message);
  if (!isUnknown) return null;
  const [, named] = /slug(?:\/ID)?:? "?([a-z0-9_-]{1,100})/i.exec(message) ?? [];
  return path.findLast((step) => !/^(\$|\d+$|data$|values$)/.test(step)) ?? named ?? null;
}

function isUnknownValue(code: string, message: string): boolean {
  return code === 'value_not_found' && /cannot find attribute/i.test(message);
}

/** What one person was refused for; null when the fault is about the call and not about the person. */
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
