import { CrmError } from '../port/crm.errors';
import { toRecord, toText } from '../http/crm-response';
import { type CrmHttpClient } from '../http/crm-http.client';

const CONTACTS = '/api/v1/contact/';
/** Maximum contacts whose leads are cached. */
const MAX_CACHED = 1_000;

/** Null for an invalid contact id. */
export function getContactPath(id: string): string | null {
  return /^cont_[A-Za-z0-9]{1,80}$/.test(id) ? `${CONTACTS}${id}/` : null;
}

/** Finds the lead of a contact, because a note needs both ids. Each contact is requested once. */
export class CloseLeadLookup {
  readonly #known = new Map<string, Promise<string | null>>();

  constructor(private readonly http: CrmHttpClient) {}

  cache(contactId: string, leadId: string): void {
    this.#store(contactId, Promise.resolve(leadId));
  }

  /** Null when there is no such contact. */
  async find(contactId: string, signal?: AbortSignal): Promise<string | null> {
    const asking = this.#known.get(contactId) ?? this.#readLeadId(contactId, signal);
    this.#store(contactId, asking);
    try {
      return await asking;
    } catch (error) {
      this.#known.delete(contactId);
      throw error;
    }
  }

  async #readLeadId(contactId: string, signal?: AbortSignal): Promise<string | null> {
    const path = getContactPath(contactId);
    if (path === null) return null;
    const query = { _fields: 'id,lead_id' };
    const { status, json } = await this.http.send({ method: 'GET', path, query, takes: [404] }, signal);
    const leadId = toText(toRecord(json)['lead_id']);
    if (status !== 404 && leadId === null) throw new CrmError('protocol', 'Close returned no lead of a contact');
    return status === 404 ? null : leadId;
  }

  #store(contactId: string, leadId: Promise<string | null>): void {
    if (this.#known.size >= MAX_CACHED) this.#known.clear();
    this.#known.set(contactId, leadId);
  }
}
