import { type CrmActivity, type CrmRecorded, type CrmWrite, type CrmWritten } from '../port/crm-session';
import { type CrmAnswer, parseDate, type JsonRecord, toRecord, toRecords, toText } from '../http/crm-response';
import { toChunks } from '../http/request-chunks';
import { type CrmHttpClient } from '../http/crm-http.client';
import { type BatchOutcome, writeDivided } from '../http/batch-bisect';
import { getHubSpotFaults, type HubSpotFault, toHubSpotRefusal } from './hubspot.errors';
import { toEngagement, getProperties } from './hubspot-people';

/** Statuses of a batch refused as a whole. */
const REFUSED = [400, 404, 409];

/** The result of a person without an entry in the response to an accepted batch. */
const NO_RESULT = 'HubSpot returned no result for this record';

/**
 * Creates people by an upsert on the address and updates them by id, so a repeated write creates no duplicate. Addresses are unique in
 * HubSpot, including the secondary addresses of a person.
 */
export function writePeople(
  http: CrmHttpClient,
  people: readonly CrmWrite[],
  size: number,
  signal?: AbortSignal,
): Promise<CrmWritten[]> {
  const made = people.filter(({ externalId }) => externalId === null);
  const changed = people.filter(({ externalId }) => externalId !== null);
  // HubSpot refuses a batch that names a person twice.
  const batches = [
    ...splitDuplicates(made, ({ email }) => email.toLowerCase()),
    ...splitDuplicates(changed, ({ externalId }) => externalId),
  ].flatMap((group) => toChunks(group, size));
  return writeDivided(people, batches, (batch) => sendPeople(http, batch, signal), toAmbiguous);
}

/** https://developers.hubspot.com/docs/api-reference/crm-contacts-v3/guide, "Upsert contacts" and "Update contacts". */
async function sendPeople(
  http: CrmHttpClient,
  batch: readonly CrmWrite[],
  signal?: AbortSignal,
): Promise<BatchOutcome<CrmWritten>> {
  const isMaking = batch[0]?.externalId === null;
  const inputs = batch.map((person, at) => ({
    ...(isMaking ? { id: person.email, idProperty: 'email' } : { id: person.externalId }),
    properties: getProperties(person),
    objectWriteTraceId: String(at),
  }));
  const path = `/crm/v3/objects/contacts/batch/${isMaking ? 'upsert' : 'update'}`;
  const answer = await http.send({ method: 'POST', path, body: { inputs }, takes: REFUSED }, signal);
  const sentence = (text: string): string => http.sentence(text);
  const faults = listAnswerFaults(answer);
  if (REFUSED.includes(answer.status)) return toRefusedBatch(batch, faults, sentence);
  const results = listResults(answer);
  return batch.map((person, at) => {
    const trace = String(at);
    const result = results.get(trace) ?? results.get(`id:${person.externalId ?? ''}`);
    if (result) return toWritten(person, result);
    const own = faults.filter(({ about }) => about.includes(trace) || about.includes(person.externalId ?? trace));
    return own.length > 0 ? toHubSpotRefusal(person.key, own, sentence) : toAmbiguous(person, NO_RESULT);
  });
}

/** A missing property is the fault of the items that contain it; other faults cannot be assigned to an item. */
function toRefusedBatch(
  batch: readonly CrmWrite[],
  faults: readonly HubSpotFault[],
  sentence: (text: string) => string,
): BatchOutcome<CrmWritten> {
  const outcome = batch.map(({ key, fields }) => {
    const missing = faults.find(
      ({ code, property }) => code === 'PROPERTY_DOESNT_EXIST' && property !== null && Object.hasOwn(fields, property),
    );
    return missing ? toHubSpotRefusal(key, [missing], sentence) : 'again';
  });
  if (outcome.some((one) => one !== 'again')) return outcome;
  const [only, ...others] = batch;
  return only && others.length === 0 ? [toHubSpotRefusal(only.key, faults, sentence)] : 'refused';
}

function toWritten({ key, externalId }: CrmWrite, result: JsonRecord): CrmWritten {
  const kind = externalId !== null ? 'updated' : result['new'] === true ? 'created' : 'merged';
  return { key, kind, externalId: toText(result['id']) ?? externalId ?? '', updatedAt: parseDate(result['updatedAt']) };
}

