import { type Principal, type WorkspaceScope } from '@domain/access';
import {
  CreateWorkspaceRequest,
  MessageResponse,
  UpdateWorkspaceRequest,
  WorkspaceDeletionService,
  WorkspaceResponse,
  WorkspacesService,
} from '@domain/identity';
import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { type Page } from '@platform/database';
import { PageQuery } from '@platform/validation';
import { Access, Caller, FormA, Returns, Scope, Summary } from '../http';

@Controller('workspaces')
@ApiTags('Workspaces')
@FormA('NOT_FOUND', 'FORBIDDEN')
export class WorkspacesController {
  constructor(
    private readonly workspaces: WorkspacesService,
    private readonly deletion: WorkspaceDeletionService,
  ) {}

  @Post()
  @Summary('Creates a workspace owned by the user of the platform key.')
  @Access('admin', { workspace: 'none' })
  @Returns(201, WorkspaceResponse)
  create(@Caller() principal: Principal, @Body() body: CreateWorkspaceRequest): Promise<WorkspaceResponse> {
    return this.workspaces.create(principal, body);
  }

  @Get()
  @Summary('Lists the workspaces that the key can access, newest first.')
  @Access('read', { workspace: 'none' })
  @Returns(200, WorkspaceResponse, 'page')
  list(@Caller() principal: Principal, @Query() query: PageQuery): Promise<Page<WorkspaceResponse>> {
    return this.workspaces.list(principal, query);
  }

  @Get(':workspaceId')
  @Summary('Reads a workspace.')
  @ApiParam({ name: 'workspaceId', type: 'string' })
  @Access('read', { workspace: 'path' })
  @Returns(200, WorkspaceResponse)
  get(@Scope() workspace: WorkspaceScope): Promise<WorkspaceResponse> {
    return this.workspaces.get(workspace);
  }

  @Patch(':workspaceId')
  @Summary('Renames a workspace or changes its settings.')
  @ApiParam({ name: 'workspaceId', type: 'string' })
  @Access('admin', { workspace: 'path' })
  @Returns(200, WorkspaceResponse)
  update(@Scope() workspace: WorkspaceScope, @Body() body: UpdateWorkspaceRequest): Promise<WorkspaceResponse> {
    return this.workspaces.update(workspace, body);
  }

  @Delete(':workspaceId')
  @Summary('Deletes a workspace; its keys stop working immediately, and its data are erased after the retention time.')
  @ApiParam({ name: 'workspaceId', type: 'string' })
  @Access('owner', { workspace: 'path' })
  @Returns(200, MessageResponse)
  delete(@Scope() workspace: WorkspaceScope): Promise<MessageResponse> {
    return this.deletion.delete(workspace);
  }
}
