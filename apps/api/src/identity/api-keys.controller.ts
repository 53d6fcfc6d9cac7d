import { type Principal, type WorkspaceScope } from '@domain/access';
import {
  ApiKeyQuery,
  ApiKeyResponse,
  ApiKeysService,
  CreateApiKeyRequest,
  MessageResponse,
  NewApiKeyResponse,
  RotateApiKeyRequest,
} from '@domain/identity';
import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Page } from '@platform/database';
import { Access, Caller, FormA, Returns, Scope, Summary } from '../http';

/** A user's own platform keys need no role in the workspace, so the service decides by the kind of key. */
@Controller('api-keys')
@ApiTags('API keys')
@FormA('FORBIDDEN')
export class ApiKeysController {
  constructor(private readonly keys: ApiKeysService) {}

  @Post()
  @Summary('Creates a key of the workspace or of the user; the secret is only in this response.')
  @Access('write')
  @Returns(201, NewApiKeyResponse)
  create(
    @Scope() workspace: WorkspaceScope,
    @Caller() principal: Principal,
    @Body() body: CreateApiKeyRequest,
  ): Promise<NewApiKeyResponse> {
    return this.keys.create(workspace, principal, body);
  }

  @Get()
  @Summary('Lists the keys of the workspace or of the user, newest first.')
  @Access('read')
  @Returns(200, ApiKeyResponse, 'page')
  list(
    @Scope() workspace: WorkspaceScope,
    @Caller() principal: Principal,
    @Query() query: ApiKeyQuery,
  ): Promise<Page<ApiKeyResponse>> {
    return this.keys.list(workspace, principal, query);
  }

  @Delete(':id')
  @Summary('Revokes a key immediately.')
  @Access('write')
  @Returns(200, MessageResponse)
  revoke(
    @Scope() workspace: WorkspaceScope,
    @Caller() principal: Principal,
    @Param('id') id: string,
  ): Promise<MessageResponse> {
    return this.keys.revoke(workspace, principal, id);
  }

  @Post(':id/rotate')
  @Summary('Rotates the secret of a key; the previous secret may overlap for some time.')
  @Access('write')
  @Returns(200, NewApiKeyResponse)
  rotate(
    @Scope() workspace: WorkspaceScope,
    @Caller() principal: Principal,
    @Param('id') id: string,
    @Body() body: RotateApiKeyRequest,
  ): Promise<NewApiKeyResponse> {
    return this.keys.rotate(workspace, principal, id, body);
  }
}