/** https://developers.hubspot.com/docs/api-reference/crm-notes-v3/guide and crm-emails-v3/guide: one batch for each kind. */
export function recordActivities(
  http: CrmHttpClient,
  activities: readonly CrmActivity[],
  size: number,
  signal?: AbortSignal,
): Promise<CrmRecorded[]> {
  const batches = (['email', 'note'] as const)
    .map((kind) => activities.filter((activity) => activity.kind === kind))
    .flatMap((group) => toChunks(group, size));
  return writeDivided(activities, batches, (batch) => sendActivities(http, batch, signal), toAmbiguous);
}

async function sendActivities(
  http: CrmHttpClient,
  batch: readonly CrmActivity[],
  signal?: AbortSignal,
): Promise<BatchOutcome<CrmRecorded>> {
  const inputs = batch.map((activity, at) => ({ ...toEngagement(activity), objectWriteTraceId: String(at) }));
  const path = `/crm/v3/objects/${batch[0]?.kind === 'email' ? 'emails' : 'notes'}/batch/create`;
  const answer = await http.send({ method: 'POST', path, body: { inputs }, takes: REFUSED }, signal);
  const faults = listAnswerFaults(answer);
  const refused = (activity: CrmActivity, own: readonly HubSpotFault[]): CrmRecorded => {
    const message = http.sentence(own[0]?.message ?? '');
    const isDeleted = answer.status === 404 || own.some((fault) => isAboutPerson(fault, activity));
    return { key: activity.key, kind: 'refused', reason: isDeleted ? 'gone' : 'invalid', message };
  };
  if (REFUSED.includes(answer.status)) {
    const [only, ...others] = batch;
    return only && others.length === 0 ? [refused(only, faults)] : 'refused';
  }
  const results = listResults(answer);
  return batch.map((activity, at) => {
    const activityId = toText(results.get(String(at))?.['id']);
    if (activityId !== null) return { key: activity.key, kind: 'recorded', activityId };
    const own = faults.filter(({ about }) => about.includes(String(at)));
    return own.length > 0 ? refused(activity, own) : toAmbiguous(activity, NO_RESULT);
  });
}

function isAboutPerson({ code, message, about }: HubSpotFault, { externalId }: CrmActivity): boolean {
  return code === 'OBJECT_NOT_FOUND' || about.includes(externalId) || message.includes(externalId);
}

function listAnswerFaults({ status, json }: CrmAnswer): HubSpotFault[] {
  if (status === 207) return toRecords(toRecord(json)['errors']).flatMap((error) => parseSubject(error));
  return REFUSED.includes(status)
    ? getHubSpotFaults(json).map((fault) => (status === 404 ? toMissingContact(fault) : fault))
    : [];
}

/** HubSpot may report several errors for one record; all of them apply to it. */
function parseSubject(error: JsonRecord): HubSpotFault[] {
  const faults = getHubSpotFaults(error);
  const about = getHubSpotFaults({ context: error['context'], category: error['category'] }).flatMap(
    (fault) => fault.about,
  );
  return faults.map((fault) => ({ ...fault, about: [...fault.about, ...about] }));
}

function toMissingContact(fault: HubSpotFault): HubSpotFault {
  return { ...fault, code: 'OBJECT_NOT_FOUND' };
}

/** The records of a response by their trace id, or by their record id where no trace id is returned. */
function listResults({ json }: CrmAnswer): ReadonlyMap<string, JsonRecord> {
  const results = toRecords(toRecord(json)['results']);
  return new Map(
    results.flatMap((result) => {
      const trace = toText(result['objectWriteTraceId']);
      const byId: [string, JsonRecord] = [`id:${toText(result['id']) ?? ''}`, result];
      return trace === null ? [byId] : [byId, [trace, result] as [string, JsonRecord]];
    }),
  );
}

/** The first occurrence of each person, then the second of repeated people, and so on. */
function splitDuplicates<T>(items: readonly T[], nameOf: (item: T) => string | null): T[][] {
  const groups: T[][] = [];
  const counts = new Map<string | null, number>();
  for (const item of items) {
    const name = nameOf(item);
    const nth = counts.get(name) ?? 0;
    counts.set(name, nth + 1);
    (groups[nth] ??= []).push(item);
  }
  return groups;
}

function toAmbiguous({ key }: { readonly key: string }, message: string) {
  return { key, kind: 'ambiguous' as const, message };
}
