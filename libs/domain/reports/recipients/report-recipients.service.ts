import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Page, PageService, searchFilter } from '@platform/database';
import { type PageQuery, type SearchPageQuery } from '@platform/validation';
import { type Model } from 'mongoose';
import { type ReportRecipientResponse, toReportRecipient } from '../dto/report-recipient.dto';
import { type ReportResponse, toReport } from '../dto/report.dto';
import { ReportRecipientRecord } from '../schemas/report-recipient.record';
import { ReportRecord } from '../schemas/report.record';
import { requireRecipient } from './recipient-lookup';

/** Recipients of reports as their users see them, and what was sent to each. */
@Injectable()
export class ReportRecipientsService {
  constructor(
    @InjectModel(ReportRecipientRecord.name) private readonly recipients: Model<ReportRecipientRecord>,
    @InjectModel(ReportRecord.name) private readonly reports: Model<ReportRecord>,
    private readonly pages: PageService,
  ) {}

  /** Newest first; the search looks at name, address and company. */
  async list(workspace: WorkspaceScope, query: SearchPageQuery): Promise<Page<ReportRecipientResponse>> {
    const { workspaceId } = workspace;
    const { limit, cursor, search } = query;
    const filter = { workspaceId, ...searchFilter(search, ['name', 'email', 'company']) };
    return this.pages.read(this.recipients, { scope: workspaceId, filter, page: { limit, cursor } }, toReportRecipient);
  }

  /** @throws NOT_FOUND */
  async get(workspace: WorkspaceScope, recipientId: string): Promise<ReportRecipientResponse> {
    return toReportRecipient(await requireRecipient(this.recipients, workspace, recipientId));
  }

  /** What was sent and what is to be, newest first; for 400 days. @throws NOT_FOUND */
  async listReports(
    workspace: WorkspaceScope,
    recipientId: string,
    { limit, cursor }: PageQuery,
  ): Promise<Page<ReportResponse>> {
    const { _id } = await requireRecipient(this.recipients, workspace, recipientId);
    const { workspaceId } = workspace;
    const filter = { workspaceId, recipientId: _id };
    return this.pages.read(this.reports, { scope: workspaceId, filter, page: { limit, cursor } }, toReport);
  }
}
