import { type CrmPerson, type CrmValue } from '../port/crm-person';
import { type CrmActivity, type CrmFilter, type CrmWrite } from '../port/crm-session';
import { parseDate, type JsonRecord, toRecord, toText } from '../http/crm-response';

const OWNER = 'hubspot_owner_id';
/** Opted out of all email (https://developers.hubspot.com/docs/api-reference/crm-contacts-v3/guide). */
const OPTED_OUT = 'hs_email_optout';
const OTHER_EMAILS = 'hs_additional_emails';

/** Properties read for every person in addition to the requested ones. */
const OWN = ['email', OTHER_EMAILS, OWNER, OPTED_OUT];

/** Types of associations with a contact (https://developers.hubspot.com/docs/api-reference/crm-associations-v4/guide, "Note to object", "Email to object"). */
const NOTE_TO_CONTACT = 202;
const EMAIL_TO_CONTACT = 198;

export function listProperties(fields: readonly string[], filter: CrmFilter = {}): string[] {
  return [...new Set([...OWN, ...fields, ...Object.keys(filter.fields ?? {})])];
}

/** @returns null for an invalid contact */
export function toHubSpotPerson(record: JsonRecord, fields: readonly string[]): CrmPerson | null {
  const id = toText(record['id']);
  if (id === null) return null;
  const properties = toRecord(record['properties']);
  const createdAt = parseDate(record['createdAt']);
  const others = (toText(properties[OTHER_EMAILS]) ?? '').split(';');
  return {
    externalId: id,
    emails: [toText(properties['email']) ?? '', ...others].map((email) => email.trim()).filter((email) => email !== ''),
    fields: Object.fromEntries(fields.map((name) => [name, toText(properties[name])])),
    ownerId: toText(properties[OWNER]),
    isOptedOut: properties[OPTED_OUT] === 'true',
    createdAt,
    updatedAt: parseDate(record['updatedAt']) ?? createdAt ?? new Date(0),
  };
}

/** Conditions that exceed one filter group of a search, and all conditions for members of a list. */
export function matchesHubSpotFilter(record: JsonRecord, { updatedSince, ownerId, fields = {} }: CrmFilter): boolean {
  const properties = toRecord(record['properties']);
  const updatedAt = parseDate(record['updatedAt']);
  if (updatedSince !== undefined && (updatedAt === null || updatedAt < updatedSince)) return false;
  if (ownerId !== undefined && properties[OWNER] !== ownerId) return false;
  return Object.entries(fields).every(([name, values]) => {
    const value = toText(properties[name])?.toLowerCase();
    return value !== undefined && values.some((one) => one.toLowerCase() === value);
  });
}

/** Properties of a write, all as text; an empty text clears the property. */
export function getProperties({ fields, ownerId }: CrmWrite): Record<string, string> {
  const properties = Object.entries(fields).map(([name, value]): [string, string] => [name, toPropertyText(value)]);
  return Object.fromEntries(ownerId === undefined ? properties : [...properties, [OWNER, ownerId]]);
}

function toPropertyText(value: CrmValue): string {
  if (value === null) return '';
  return typeof value === 'object' ? value.join(';') : String(value);
}

/** One input of `POST /crm/v3/objects/notes|emails/batch/create`. */
export function toEngagement(activity: CrmActivity): JsonRecord {
  const isEmail = activity.kind === 'email';
  const type = isEmail ? EMAIL_TO_CONTACT : NOTE_TO_CONTACT;
  return {
    properties: isEmail ? toEmailProperties(activity) : toNoteProperties(activity),
    associations: [
      {
        to: { id: activity.externalId },
        types: [{ associationCategory: 'HUBSPOT_DEFINED', associationTypeId: type }],
      },
    ],
  };
}

function toEmailProperties({ at, direction, title, body }: CrmActivity): JsonRecord {
  return {
    hs_timestamp: at.toISOString(),
    hs_email_direction: direction === 'incoming' ? 'INCOMING_EMAIL' : 'EMAIL',
    hs_email_status: 'SENT',
    hs_email_subject: title,
    hs_email_text: body,
  };
}

/** Notes are HTML. */
function toNoteProperties({ at, title, body }: CrmActivity): JsonRecord {
  const text = escapeHtml(body).replaceAll(/\r?\n/g, '<br>');
  return { hs_timestamp: at.toISOString(), hs_note_body: `<strong>${escapeHtml(title)}</strong><br>${text}` };
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
