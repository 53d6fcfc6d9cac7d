import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { ReportContentService } from './report-content.service';
import { type ReportScope } from './report-shape';
import { type ReportPreviewQuery } from '../dto/report-preview-query.dto';
import { RecipientCampaignsListener } from '../recipients/recipient-campaigns.listener';
import { requireFittingCampaigns } from '../recipients/recipient-settings';
import { getPeriodBefore } from '../schedule/report-schedule';
import { inlineImages } from '../preview/inline-images';

/** A page or a text to look at. */
export interface PreviewFile {
  readonly content: Buffer;
  readonly contentType: string;
}

/** Nobody in particular is greeted. */
const READER = { name: 'there' };

/** Reports as they would be sent now, made the same way. */
@Injectable()
export class ReportPreviewsService {
  constructor(
    private readonly contents: ReportContentService,
    private readonly campaigns: RecipientCampaignsListener,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Of the HTML the pictures are in the page itself: it loads nothing.
   * @throws VALIDATION_ERROR for campaigns that do not fit the type or are not the workspace's, SERVICE_UNAVAILABLE
   */
  async preview(workspace: WorkspaceScope, query: ReportPreviewQuery): Promise<PreviewFile> {
    const { frequency = 'weekly', timezone = 'UTC', format = 'html' } = query;
    const scope = await this.#scope(workspace, query);
    const now = this.clock.now();
    const report = await this.contents.render(scope, getPeriodBefore(now, frequency, timezone), READER, now);
    return format === 'text'
      ? { content: Buffer.from(report.text), contentType: 'text/plain; charset=utf-8' }
      : { content: Buffer.from(inlineImages(report)), contentType: 'text/html; charset=utf-8' };
  }

  async #scope(workspace: WorkspaceScope, query: ReportPreviewQuery): Promise<ReportScope> {
    const { reportType = 'workspace', campaignIds = '' } = query;
    const asked = [...new Set(campaignIds.split(',').map((id) => id.trim().toLowerCase()))].filter((id) => id !== '');
    requireFittingCampaigns(reportType, asked);
    const ids = await this.campaigns.require(workspace, asked);
    return { workspaceId: workspace.workspaceId, reportType, campaignIds: ids.map((id) => id.toHexString()) };
  }
}
