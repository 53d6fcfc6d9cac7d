import { type WorkspaceScope } from '@domain/access';
import {
  MAILBOX_EXAMPLES,
  MailboxAnalyticsQuery,
  MailboxAnalyticsResponse,
  MailboxFiguresService,
  MailboxUpdateService,
  MailboxResponse,
  MailboxTestResponse,
  TestMailboxRequest,
} from '@domain/mailboxes';
import { MailboxTestService } from '@domain/sending';
import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access, Example, Returns, Scope, Summary } from '../http';

@Controller('mailboxes/:mailboxId')
@ApiTags('Mailboxes')
export class MailboxActionsController {
  constructor(
    private readonly updates: MailboxUpdateService,
    private readonly tests: MailboxTestService,
    private readonly figures: MailboxFiguresService,
  ) {}

  @Post('pause')
  @Summary('Stops sending from a mailbox; its mail is still read, and it can be tested.')
  @Access('write')
  @Returns(200, MailboxResponse)
  pause(@Scope() workspace: WorkspaceScope, @Param('mailboxId') mailboxId: string): Promise<MailboxResponse> {
    return this.updates.pause(workspace, mailboxId);
  }

  @Post('resume')
  @Summary('Ends a pause, or a stop by the platform (`sendingStopped` in the settings).')
  @Access('write')
  @Returns(200, MailboxResponse)
  resume(@Scope() workspace: WorkspaceScope, @Param('mailboxId') mailboxId: string): Promise<MailboxResponse> {
    return this.updates.resume(workspace, mailboxId);
  }

  @Post('test')
  @Summary(
    'Logs in to SMTP and IMAP of a mailbox and returns both results; sends a test message on request. ' +
      'Also works while the mailbox is paused.',
  )
  @Example(TestMailboxRequest, MAILBOX_EXAMPLES.test)
  @Access('write')
  @Returns(200, MailboxTestResponse)
  test(
    @Scope() workspace: WorkspaceScope,
    @Param('mailboxId') mailboxId: string,
    @Body() body: TestMailboxRequest,
  ): Promise<MailboxTestResponse> {
    return this.tests.test(workspace, mailboxId, body);
  }

  @Get('analytics')
  @Summary('Reads the figures of a mailbox by day of its time zone.')
  @Access('read')
  @Returns(200, MailboxAnalyticsResponse)
  read(
    @Scope() workspace: WorkspaceScope,
    @Param('mailboxId') mailboxId: string,
    @Query() query: MailboxAnalyticsQuery,
  ): Promise<MailboxAnalyticsResponse> {
    return this.figures.readDays(workspace, mailboxId, query);
  }
}
