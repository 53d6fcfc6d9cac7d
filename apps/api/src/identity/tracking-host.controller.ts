import { type WorkspaceScope } from '@domain/access';
import { SetTrackingHostRequest, TrackingHostResponse, TrackingHostsService } from '@domain/tracking';
import { MessageResponse } from '@domain/identity';
import { Body, Controller, Delete, Get, Put } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { Access, Example, FormA, Returns, Scope, Summary } from '../http';

@Controller('workspaces/:workspaceId/tracking-host')
@ApiTags('Workspaces')
@ApiParam({ name: 'workspaceId', type: 'string' })
@FormA('NOT_FOUND', 'FORBIDDEN')
export class TrackingHostController {
  constructor(private readonly hosts: TrackingHostsService) {}

  @Get()
  @Summary('Reads the host of pixels and links in emails.')
  @Access('read', { workspace: 'path' })
  @Returns(200, TrackingHostResponse)
  get(@Scope() workspace: WorkspaceScope): Promise<TrackingHostResponse> {
    return this.hosts.get(workspace);
  }

  @Put()
  @Summary('Sets a custom host for pixels and links, after checking that it resolves to this installation.')
  @Access('admin', { workspace: 'path' })
  @Example(SetTrackingHostRequest, { url: 'https://go.example.com' })
  @Returns(200, TrackingHostResponse)
  set(@Scope() workspace: WorkspaceScope, @Body() body: SetTrackingHostRequest): Promise<TrackingHostResponse> {
    return this.hosts.set(workspace, body);
  }

  @Delete()
  @Summary('Restores the host of the platform; sent emails keep their links.')
  @Access('admin', { workspace: 'path' })
  @Returns(200, MessageResponse)
  remove(@Scope() workspace: WorkspaceScope): Promise<MessageResponse> {
    return this.hosts.remove(workspace);
  }
}
