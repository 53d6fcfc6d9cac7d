import { type EnrichmentRow } from '@adapters/enrichment';
import { type LeadPerson } from '@domain/leads';
import { parseEmailAddress } from '@platform/validation';
import { type WorkItem } from '../../item-handlers/item-handler';

const COLUMNS = [
  'firstName',
  'lastName',
  'companyName',
  'jobTitle',
  'phone',
  'website',
  'linkedinUrl',
  'city',
  'country',
] as const;

/** The person of an item, or why there is none. */
export type ItemPerson =
  | { readonly kind: 'person'; readonly email: string; readonly known: LeadPerson | null }
  | { readonly kind: 'lead_gone' }
  | { readonly kind: 'invalid_address' };

/**
 * Returns the person of an item. A lead that was deleted, removed or erased since the creation of the job is skipped.
 * Pure.
 * @param known the existing leads, by id
 */
export function toItemPerson(item: WorkItem, known: ReadonlyMap<string, LeadPerson>): ItemPerson {
  const parsed = parseEmailAddress(item.email);
  if (!parsed.ok) return { kind: 'invalid_address' };
  const email = parsed.address;
  if (item.leadId === null) return { kind: 'person', email, known: null };
  const lead = known.get(item.leadId.toHexString());
  return lead?.email === email ? { kind: 'person', email, known: lead } : { kind: 'lead_gone' };
}

/** The row of an item. It has every column, so that a table gets all columns with its first row. Pure. */
export function getRow(
  item: Pick<WorkItem, '_id'>,
  { email, known }: Extract<ItemPerson, { kind: 'person' }>,
  callbackUrl: string,
): EnrichmentRow {
  const person = Object.fromEntries(COLUMNS.map((name) => [name, known?.[name] ?? '']));
  return { requestId: item._id.toHexString(), email, ...person, callbackUrl };
}
