import { PERSON_FIELDS } from '@domain/campaigns';
import { Readable } from 'node:stream';
import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { stringify } from 'csv-stringify';
import { type LeadExportQuery } from './dto/lead-requests.dto';
import { LeadCampaignService } from './lead-campaign.service';
import { leadFilter } from './lead.filter';
import { LeadWalkRepository } from './lead-walk.repository';
import { type LeadRecord } from './schemas/lead.record';

/** Leads that are in memory at once. */
const BATCH = 500;

/** Columns and how they are read. Variables are one column, as JSON: there is no end of names. */
const COLUMNS: Record<string, (lead: LeadRecord) => string | number | null> = {
  _id: ({ _id }) => _id.toHexString(),
  email: ({ email }) => email,
  ...Object.fromEntries(PERSON_FIELDS.map((field) => [field, (lead: LeadRecord) => lead[field]])),
  timezone: ({ timezone }) => timezone,
  status: ({ status }) => status,
  stopReason: ({ stopReason }) => stopReason,
  resumeAt: ({ resumeAt }) => textOf(resumeAt),
  mailboxId: ({ mailboxId }) => mailboxId?.toHexString() ?? null,
  dueAt: ({ dueAt }) => textOf(dueAt),
  sentCount: ({ sentCount }) => sentCount,
  lastSentAt: ({ lastSentAt }) => textOf(lastSentAt),
  createdAt: ({ createdAt }) => textOf(createdAt),
  variables: ({ variables }) => JSON.stringify(variables),
};

/** All leads of a campaign as CSV. */
@Injectable()
export class LeadExportService {
  constructor(
    private readonly campaigns: LeadCampaignService,
    private readonly walk: LeadWalkRepository,
  ) {}

  /**
   * A stream of CSV (RFC 4180, UTF-8, header first), newest lead first; read from the database as fast as it is taken. A cell
   * that a spreadsheet would take for a formula begins with an apostrophe.
   * @throws NOT_FOUND for the campaign, before anything is written
   */
  async stream(workspace: WorkspaceScope, campaignId: string, query: LeadExportQuery): Promise<Readable> {
    const campaign = await this.campaigns.find(workspace, campaignId);
    const sequence = await this.campaigns.sequence(campaign);
    const filter = {
      workspaceId: campaign.workspaceId,
      campaignId: campaign._id,
      ...leadFilter(query, sequence?.steps[0]?._id.toHexString() ?? null),
    };
    const csv = stringify({
      header: true,
      columns: Object.keys(COLUMNS),
      escape_formulas: true,
      record_delimiter: 'windows',
    });
    return Readable.from(this.#rows(filter)).compose(csv) as Readable;
  }

  async *#rows(filter: Record<string, unknown>): AsyncGenerator<(string | number | null)[]> {
    for await (const batch of this.walk.batches(filter, BATCH)) {
      for (const lead of batch) yield Object.values(COLUMNS).map((read) => read(lead as LeadRecord));
    }
  }
}

function textOf(date: Date | null): string | null {
  return date?.toISOString() ?? null;
}
