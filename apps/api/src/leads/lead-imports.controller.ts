import { type WorkspaceScope } from '@domain/access';
import { ImportLeadsQuery, LeadImportQuery, LeadImportResponse, LeadImportsService } from '@domain/leads';
import { Controller, Get, Param, Post, Query, type StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Page } from '@platform/database';
import { Access, getFile, Returns, ReturnsFile, Scope, Summary, Upload, UploadedFile } from '../http';

@Controller('campaigns/:campaignId/leads')
@ApiTags('Campaign leads')
export class LeadImportsController {
  constructor(private readonly imports: LeadImportsService) {}

  @Post('import')
  @Summary('Imports leads from a CSV file: checks the columns at once, and the rows in a job with visible progress.')
  @Upload('text/csv', {
    limitMegabytes: 100,
    about: 'The CSV file: UTF-8, UTF-16 with a byte order mark, or Windows-1252. At most 100 MB and 200 columns.',
  })
  @Access('write')
  @Returns(202, LeadImportResponse)
  import(
    @Scope() workspace: WorkspaceScope,
    @Param('campaignId') campaignId: string,
    @Query() query: ImportLeadsQuery,
    @UploadedFile() file: AsyncIterable<Uint8Array>,
  ): Promise<LeadImportResponse> {
    return this.imports.receive(workspace, campaignId, query, file);
  }

  @Get('imports')
  @Summary('Lists the imports of a campaign, newest first.')
  @Access('read')
  @Returns(200, LeadImportResponse, 'page')
  list(
    @Scope() workspace: WorkspaceScope,
    @Param('campaignId') campaignId: string,
    @Query() query: LeadImportQuery,
  ): Promise<Page<LeadImportResponse>> {
    return this.imports.list(workspace, campaignId, query);
  }

  @Get('imports/:importId')
  @Summary('Reads an import: its progress, and the outcome of its rows.')
  @Access('read')
  @Returns(200, LeadImportResponse)
  get(
    @Scope() workspace: WorkspaceScope,
    @Param('campaignId') campaignId: string,
    @Param('importId') importId: string,
  ): Promise<LeadImportResponse> {
    return this.imports.get(workspace, campaignId, importId);
  }

  @Post('imports/:importId/cancel')
  @Summary('Cancels an import: no more leads are created after the response; existing leads remain.')
  @Access('write')
  @Returns(200, LeadImportResponse)
  cancel(
    @Scope() workspace: WorkspaceScope,
    @Param('campaignId') campaignId: string,
    @Param('importId') importId: string,
  ): Promise<LeadImportResponse> {
    return this.imports.cancel(workspace, campaignId, importId);
  }

  @Get('imports/:importId/refused')
  @Summary('Downloads the rejected rows with number and reason; kept for 30 days.')
  @Access('read')
  @ReturnsFile(['text/csv'], 'CSV: importRow, importReason and importDetail, then the columns of the file.')
  async refused(
    @Scope() workspace: WorkspaceScope,
    @Param('campaignId') campaignId: string,
    @Param('importId') importId: string,
  ): Promise<StreamableFile> {
    const csv = await this.imports.refused(workspace, campaignId, importId);
    return getFile(csv, 'text/csv; charset=utf-8', 'refused-rows.csv');
  }
}
