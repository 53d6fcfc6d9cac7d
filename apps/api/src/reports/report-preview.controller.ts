import { type WorkspaceScope } from '@domain/access';
import { ReportPreviewQuery, ReportContentService } from '@domain/reports';
import { Controller, Get, Header, Query, StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access, ReturnsFile, Scope, Summary } from '../http';

/** The page embeds its styles and pictures; it runs no scripts, loads nothing and cannot be framed. */
const POLICY = [
  "default-src 'none'",
  'img-src data:',
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  'sandbox',
].join('; ');

@Controller('reports')
@ApiTags('Reports')
export class ReportPreviewController {
  constructor(private readonly content: ReportContentService) {}

  @Get('preview')
  @Summary('Shows a report as it would be sent now: a page for the browser, or its text.')
  @Access('read')
  @Header('Content-Security-Policy', POLICY)
  @Header('Cache-Control', 'no-store')
  @ReturnsFile(['text/html', 'text/plain'], 'The report, not in the envelope; with `format=text` it is text/plain.')
  async preview(@Scope() workspace: WorkspaceScope, @Query() query: ReportPreviewQuery): Promise<StreamableFile> {
    const file = await this.content.preview(workspace, query);
    return new StreamableFile(file.content, { type: file.contentType, disposition: 'inline' });
  }
}
