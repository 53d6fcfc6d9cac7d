import { type WorkspaceScope } from '@domain/access';
import { type LeadRepository } from '@domain/leads';
import { invalidField } from '@platform/errors';
import { comparableEmailAddress } from '@platform/validation';
import { type Types } from 'mongoose';
import { type CreateEnrichmentJobRequest, MAX_ITEMS } from '../dto/enrichment-job-requests.dto';
import { type EnrichmentItemInput } from '../runs/enrichment-item.repository';

/** The addresses of a new job. */
export interface ChosenAddresses {
  readonly campaignId: Types.ObjectId | null;
  /** Each address once. */
  readonly items: readonly EnrichmentItemInput[];
  /** Number of addresses that were left out as repetitions. */
  readonly duplicates: number;
}

/**
 * Returns the addresses that a request names: a list, or those of the leads of a campaign.
 * @throws VALIDATION_ERROR unless the request has exactly one source with 1 to MAX_ITEMS addresses
 */
export async function chooseAddresses(
  leads: LeadRepository,
  workspace: WorkspaceScope,
  request: CreateEnrichmentJobRequest,
): Promise<ChosenAddresses> {
  const { emails, campaignId, filters } = request;
  const rule = 'Either emails or campaignId must be provided';
  if (emails !== undefined) {
    if (campaignId !== undefined) throw invalidField('campaignId', `${rule}, not both`);
    if (filters !== undefined) throw invalidField('filters', 'filters can be given with campaignId only');
    return removeDuplicates(emails);
  }
  if (campaignId === undefined) throw invalidField('emails', rule);
  return chooseLeadAddresses(leads, workspace, campaignId, filters ?? {});
}

async function chooseLeadAddresses(
  repository: LeadRepository,
  workspace: WorkspaceScope,
  campaignId: string,
  filters: NonNullable<CreateEnrichmentJobRequest['filters']>,
): Promise<ChosenAddresses> {
  const found = await repository.listAddresses(workspace, campaignId, filters, MAX_ITEMS + 1);
  if (!found) throw invalidField('campaignId', 'campaignId is not a campaign of this workspace');
  const { leads } = found;
  if (leads.length === 0) throw invalidField('campaignId', 'No lead of this campaign matches');
  if (leads.length > MAX_ITEMS) {
    throw invalidField('filters', `A job has ${MAX_ITEMS} leads at most, and more of them match; narrow the filters`);
  }
  // The address of a lead is stored in its normal form, and a campaign has each address once.
  const items = leads.map(({ _id, email }) => ({ email, address: email, leadId: _id }));
  return { campaignId: found.campaignId, items, duplicates: 0 };
}

/**
 * Removes repeated addresses. The first spelling counts, except that one without surrounding blanks is preferred: with blanks
 * the text is no valid address. Pure.
 */
export function removeDuplicates(emails: readonly string[]): ChosenAddresses {
  const items = new Map<string, EnrichmentItemInput>();
  for (const email of emails) {
    const address = comparableEmailAddress(email);
    const before = items.get(address);
    if (!before || (isPadded(before.email) && !isPadded(email))) items.set(address, { email, address, leadId: null });
  }
  return { campaignId: null, items: [...items.values()], duplicates: emails.length - items.size };
}

function isPadded(text: string): boolean {
  return text !== text.trim();
}
