import { type WorkspaceScope } from '@domain/access';
import {
  CheckMailboxHealthRequest,
  HEALTH_EXAMPLES,
  HealthEntryResponse,
  HealthReportResponse,
  MailboxHealthResponse,
  MailboxHealthService,
} from '@domain/deliverability';
import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Page } from '@platform/database';
import { PageQuery } from '@platform/validation';
import { Access, Example, Returns, Scope, Summary } from '../http';

@Controller('mailboxes/:mailboxId/health')
@ApiTags('Deliverability')
export class MailboxHealthController {
  constructor(private readonly healths: MailboxHealthService) {}

  @Get()
  @Summary('Reads the health of a mailbox: DNS records of its domain, its warmup, and its delivery figures.')
  @Access('read', { bearer: true })
  @Returns(200, MailboxHealthResponse)
  get(@Scope() workspace: WorkspaceScope, @Param('mailboxId') mailboxId: string): Promise<MailboxHealthResponse> {
    return this.healths.get(workspace, mailboxId);
  }

  @Post('check')
  @Summary('Checks the DNS records of its domain now. A result of the last ten seconds is returned instead.')
  @Example(CheckMailboxHealthRequest, HEALTH_EXAMPLES.check)
  @Access('write')
  @Returns(200, HealthReportResponse)
  check(
    @Scope() workspace: WorkspaceScope,
    @Param('mailboxId') mailboxId: string,
    @Body() body: CheckMailboxHealthRequest,
  ): Promise<HealthReportResponse> {
    return this.healths.check(workspace, mailboxId, body);
  }

  @Get('report')
  @Summary('Reads the full report of the last check, with the changes to make.')
  @Access('read')
  @Returns(200, HealthReportResponse)
  report(@Scope() workspace: WorkspaceScope, @Param('mailboxId') mailboxId: string): Promise<HealthReportResponse> {
    return this.healths.getReport(workspace, mailboxId);
  }

  @Get('history')
  @Summary('Lists the health history of its domain for 90 days, latest first: an entry per change, and one a day.')
  @Access('read')
  @Returns(200, HealthEntryResponse, 'page')
  history(
    @Scope() workspace: WorkspaceScope,
    @Param('mailboxId') mailboxId: string,
    @Query() query: PageQuery,
  ): Promise<Page<HealthEntryResponse>> {
    return this.healths.listHistory(workspace, mailboxId, query);
  }
}
