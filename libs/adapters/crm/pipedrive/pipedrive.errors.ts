import { type CrmReason } from '../port/crm.errors';
import { type CrmRecorded, type CrmWritten } from '../port/crm-session';

/** An error response of Pipedrive (pipedrive.readme.io/docs/core-api-concepts-responses). */
export interface PipedriveFault {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

type Refusal = Extract<CrmWritten, { kind: 'refused' }>['reason'];

/**
 * Classifies a status for the whole call (pipedrive.readme.io/docs/core-api-concepts-http-status-codes); null for the default of the HTTP
 * client. Cloudflare answers 403 with a page, not JSON, to a client that continues after 429: this is a limit, not a missing permission
 * (core-api-concepts-rate-limiting, "Limiting high volume traffic").
 */
export function toPipedriveReason(
  { status, message }: PipedriveFault,
  isJson: boolean,
  hasBurstRoom: boolean,
): CrmReason | null {
  if (status === 403 && !isJson) return 'rate_limited';
  // Both limits return 429: for the two-second limit the reported window is empty, for the daily limit it is not.
  if (status === 429) return hasBurstRoom || /\b(?:daily|budget|per day)\b/i.test(message) ? 'quota' : 'rate_limited';
  if (status === 402) return 'forbidden';
  if (status !== 400 && status !== 422) return null;
  if (getUnknownPipedriveField(message) !== null) return 'unknown_field';
  return /\bcursor\b/i.test(message) ? 'cursor' : null;
}

/** `Validation failed: custom_fields.<key>: Parameter '<key>' is not allowed for this request; …` */
export function getUnknownPipedriveField(message: string): string | null {
  return /Parameter '([\w.]{1,160})' is not allowed/.exec(message)?.[1]?.split('.').at(-1) ?? null;
}

/** The field of the first validation fault: `emails.0.value: …`. */
function getRefusedField(message: string): string | null {
  const [, path = ''] = /(?:Validation failed: )?([\w.]{1,160}): /.exec(message) ?? [];
  const [first, second] = path.split('.');
  return first === 'custom_fields' ? (second ?? null) : (first ?? '') || null;
}

/** The reason for a refused person; null when it concerns the whole call. */
export function toPipedriveRefusal(key: string, { status, message }: PipedriveFault): CrmWritten | null {
  const reason = getRefusalReason(status, message);
  if (reason === null) return null;
  const field = getUnknownPipedriveField(message) ?? getRefusedField(message);
  return {
    key,
    kind: 'refused',
    reason,
    message: message === '' ? `Status ${status}` : message,
    field,
    externalId: null,
  };
}

function getRefusalReason(status: number, message: string): Refusal | null {
  if (status === 404 || status === 410) return 'gone';
  if (status === 400 || status === 422) return getUnknownPipedriveField(message) === null ? 'invalid' : 'unknown_field';
  // The user must not change this person or field. A missing app permission or a Cloudflare page concerns the whole call.
  if (status === 403) return message === '' || /scope/i.test(message) ? null : 'forbidden';
  return status === 409 ? 'other' : null;
}

/** The reason for a refused activity; null when it concerns the whole call. */
export function toPipedriveActivityRefusal(key: string, fault: PipedriveFault): CrmRecorded | null {
  const reason = isAboutPerson(fault) ? 'gone' : getRefusalReason(fault.status, fault.message);
  if (reason === null) return null;
  const message = fault.message === '' ? `Status ${fault.status}` : fault.message;
  const isOwn = reason === 'gone' || reason === 'invalid' || reason === 'forbidden';
  return { key, kind: 'refused', reason: isOwn ? reason : 'other', message };
}

/** Whether an activity was refused because its person no longer exists: no status or code states it. */
function isAboutPerson({ status, message }: PipedriveFault): boolean {
  return status === 400 && /person.{0,60}(?:not found|not exist|not accessible|deleted)/i.test(message);
}

/** The value does not fit the type of the field. */
export class UnfitValueError extends Error {}
