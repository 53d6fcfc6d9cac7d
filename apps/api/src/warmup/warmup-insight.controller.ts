import { type WorkspaceScope } from '@domain/access';
import {
  WarmupAnalyticsService,
  WarmupActivityQuery,
  WarmupActivityResponse,
  WarmupAnalyticsQuery,
  WarmupAnalyticsResponse,
  WarmupSettingsResponse,
  WarmupsService,
} from '@domain/warmup';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Page } from '@platform/database';
import { Access, Returns, Scope, Summary } from '../http';

@Controller('warmup/:mailboxId')
@ApiTags('Warmup')
export class WarmupInsightController {
  constructor(
    private readonly warmups: WarmupsService,
    private readonly activities: WarmupAnalyticsService,
  ) {}

  @Get('settings')
  @Summary('Reads hours, languages and budget of a warmup, and the reason of a slowdown or suspension.')
  @Access('read')
  @Returns(200, WarmupSettingsResponse)
  settings(@Scope() workspace: WorkspaceScope, @Param('mailboxId') mailboxId: string): Promise<WarmupSettingsResponse> {
    return this.warmups.getSettings(workspace, mailboxId);
  }

  @Get('activity')
  @Summary('Lists the warmup emails of a mailbox, newest first: sent, received, rescued from spam, opened, answered.')
  @Access('read')
  @Returns(200, WarmupActivityResponse, 'page')
  activity(
    @Scope() workspace: WorkspaceScope,
    @Param('mailboxId') mailboxId: string,
    @Query() query: WarmupActivityQuery,
  ): Promise<Page<WarmupActivityResponse>> {
    return this.activities.listActivity(workspace, mailboxId, query);
  }

  @Get('analytics')
  @Summary('Reads the daily figures of a warmup, in its own time zone.')
  @Access('read')
  @Returns(200, WarmupAnalyticsResponse)
  analytics(
    @Scope() workspace: WorkspaceScope,
    @Param('mailboxId') mailboxId: string,
    @Query() query: WarmupAnalyticsQuery,
  ): Promise<WarmupAnalyticsResponse> {
    return this.activities.getAnalytics(workspace, mailboxId, query);
  }
}
