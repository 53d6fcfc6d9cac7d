import { type WorkspaceScope } from '@domain/access';
import {
  CreateMailboxRequest,
  DeleteMailboxQuery,
  MAILBOX_EXAMPLES,
  MailboxCreationService,
  MailboxDeletionService,
  MailboxesService,
  MailboxQuery,
  MailboxResponse,
  MailboxSettingsResponse,
  MailboxUpdateService,
  UpdateMailboxRequest,
} from '@domain/mailboxes';
import { MessageResponse } from '@domain/identity';
import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Page } from '@platform/database';
import { Access, Example, Returns, Scope, Summary } from '../http';

@Controller('mailboxes')
@ApiTags('Mailboxes')
export class MailboxesController {
  constructor(
    private readonly mailboxes: MailboxesService,
    private readonly creation: MailboxCreationService,
    private readonly updates: MailboxUpdateService,
    private readonly deletion: MailboxDeletionService,
  ) {}

  @Post()
  @Summary('Connects a mailbox by SMTP and IMAP; both logins are verified before anything is stored.')
  @Example(CreateMailboxRequest, MAILBOX_EXAMPLES.create)
  @Access('write')
  @Returns(201, MailboxResponse)
  create(@Scope() workspace: WorkspaceScope, @Body() body: CreateMailboxRequest): Promise<MailboxResponse> {
    return this.creation.create(workspace, body);
  }

  @Get()
  @Summary('Lists mailboxes, newest first; searched by address and display name.')
  @Access('read')
  @Returns(200, MailboxResponse, 'page')
  list(@Scope() workspace: WorkspaceScope, @Query() query: MailboxQuery): Promise<Page<MailboxResponse>> {
    return this.mailboxes.list(workspace, query);
  }

  @Get(':mailboxId')
  @Summary('Reads a mailbox; credentials are never shown.')
  @Access('read')
  @Returns(200, MailboxResponse)
  get(@Scope() workspace: WorkspaceScope, @Param('mailboxId') mailboxId: string): Promise<MailboxResponse> {
    return this.mailboxes.get(workspace, mailboxId);
  }

  @Get(':mailboxId/settings')
  @Summary('Reads the time zone, the send gap and the connection of a mailbox.')
  @Access('read')
  @Returns(200, MailboxSettingsResponse)
  settings(
    @Scope() workspace: WorkspaceScope,
    @Param('mailboxId') mailboxId: string,
  ): Promise<MailboxSettingsResponse> {
    return this.mailboxes.getSettings(workspace, mailboxId);
  }

  @Patch(':mailboxId')
  @Summary('Changes a mailbox; other servers or passwords are verified before they are stored.')
  @Example(UpdateMailboxRequest, MAILBOX_EXAMPLES.update)
  @Access('write')
  @Returns(200, MailboxResponse)
  update(
    @Scope() workspace: WorkspaceScope,
    @Param('mailboxId') mailboxId: string,
    @Body() body: UpdateMailboxRequest,
  ): Promise<MailboxResponse> {
    return this.updates.update(workspace, mailboxId, body);
  }

  @Delete(':mailboxId')
  @Summary('Deletes a mailbox with its credentials; rejected while active campaigns use it, unless forced.')
  @Access('write')
  @Returns(200, MessageResponse)
  delete(
    @Scope() workspace: WorkspaceScope,
    @Param('mailboxId') mailboxId: string,
    @Query() query: DeleteMailboxQuery,
  ): Promise<MessageResponse> {
    return this.deletion.delete(workspace, mailboxId, query);
  }
}
