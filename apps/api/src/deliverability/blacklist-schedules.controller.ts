import { type WorkspaceScope } from '@domain/access';
import { BlacklistScheduleResponse, BlacklistSchedulesService } from '@domain/deliverability';
import { MessageResponse } from '@domain/identity';
import { Controller, Delete, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Page } from '@platform/database';
import { PageQuery } from '@platform/validation';
import { Access, Returns, Scope, Summary } from '../http';

@Controller('blacklist-schedules')
@ApiTags('Blacklist tests')
export class BlacklistSchedulesController {
  constructor(private readonly schedules: BlacklistSchedulesService) {}

  @Get()
  @Summary('Lists the schedules of blacklist tests, newest first.')
  @Access('read')
  @Returns(200, BlacklistScheduleResponse, 'page')
  list(@Scope() workspace: WorkspaceScope, @Query() query: PageQuery): Promise<Page<BlacklistScheduleResponse>> {
    return this.schedules.list(workspace, query);
  }

  @Delete(':scheduleId')
  @Summary('Deletes a schedule. It starts no further test; its earlier tests stay.')
  @Access('write')
  @Returns(200, MessageResponse)
  delete(@Scope() workspace: WorkspaceScope, @Param('scheduleId') scheduleId: string): Promise<MessageResponse> {
    return this.schedules.delete(workspace, scheduleId);
  }
}
