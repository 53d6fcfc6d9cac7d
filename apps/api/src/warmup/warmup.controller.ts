import { type WorkspaceScope } from '@domain/access';
import { UpdateWarmupRequest, WARMUP_EXAMPLES, WarmupResponse, WarmupsService } from '@domain/warmup';
import { Body, Controller, Get, Param, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access, Example, Returns, Scope, Summary } from '../http';

@Controller('warmup')
@ApiTags('Warmup')
export class WarmupController {
  constructor(private readonly warmups: WarmupsService) {}

  @Get('config/:mailboxId')
  @Summary(
    'Reads how a mailbox is warmed up and how far it is; every mailbox has the defaults of its provider at first.',
  )
  @Access('read')
  @Returns(200, WarmupResponse)
  config(@Scope() workspace: WorkspaceScope, @Param('mailboxId') mailboxId: string): Promise<WarmupResponse> {
    return this.warmups.getConfig(workspace, mailboxId);
  }

  @Patch('config/:mailboxId')
  @Summary('Changes how a mailbox is warmed up, from the next day that is planned on.')
  @Example(UpdateWarmupRequest, WARMUP_EXAMPLES.update)
  @Access('write')
  @Returns(200, WarmupResponse)
  update(
    @Scope() workspace: WorkspaceScope,
    @Param('mailboxId') mailboxId: string,
    @Body() body: UpdateWarmupRequest,
  ): Promise<WarmupResponse> {
    return this.warmups.update(workspace, mailboxId, body);
  }

  @Post(':mailboxId/start')
  @Summary('Starts a warmup; one that was paused or suspended goes on with the day at which it stood.')
  @Access('write')
  @Returns(200, WarmupResponse)
  start(@Scope() workspace: WorkspaceScope, @Param('mailboxId') mailboxId: string): Promise<WarmupResponse> {
    return this.warmups.start(workspace, mailboxId);
  }

  @Post(':mailboxId/pause')
  @Summary('Pauses a warmup: it begins no thread and answers none until it is started again.')
  @Access('write')
  @Returns(200, WarmupResponse)
  pause(@Scope() workspace: WorkspaceScope, @Param('mailboxId') mailboxId: string): Promise<WarmupResponse> {
    return this.warmups.pause(workspace, mailboxId);
  }

  @Post(':mailboxId/stop')
  @Summary('Ends a warmup; settings and figures stay, and starting it again begins with its first day.')
  @Access('write')
  @Returns(200, WarmupResponse)
  stop(@Scope() workspace: WorkspaceScope, @Param('mailboxId') mailboxId: string): Promise<WarmupResponse> {
    return this.warmups.stop(workspace, mailboxId);
  }
}
