import { type WorkspaceScope } from '@domain/access';
import {
  AddSuppressionsRequest,
  SuppressionQuery,
  SuppressionResponse,
  SuppressionsService,
  SuppressionsAddedResponse,
} from '@domain/suppressions';
import { MessageResponse } from '@domain/identity';
import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Page } from '@platform/database';
import { Access, Returns, Scope, Summary } from '../http';

@Controller('suppressions')
@ApiTags('Suppressions')
export class SuppressionsController {
  constructor(private readonly suppressions: SuppressionsService) {}

  @Get()
  @Summary('Lists suppressed addresses and domains, newest first; searchable by text.')
  @Access('read')
  @Returns(200, SuppressionResponse, 'page')
  list(@Scope() workspace: WorkspaceScope, @Query() query: SuppressionQuery): Promise<Page<SuppressionResponse>> {
    return this.suppressions.list(workspace, query);
  }

  @Post()
  @Summary('Suppresses up to 1000 addresses and domains; after the response nothing more is sent to them.')
  @Access('write')
  @Returns(201, SuppressionsAddedResponse)
  add(@Scope() workspace: WorkspaceScope, @Body() body: AddSuppressionsRequest): Promise<SuppressionsAddedResponse> {
    return this.suppressions.add(workspace, body, { source: 'manual' });
  }

  @Delete(':suppressionId')
  @Summary('Removes a suppression; leads that it stopped stay stopped, and the opt-out ledger keeps its entry.')
  @Access('admin')
  @Returns(200, MessageResponse)
  remove(@Scope() workspace: WorkspaceScope, @Param('suppressionId') suppressionId: string): Promise<MessageResponse> {
    return this.suppressions.remove(workspace, suppressionId);
  }
}
