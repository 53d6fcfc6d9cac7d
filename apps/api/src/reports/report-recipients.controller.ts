import { type WorkspaceScope } from '@domain/access';
import {
  CreateReportRecipientRequest,
  ReportRecipientsService,
  REPORT_EXAMPLES,
  ReportScheduleService,
  ReportRecipientResponse,
  ReportResponse,
  UpdateReportRecipientRequest,
} from '@domain/reports';
import { MessageResponse } from '@domain/identity';
import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Page } from '@platform/database';
import { PageQuery, SearchPageQuery } from '@platform/validation';
import { Access, Example, Returns, Scope, Summary } from '../http';

/** Readers of the workspace see the recipients; only admins change them. */
@Controller('reports/recipients')
@ApiTags('Reports')
export class ReportRecipientsController {
  constructor(
    private readonly recipients: ReportRecipientsService,
    private readonly schedule: ReportScheduleService,
  ) {}

  @Post()
  @Summary('Adds a recipient, who gets reports by schedule.')
  @Example(CreateReportRecipientRequest, REPORT_EXAMPLES.create)
  @Access('admin')
  @Returns(201, ReportRecipientResponse)
  create(
    @Scope() workspace: WorkspaceScope,
    @Body() body: CreateReportRecipientRequest,
  ): Promise<ReportRecipientResponse> {
    return this.recipients.create(workspace, body);
  }

  @Get()
  @Summary('Lists recipients of reports, newest first; the search matches name, address and company.')
  @Access('read')
  @Returns(200, ReportRecipientResponse, 'page')
  list(@Scope() workspace: WorkspaceScope, @Query() query: SearchPageQuery): Promise<Page<ReportRecipientResponse>> {
    return this.recipients.list(workspace, query);
  }

  @Get(':recipientId')
  @Summary('Reads a recipient of reports.')
  @Access('read')
  @Returns(200, ReportRecipientResponse)
  get(@Scope() workspace: WorkspaceScope, @Param('recipientId') recipientId: string): Promise<ReportRecipientResponse> {
    return this.recipients.get(workspace, recipientId);
  }

  @Patch(':recipientId')
  @Summary('Changes, deactivates or activates a recipient.')
  @Example(UpdateReportRecipientRequest, REPORT_EXAMPLES.update)
  @Access('admin')
  @Returns(200, ReportRecipientResponse)
  update(
    @Scope() workspace: WorkspaceScope,
    @Param('recipientId') recipientId: string,
    @Body() body: UpdateReportRecipientRequest,
  ): Promise<ReportRecipientResponse> {
    return this.recipients.update(workspace, recipientId, body);
  }

  @Delete(':recipientId')
  @Summary('Permanently deletes a recipient and the records of their reports; no more reports are sent to them.')
  @Access('admin')
  @Returns(200, MessageResponse)
  delete(@Scope() workspace: WorkspaceScope, @Param('recipientId') recipientId: string): Promise<MessageResponse> {
    return this.recipients.delete(workspace, recipientId);
  }

  @Post(':recipientId/send-now')
  @Summary('Sends a report about the days up to now, in addition to the schedule; one at a time.')
  @Access('admin')
  @Returns(202, ReportResponse)
  sendNow(@Scope() workspace: WorkspaceScope, @Param('recipientId') recipientId: string): Promise<ReportResponse> {
    return this.schedule.sendNow(workspace, recipientId);
  }

  @Get(':recipientId/reports')
  @Summary('Lists sent and planned reports of a recipient of the last 400 days, newest first.')
  @Access('read')
  @Returns(200, ReportResponse, 'page')
  reports(
    @Scope() workspace: WorkspaceScope,
    @Param('recipientId') recipientId: string,
    @Query() query: PageQuery,
  ): Promise<Page<ReportResponse>> {
    return this.recipients.listReports(workspace, recipientId, query);
  }
}
