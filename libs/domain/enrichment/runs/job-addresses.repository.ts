import { type WorkspaceScope } from '@domain/access';
import { LeadRepository } from '@domain/leads';
import { Injectable } from '@nestjs/common';
import { invalidField } from '@platform/errors';
import { comparableEmailAddress } from '@platform/validation';
import { type Types } from 'mongoose';
import { type CreateEnrichmentJobRequest, MAX_ITEMS } from '../dto/enrichment-job-requests.dto';
import { type NewItem } from './loose-items.repository';

/** What a job is to be about. */
export interface ChosenAddresses {
  readonly campaignId: Types.ObjectId | null;
  /** Each address once. */
  readonly items: readonly NewItem[];
  /** How many were left out since they were there already. */
  readonly duplicates: number;
}

/** The addresses that a request names. */
@Injectable()
export class JobAddressesRepository {
  constructor(private readonly leads: LeadRepository) {}

  /** @throws VALIDATION_ERROR unless there is one source, and 1 to MAX_ITEMS addresses come from it */
  async choose(workspace: WorkspaceScope, request: CreateEnrichmentJobRequest): Promise<ChosenAddresses> {
    const { emails, campaignId, filters } = request;
    const one = 'Either emails or campaignId must be provided';
    if (emails !== undefined) {
      if (campaignId !== undefined) throw invalidField('campaignId', `${one}, not both`);
      if (filters !== undefined) throw invalidField('filters', 'filters can be given with campaignId only');
      return onceEach(emails);
    }
    if (campaignId === undefined) throw invalidField('emails', one);
    return this.#ofCampaign(workspace, campaignId, filters ?? {});
  }

  async #ofCampaign(
    workspace: WorkspaceScope,
    campaignId: string,
    filters: NonNullable<CreateEnrichmentJobRequest['filters']>,
  ): Promise<ChosenAddresses> {
    const found = await this.leads.listAddresses(workspace, campaignId, filters, MAX_ITEMS + 1);
    if (!found) throw invalidField('campaignId', 'campaignId is not a campaign of this workspace');
    const { leads } = found;
    if (leads.length === 0) throw invalidField('campaignId', 'No lead of this campaign is asked for');
    if (leads.length > MAX_ITEMS) {
      throw invalidField('filters', `A job has ${MAX_ITEMS} leads at most, and more are asked for; narrow them down`);
    }
    // Leads have their address in its normal form, and a campaign has it once.
    const items = leads.map(({ _id, email }) => ({ email, address: email, leadId: _id }));
    return { campaignId: found.campaignId, items, duplicates: 0 };
  }
}

/** Each address once, as it was given first; where it was also given without blanks around it, as that: with them it is none. Pure. */
export function onceEach(emails: readonly string[]): ChosenAddresses {
  const items = new Map<string, NewItem>();
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
