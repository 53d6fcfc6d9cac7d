import { CrmError } from '../port/crm.errors';
import { type CrmField } from '../port/crm-person';
import { type CrmRecorded, type CrmWrite, type CrmWritten } from '../port/crm-session';
import { toRecord as jsonRecordOf, toRecords, toText } from '../http/crm-response';
import { getSalesforceCallFault } from './salesforce-dialect';
import {
  getSalesforceFaults,
  toSalesforceReason,
  toSalesforceActivityRefusal,
  toSalesforceRefusal,
  type SalesforceFault,
  getSentence,
} from './salesforce.errors';
import { toSalesforceRecord, type SalesforceRecord, getUnfit } from './salesforce-people';

/** Records to create (`POST`) or change (`PATCH`). */
export interface Saving {
  readonly method: 'POST' | 'PATCH';
  readonly records: readonly SalesforceRecord[];
}

/** The outcome of one `Saving`: a result for each record, or one error for all. */
export type Saved =
  | { readonly kind: 'results'; readonly results: readonly Readonly<Record<string, unknown>>[] }
  | { readonly kind: 'fault'; readonly status: number; readonly fault: SalesforceFault };

/** One request that creates some records and updates others independently ("Composite", "sObject Collections"). */
export function toComposite(api: string, savings: readonly Saving[]): object {
  return {
    allOrNone: false,
    compositeRequest: savings.map(({ method, records }) => ({
      method,
      url: `${api}/composite/sobjects`,
      referenceId: method,
      httpHeaders: DUPLICATE_HEADERS,
      body: { allOrNone: false, records },
    })),
  };
}

/** Duplicate rules apply, and their response names the found contacts ("Duplicate Rule Header"). */
const DUPLICATE_HEADERS = {
  'Sforce-Duplicate-Rule-Header': 'allowSave=false; includeRecordDetails=true; runAsCurrentUser=true',
};

/** Responses in the order of the savings. */
export function toSaved(json: unknown, savings: readonly Saving[]): Saved[] {
  const answers = new Map(
    toRecords(jsonRecordOf(json)['compositeResponse']).map((answer) => [answer['referenceId'], answer]),
  );
  return savings.map(({ method, records }): Saved => {
    const { body, httpStatusCode } = answers.get(method) ?? {};
    const results = toRecords(body);
    if (results.length === records.length && results.every(({ success }) => typeof success === 'boolean')) {
      return { kind: 'results', results };
    }
    const [fault = UNREAD] = getSalesforceFaults(body);
    return { kind: 'fault', status: typeof httpStatusCode === 'number' ? httpStatusCode : 500, fault };
  });
}

const UNREAD: SalesforceFault = {
  code: 'UNKNOWN_EXCEPTION',
  message: 'No complete response arrived',
  fields: [],
  matches: [],
};

/** Whether Salesforce could not parse the request because of a record's content. */
export function isAboutRecords({ status, fault }: Extract<Saved, { kind: 'fault' }>): boolean {
  const reason = toSalesforceReason(fault);
  return status === 400 && (reason === null || reason === 'unknown_field');
}

/** The error when nothing was written for a reason unrelated to the records; null when it may have been written. */
export function toUnsavedError({ status, fault }: Extract<Saved, { kind: 'fault' }>, message: string): CrmError | null {
  if (status >= 500 && status !== 503) return null;
  const { reason, retryAfterMs = null, field = null } = getSalesforceCallFault(fault, status);
  return new CrmError(reason, message, { retryAfterMs, field });
}

export function toSalesforceWritten(write: CrmWrite, result: Readonly<Record<string, unknown>>): CrmWritten {
  const { key, externalId } = write;
  const id = toText(result['id']);
  if (result['success'] === true && id !== null) {
    return { key, kind: externalId === null ? 'created' : 'updated', externalId: id, updatedAt: null };
  }
  const [fault] = getSalesforceFaults(result['errors']);
  return fault ? toSalesforceRefusal(write, fault) : { key, kind: 'ambiguous', message: UNREAD.message };
}

export function toSalesforceRecorded(key: string, result: Readonly<Record<string, unknown>>): CrmRecorded {
  const id = toText(result['id']);
  if (result['success'] === true && id !== null) return { key, kind: 'recorded', activityId: id };
  const [fault] = getSalesforceFaults(result['errors']);
  return fault ? toSalesforceActivityRefusal(key, fault) : { key, kind: 'ambiguous', message: UNREAD.message };
}

/** Why this record cannot be written, by the organisation's field metadata; null without a reason. */
export function toUnwritable(write: CrmWrite, fields: readonly CrmField[]): CrmWritten | null {
  const { key } = write;
  for (const [name, value] of Object.entries(write.fields)) {
    const field = fields.find((one) => one.name === name);
    if (!field) {
      const message = `There is no field ${name}`;
      return { key, kind: 'refused', reason: 'unknown_field', message, field: name, externalId: null };
    }
    const message = getUnfit(value, field);
    if (message !== null) return { key, kind: 'refused', reason: 'invalid', message, field: name, externalId: null };
  }
  return null;
}

export function getSaying({ fault }: Extract<Saved, { kind: 'fault' }>): string {
  return getSentence(fault);
}

/** Records for new and for changed people. */
export function getSavings(writes: readonly CrmWrite[]): { readonly saving: Saving; readonly writes: CrmWrite[] }[] {
  const made = writes.filter(({ externalId }) => externalId === null);
  const changed = writes.filter(({ externalId }) => externalId !== null);
  return [
    { saving: { method: 'POST' as const, records: made.map(toSalesforceRecord) }, writes: made },
    { saving: { method: 'PATCH' as const, records: changed.map(toSalesforceRecord) }, writes: changed },
  ].filter((part) => part.writes.length > 0);
}
