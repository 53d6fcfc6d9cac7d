import { CrmError } from '../port/crm.errors';
import { type CrmField } from '../port/crm-person';
import { type CrmFilter } from '../port/crm-session';
import { toRecord, toRecords, toText } from '../http/crm-response';
import { type SalesforceRecord, getContactId } from './salesforce-people';
import { getSoqlKind } from './salesforce-fields';
import { toInstantLiteral, toInCondition, toTextLiteral } from './soql';

/** Answer of a query ("Query"). Large records are returned in part, regardless of LIMIT. */
export interface QueryAnswer {
  readonly records: readonly SalesforceRecord[];
  readonly isDone: boolean;
  readonly total: number;
  /** Path of the next part. */
  readonly next: string | null;
}

/** @throws CrmError `protocol` */
export function getQueryAnswer(json: unknown): QueryAnswer {
  const { records, done, totalSize, nextRecordsUrl } = toRecord(json);
  if (!Array.isArray(records) || typeof done !== 'boolean' || typeof totalSize !== 'number') {
    throw new CrmError('protocol', 'Salesforce answered without a query result');
  }
  const next = toText(nextRecordsUrl);
  // It is appended to the base URL, so it cannot lead to another host.
  if (!done && (next === null || !/^\/services\/data\/[\w./-]+$/.test(next))) {
    throw new CrmError('protocol', 'Salesforce returned no link to the remaining records');
  }
  return { records: toRecords(records), isDone: done, total: totalSize, next };
}

/** The position in a list of people: the last returned id, and the total. */
export interface Place {
  readonly after: string;
  readonly total: number;
}

export function getCursor({ after, total }: Place): string {
  return `${after}.${total}`;
}

/** @throws CrmError `cursor` */
export function parseSalesforceCursor(cursor: string): Place {
  const [id = '', total = ''] = cursor.split('.');
  const after = getContactId(id);
  if (after === null || !/^\d{1,12}$/.test(total)) throw new CrmError('cursor', 'This is not a cursor of Salesforce');
  return { after, total: Number(total) };
}

/**
 * The conditions for the requested people. A list is a campaign of Salesforce: organisations manage their mailing lists as campaign
 * members.
 * @param described the fields of people, requested only for filters by field
 * @throws CrmError
 */
export function getSalesforceConditions(filter: CrmFilter, described: readonly CrmField[]): string[] {
  const { updatedSince, ownerId, listId, fields = {} } = filter;
  const conditions: string[] = [];
  if (updatedSince) conditions.push(`SystemModstamp >= ${toInstantLiteral(updatedSince)}`);
  if (ownerId !== undefined) conditions.push(`OwnerId = ${toIdLiteral(ownerId, '005', 'user')}`);
  if (listId !== undefined) {
    const campaign = toIdLiteral(listId, '701', 'campaign');
    conditions.push(`Id IN (SELECT ContactId FROM CampaignMember WHERE CampaignId = ${campaign})`);
  }
  for (const [name, values] of Object.entries(fields)) {
    const field = described.find((one) => one.name === name);
    if (!field) throw new CrmError('unknown_field', `Salesforce has no field ${name} of people`, { field: name });
    const condition = toInCondition(name, getSoqlKind(field), values);
    if (condition === null) {
      throw new CrmError('rejected', `A filter value does not fit the field ${field.label}`, { field: name });
    }
    conditions.push(condition);
  }
  return conditions;
}

/** Salesforce refuses a query that contains an invalid id. */
function toIdLiteral(text: string, prefix: string, what: string): string {
  if (!/^[0-9A-Za-z]{15}(?:[0-9A-Za-z]{3})?$/.test(text) || !text.startsWith(prefix)) {
    throw new CrmError('rejected', `The id of the ${what} is not one of Salesforce (${prefix}…)`);
  }
  return toTextLiteral(text);
}

export function getWhere(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
}
