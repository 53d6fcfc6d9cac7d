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

/** What is told of the person of an item, or why there is nobody. */
export type ItemPerson =
  | { readonly kind: 'person'; readonly email: string; readonly known: LeadPerson | null }
  | { readonly kind: 'lead_gone' }
  | { readonly kind: 'invalid_address' };

/**
 * Whom an item is about. A lead that was deleted, removed or erased since the job was made is nobody's business any more. Pure.
 * @param known the leads that are there, by id
 */
export function toPerson(item: WorkItem, known: ReadonlyMap<string, LeadPerson>): ItemPerson {
  const parsed = parseEmailAddress(item.email);
  if (!parsed.ok) return { kind: 'invalid_address' };
  const email = parsed.address;
  if (item.leadId === null) return { kind: 'person', email, known: null };
  const lead = known.get(item.leadId.toHexString());
  return lead?.email === email ? { kind: 'person', email, known: lead } : { kind: 'lead_gone' };
}

/** The row of an item: every column always, so that a table has them from its first row on. Pure. */
export function getRow(
  item: Pick<WorkItem, '_id'>,
  { email, known }: Extract<ItemPerson, { kind: 'person' }>,
  callbackUrl: string,
): EnrichmentRow {
  const person = Object.fromEntries(COLUMNS.map((name) => [name, known?.[name] ?? '']));
  return { requestId: item._id.toHexString(), email, ...person, callbackUrl };
}
