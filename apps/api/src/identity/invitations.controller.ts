import { type WorkspaceScope } from '@domain/access';
import { InvitationResponse, InvitationsService, MessageResponse } from '@domain/identity';
import { Controller, Delete, Get, Param, Query } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { type Page } from '@platform/database';
import { PageQuery } from '@platform/validation';
import { Access, FormA, Returns, Scope, Summary } from '../http';

@Controller('workspaces/:workspaceId/invitations')
@ApiTags('Members')
@ApiParam({ name: 'workspaceId', type: 'string' })
@FormA('NOT_FOUND', 'FORBIDDEN')
export class InvitationsController {
  constructor(private readonly invitations: InvitationsService) {}

  @Get()
  @Summary('Lists invitations that are not yet accepted, newest first.')
  @Access('admin', { workspace: 'path' })
  @Returns(200, InvitationResponse, 'page')
  list(@Scope() workspace: WorkspaceScope, @Query() query: PageQuery): Promise<Page<InvitationResponse>> {
    return this.invitations.list(workspace, query);
  }

  @Delete(':invitationId')
  @Summary('Revokes an invitation.')
  @Access('admin', { workspace: 'path' })
  @Returns(200, MessageResponse)
  revoke(@Scope() workspace: WorkspaceScope, @Param('invitationId') invitationId: string): Promise<MessageResponse> {
    return this.invitations.revoke(workspace, invitationId);
  }
}
