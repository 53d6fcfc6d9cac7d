import { type WorkspaceScope } from '@domain/access';
import { EventQuery, EventResponse, EventsService } from '@domain/events';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Page } from '@platform/database';
import { Access, Returns, Scope, Summary } from '../http';

@Controller('events')
@ApiTags('Events')
export class EventsController {
  constructor(private readonly events: EventsService) {}

  @Get()
  @Summary('Lists the events of the workspace, newest first; filtered by type, campaign, lead and time.')
  @Access('read')
  @Returns(200, EventResponse, 'page')
  list(@Scope() workspace: WorkspaceScope, @Query() query: EventQuery): Promise<Page<EventResponse>> {
    return this.events.list(workspace, query);
  }

  @Get(':eventId')
  @Summary('Reads one event.')
  @Access('read')
  @Returns(200, EventResponse)
  get(@Scope() workspace: WorkspaceScope, @Param('eventId') eventId: string): Promise<EventResponse> {
    return this.events.get(workspace, eventId);
  }
}
