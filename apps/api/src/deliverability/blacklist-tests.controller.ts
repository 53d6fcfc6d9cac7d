import { type WorkspaceScope } from '@domain/access';
import {
  BLACKLIST_EXAMPLES,
  BlacklistTestsService,
  BlacklistTestResponse,
  CreateBlacklistTestRequest,
  ListedBlacklistTestResponse,
  MailboxChecksResponse,
} from '@domain/deliverability';
import { MessageResponse } from '@domain/identity';
import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Page } from '@platform/database';
import { PageQuery } from '@platform/validation';
import { Access, Example, FormA, Returns, Scope, Summary } from '../http';

@Controller('blacklist-tests')
@ApiTags('Blacklist tests')
@FormA('NOT_FOUND')
export class BlacklistTestsController {
  constructor(private readonly tests: BlacklistTestsService) {}

  @Post()
  @Summary('Tests mailboxes against blacklists: their domains and their sending addresses.')
  @Example(CreateBlacklistTestRequest, BLACKLIST_EXAMPLES.create)
  @Access('write')
  @Returns(201, BlacklistTestResponse)
  create(@Scope() workspace: WorkspaceScope, @Body() body: CreateBlacklistTestRequest): Promise<BlacklistTestResponse> {
    return this.tests.create(workspace, body);
  }

  @Get()
  @Summary('Lists blacklist tests, newest first.')
  @Access('read')
  @Returns(200, ListedBlacklistTestResponse, 'page')
  list(@Scope() workspace: WorkspaceScope, @Query() query: PageQuery): Promise<Page<ListedBlacklistTestResponse>> {
    return this.tests.list(workspace, query);
  }

  @Get(':testId')
  @Summary('Reads a blacklist test with its progress and the result for each mailbox.')
  @Access('read')
  @Returns(200, BlacklistTestResponse)
  get(@Scope() workspace: WorkspaceScope, @Param('testId') testId: string): Promise<BlacklistTestResponse> {
    return this.tests.get(workspace, testId);
  }

  @Get(':testId/mailboxes/:mailboxId')
  @Summary('Reads the results of each blacklist for one mailbox of a test.')
  @Access('read')
  @Returns(200, MailboxChecksResponse)
  checks(
    @Scope() workspace: WorkspaceScope,
    @Param('testId') testId: string,
    @Param('mailboxId') mailboxId: string,
  ): Promise<MailboxChecksResponse> {
    return this.tests.checks(workspace, testId, mailboxId);
  }

  @Post(':testId/cancel')
  @Summary('Cancels a pending or running blacklist test; its results so far stay.')
  @Access('write')
  @Returns(200, BlacklistTestResponse)
  cancel(@Scope() workspace: WorkspaceScope, @Param('testId') testId: string): Promise<BlacklistTestResponse> {
    return this.tests.cancel(workspace, testId);
  }

  @Delete(':testId')
  @Summary('Permanently deletes a blacklist test with its results, also a running one.')
  @Access('write')
  @Returns(200, MessageResponse)
  delete(@Scope() workspace: WorkspaceScope, @Param('testId') testId: string): Promise<MessageResponse> {
    return this.tests.delete(workspace, testId);
  }
}
