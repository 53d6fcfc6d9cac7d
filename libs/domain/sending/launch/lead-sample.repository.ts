import { fitsPlace, LEAD_VARIABLES, type TemplateNeed } from '@domain/campaigns';
import { DueLeadRepository, LeadRecord } from '@domain/leads';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type Types } from 'mongoose';
import { emailVariables } from '../render/email-variables';
import { getNames, describeMissingValue } from '../render/missing-value-message';

export interface LeadSample {
  /** Number of leads in the sample. */
  readonly size: number;
  /** How many of them lack a value, by the missing value: `value for {{city}}`. */
  readonly lacking: ReadonlyMap<string, number>;
}

/** Maximum active leads in the sample, the oldest first: enough to find what is missing from an import of any size. */
const SAMPLED = 1_000;
/** Leads per read: a lead may have 100 kB of variables. */
const BATCH = 100;

const LEAD_FIELDS: readonly string[] = LEAD_VARIABLES;
const NO_SENDER = { email: '', displayName: '', unsubscribeUrl: '', signature: () => '' };

/** Reads a sample of a campaign's leads, as an estimate for all of them. */
@Injectable()
export class LeadSampleRepository {
  constructor(
    @InjectModel(LeadRecord.name) private readonly leads: Model<LeadRecord>,
    private readonly due: DueLeadRepository,
  ) {}

  /** Tells whether some leads wait for the verification of their addresses. */
  anyVerifying({ workspaceId, campaignId }: Pick<LeadRecord, 'workspaceId' | 'campaignId'>): Promise<boolean> {
    return this.due.anyVerifying(workspaceId, campaignId);
  }

  /** @param needs the values that leads must have; without any, no lead is read */
  async lacking(
    { workspaceId, campaignId }: { workspaceId: Types.ObjectId; campaignId: Types.ObjectId },
    needs: readonly TemplateNeed[],
  ): Promise<LeadSample> {
    const lacking = new Map(needs.map((need) => [describeMissingValue(need), 0]));
    if (needs.length === 0) return { size: 0, lacking };
    let size = 0;
    const leads = this.leads
      .find({ workspaceId, campaignId, status: 'active' }, toProjection(getNames(needs)))
      .sort({ createdAt: 1, _id: 1 })
      .limit(SAMPLED)
      .lean<LeadRecord>()
      .cursor({ batchSize: BATCH });
    for await (const lead of leads) {
      size += 1;
      const valueOf = emailVariables(lead, NO_SENDER);
      for (const need of needs) {
        if (!fitsPlace(need.place, valueOf(need.name)))
          lacking.set(describeMissingValue(need), (lacking.get(describeMissingValue(need)) ?? 0) + 1);
      }
    }
    return { size, lacking };
  }
}

function toProjection(names: readonly string[]): Record<string, 1> {
  // MongoDB reads a name with a dot as a path.
  const whole = names.some((name) => name.includes('.'));
  const fields = names.filter((name) => LEAD_FIELDS.includes(name));
  const variables = whole ? ['variables'] : names.map((name) => `variables.${name}`);
  return Object.fromEntries(['email', ...fields, ...variables].map((field) => [field, 1] as const));
}
