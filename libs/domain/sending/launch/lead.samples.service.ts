import { LEAD_VARIABLES } from '@domain/campaigns';
import { LeadRecord } from '@domain/leads';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type Types } from 'mongoose';
import { emailVariables } from '../render/email.variables';

export interface LeadSample {
  /** Leads that were looked at. */
  readonly size: number;
  /** By placeholder: how many of them have no value for it. */
  readonly lacking: ReadonlyMap<string, number>;
}

/** Active leads that are looked at, the oldest: enough to find what is missing from an import, whatever its size. */
const SAMPLED = 1_000;
/** Read at a time: a lead may have 100 kB of variables. */
const BATCH = 100;

const LEAD_FIELDS: readonly string[] = LEAD_VARIABLES;
const NO_SENDER = { email: '', displayName: '', unsubscribeUrl: '', signature: () => '' };

/** Looks at some leads of a campaign, to tell something about all of them. */
@Injectable()
export class LeadSamples {
  constructor(@InjectModel(LeadRecord.name) private readonly leads: Model<LeadRecord>) {}

  /** @param names placeholders; with none, no lead is read */
  async lacking(
    { workspaceId, campaignId }: { workspaceId: Types.ObjectId; campaignId: Types.ObjectId },
    names: readonly string[],
  ): Promise<LeadSample> {
    const lacking = new Map(names.map((name) => [name, 0]));
    if (names.length === 0) return { size: 0, lacking };
    let size = 0;
    const leads = this.leads
      .find({ workspaceId, campaignId, status: 'active' }, projectionOf(names))
      .sort({ createdAt: 1, _id: 1 })
      .limit(SAMPLED)
      .lean<LeadRecord>()
      .cursor({ batchSize: BATCH });
    for await (const lead of leads) {
      size += 1;
      const valueOf = emailVariables(lead, NO_SENDER);
      for (const name of names) if (!valueOf(name)?.trim()) lacking.set(name, (lacking.get(name) ?? 0) + 1);
    }
    return { size, lacking };
  }
}

function projectionOf(names: readonly string[]): Record<string, 1> {
  // A name with a dot would be taken for a path.
  const whole = names.some((name) => name.includes('.'));
  const fields = names.filter((name) => LEAD_FIELDS.includes(name));
  const variables = whole ? ['variables'] : names.map((name) => `variables.${name}`);
  return Object.fromEntries(['email', ...fields, ...variables].map((field) => [field, 1] as const));
}
