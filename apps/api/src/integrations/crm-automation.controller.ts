import { type WorkspaceScope } from '@domain/access';
import {
  ActivityBackfillResponse,
  CrmActivityBackfillService,
  BackfillActivitiesRequest,
  CRM_AUTOMATION_EXAMPLES,
  CrmActivitiesService,
  CrmActivityQuery,
  CrmActivityResponse,
  CrmAutomationResponse,
  CrmAutomationService,
  SetCrmAutomationRequest,
} from '@domain/crm';
import { Body, Controller, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Page } from '@platform/database';
import { Access, Example, Returns, Scope, Summary } from '../http';

@Controller('integrations/crm/:type')
@ApiTags('Integrations')
export class CrmAutomationController {
  constructor(
    private readonly automations: CrmAutomationService,
    private readonly activities: CrmActivitiesService,
    private readonly backfills: CrmActivityBackfillService,
  ) {}

  @Get('automation')
  @Summary('Returns the automation of a CRM: activities, and scheduled pulls and pushes.')
  @Access('read')
  @Returns(200, CrmAutomationResponse)
  get(@Scope() workspace: WorkspaceScope, @Param('type') type: string): Promise<CrmAutomationResponse> {
    return this.automations.get(workspace, type);
  }

  @Put('automation')
  @Summary('Replaces the automation of a CRM; omitted settings are off.')
  @Example(SetCrmAutomationRequest, CRM_AUTOMATION_EXAMPLES.set)
  @Access('admin')
  @Returns(200, CrmAutomationResponse)
  set(
    @Scope() workspace: WorkspaceScope,
    @Param('type') type: string,
    @Body() body: SetCrmAutomationRequest,
  ): Promise<CrmAutomationResponse> {
    return this.automations.set(workspace, type, body);
  }

  @Get('activities')
  @Summary('Lists the activities posted to a CRM in the last 30 days, newest first.')
  @Access('read')
  @Returns(200, CrmActivityResponse, 'page')
  list(
    @Scope() workspace: WorkspaceScope,
    @Param('type') type: string,
    @Query() query: CrmActivityQuery,
  ): Promise<Page<CrmActivityResponse>> {
    return this.activities.list(workspace, type, query);
  }

  @Post('activities/backfill')
  @Summary('Posts past activities to a CRM, each event once.')
  @Example(BackfillActivitiesRequest, CRM_AUTOMATION_EXAMPLES.backfill)
  @Access('admin')
  @Returns(202, ActivityBackfillResponse)
  backfill(
    @Scope() workspace: WorkspaceScope,
    @Param('type') type: string,
    @Body() body: BackfillActivitiesRequest,
  ): Promise<ActivityBackfillResponse> {
    return this.backfills.start(workspace, type, body);
  }
}
