import { type WorkspaceScope } from '@domain/access';
import {
  REPORT_EXAMPLES,
  ReportSettingsService,
  ReportSettingsResponse,
  UpdateReportSettingsRequest,
} from '@domain/reports';
import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access, Example, Returns, Scope, Summary } from '../http';

@Controller('reports/settings')
@ApiTags('Reports')
export class ReportSettingsController {
  constructor(private readonly settings: ReportSettingsService) {}

  @Get()
  @Summary('Reads the sender of the workspace’s reports.')
  @Access('read')
  @Returns(200, ReportSettingsResponse)
  get(@Scope() workspace: WorkspaceScope): Promise<ReportSettingsResponse> {
    return this.settings.get(workspace);
  }

  @Put()
  @Summary('Sets the mailbox that sends reports; without one, the server of the operator sends them.')
  @Example(UpdateReportSettingsRequest, REPORT_EXAMPLES.settings)
  @Access('admin')
  @Returns(200, ReportSettingsResponse)
  set(@Scope() workspace: WorkspaceScope, @Body() body: UpdateReportSettingsRequest): Promise<ReportSettingsResponse> {
    return this.settings.set(workspace, body);
  }
}
