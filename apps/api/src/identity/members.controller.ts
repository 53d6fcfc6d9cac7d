import { type WorkspaceScope } from '@domain/access';
import {
  ChangeRoleRequest,
  InvitationsService,
  InviteMemberRequest,
  MemberResponse,
  MessageResponse,
  NewInvitationResponse,
  WorkspaceMembersService,
} from '@domain/identity';
import { Body, Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { Access, FormA, Returns, Scope, Summary } from '../http';

/** Routes with `write` are open to plain members too; the service decides what they may do. */
@Controller('workspaces/:workspaceId/members')
@ApiTags('Members')
@ApiParam({ name: 'workspaceId', type: 'string' })
@FormA('NOT_FOUND', 'FORBIDDEN')
export class MembersController {
  constructor(
    private readonly members: WorkspaceMembersService,
    private readonly inviting: InvitationsService,
  ) {}

  @Get()
  @Summary('Lists all members with name, email address and role.')
  @Access('read', { workspace: 'path' })
  @Returns(200, MemberResponse, 'array')
  list(@Scope() workspace: WorkspaceScope): Promise<MemberResponse[]> {
    return this.members.list(workspace);
  }

  @Post()
  @Summary('Invites a person; the token is only in this response.')
  @Access('write', { workspace: 'path' })
  @Returns(201, NewInvitationResponse)
  invite(@Scope() workspace: WorkspaceScope, @Body() body: InviteMemberRequest): Promise<NewInvitationResponse> {
    return this.inviting.invite(workspace, body);
  }

  @Patch(':userId')
  @Summary('Changes the role of a member; `owner` transfers the ownership.')
  @Access('admin', { workspace: 'path' })
  @Returns(200, MemberResponse)
  changeRole(
    @Scope() workspace: WorkspaceScope,
    @Param('userId') userId: string,
    @Body() body: ChangeRoleRequest,
  ): Promise<MemberResponse> {
    return this.members.changeRole(workspace, userId, body.role);
  }

  @Delete(':userId')
  @Summary('Removes a member, or leaves the workspace.')
  @Access('write', { workspace: 'path' })
  @Returns(200, MessageResponse)
  remove(@Scope() workspace: WorkspaceScope, @Param('userId') userId: string): Promise<MessageResponse> {
    return this.members.remove(workspace, userId);
  }
}
