import { CrmError } from '../port/crm.errors';
import { type CrmActivity, type CrmRecorded, type CrmWrite, type CrmWritten } from '../port/crm-session';
import { parseDate, type JsonRecord, toRecord, toText } from '../http/crm-response';
import { type CrmHttpClient } from '../http/crm-http.client';
import { toCloseRefusal, toUnknownFieldRefusal } from './close.errors';
import { isCloseField } from './close-fields';
import { type CloseLeadLookup, getContactPath } from './close-lead-lookup';
import { toCloseBody, needsCurrent, toCloseNote } from './close-people';

const CONTACTS = '/api/v1/contact/';
const REFUSED = [400, 404];

/**
 * Creates or changes one contact. Close allows several people with one address; after a creation without a response, the address identifies
 * the contact. A new contact gets a lead of its own with the contact's name (https://developer.close.com/api/resources/contacts/create).
 */
export async function writeOne(http: CrmHttpClient, person: CrmWrite, signal?: AbortSignal): Promise<CrmWritten> {
  const { key, externalId } = person;
  const unknown = Object.keys(person.fields).find((name) => !isCloseField(name));
  if (unknown !== undefined) return toUnknownFieldRefusal(person, unknown);
  if (Object.hasOwn(person.fields, 'lead_name')) return toCompanyFieldRefusal(person);
  const path = externalId === null ? CONTACTS : getContactPath(externalId);
  if (path === null) return toMissingContact(person);
  const sentence = (text: string): string => http.sentence(text);
  let current: JsonRecord = {};
  if (needsCurrent(person)) {
    const answer = await http.send({ method: 'GET', path, takes: [404] }, signal);
    if (answer.status === 404) return toCloseRefusal(person, answer, sentence);
    current = toRecord(answer.json);
    // An update without the stored list would delete all entries but the first.
    if (toText(current['id']) === null) throw new CrmError('protocol', 'Close answered without a contact');
  }
  const method = externalId === null ? 'POST' : 'PUT';
  const answer = await http.send({ method, path, body: toCloseBody(person, current), takes: REFUSED }, signal);
  if (REFUSED.includes(answer.status)) return toCloseRefusal(person, answer, sentence);
  const { id, date_updated: updated } = toRecord(answer.json);
  const written = toText(id);
  if (written === null) return toAmbiguous(person, 'Close returned no id of the contact');
  return { key, kind: externalId === null ? 'created' : 'updated', externalId: written, updatedAt: parseDate(updated) };
}

export async function recordActivity(
  http: CrmHttpClient,
  leads: CloseLeadLookup,
  activity: CrmActivity,
  signal?: AbortSignal,
): Promise<CrmRecorded> {
  const { key, externalId } = activity;
  const leadId = await leads.find(externalId, signal);
  const refused = { key, kind: 'refused' as const };
  if (leadId === null) return { ...refused, reason: 'gone', message: 'There is no such contact' };
  const body = toCloseNote(activity, leadId);
  const answer = await http.send({ method: 'POST', path: '/api/v1/activity/note/', body, takes: REFUSED }, signal);
  if (REFUSED.includes(answer.status)) {
    const person = { key, externalId, email: '', fields: {} };
    const refusal = toCloseRefusal(person, answer, (text) => http.sentence(text));
    const message = refusal.kind === 'refused' ? refusal.message : '';
    return { ...refused, reason: answer.status === 404 ? 'gone' : 'invalid', message };
  }
  const activityId = toText(toRecord(answer.json)['id']);
  if (activityId === null) return toAmbiguous(activity, 'Close returned no id of the note');
  return { key, kind: 'recorded', activityId };
}

function toMissingContact({ key }: CrmWrite): CrmWritten {
  const message = 'There is no such contact';
  return { key, kind: 'refused', reason: 'gone', message, field: null, externalId: null };
}

function toCompanyFieldRefusal({ key }: CrmWrite): CrmWritten {
  const message = 'The name of a lead belongs to the company and cannot be written with a person';
  return { key, kind: 'refused', reason: 'invalid', message, field: 'lead_name', externalId: null };
}

export function toAmbiguous({ key }: { readonly key: string }, message: string) {
  return { key, kind: 'ambiguous' as const, message };
}
