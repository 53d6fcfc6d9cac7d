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
  @Summary('Reads settings and progress of a warmup. A mailbox starts with the defaults of its provider.')
  @Access('read')
  @Returns(200, WarmupResponse)
  config(@Scope() workspace: WorkspaceScope, @Param('mailboxId') mailboxId: string): Promise<WarmupResponse> {
    return this.warmups.getConfig(workspace, mailboxId);
  }

  @Patch('config/:mailboxId')
  @Summary('Changes the settings of a warmup from the next planned day on.')
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
  @Summary('Starts a warmup. A paused or suspended warmup resumes at its current day.')
  @Access('write')
  @Returns(200, WarmupResponse)
  start(@Scope() workspace: WorkspaceScope, @Param('mailboxId') mailboxId: string): Promise<WarmupResponse> {
    return this.warmups.start(workspace, mailboxId);
  }

  @Post(':mailboxId/pause')
  @Summary('Pauses a warmup: it neither begins nor answers threads until it is started again.')
  @Access('write')
  @Returns(200, WarmupResponse)
  pause(@Scope() workspace: WorkspaceScope, @Param('mailboxId') mailboxId: string): Promise<WarmupResponse> {
    return this.warmups.pause(workspace, mailboxId);
  }

  @Post(':mailboxId/stop')
  @Summary('Ends a warmup. Settings and figures stay; the next start begins at day one.')
  @Access('write')
  @Returns(200, WarmupResponse)
  stop(@Scope() workspace: WorkspaceScope, @Param('mailboxId') mailboxId: string): Promise<WarmupResponse> {
    return this.warmups.stop(workspace, mailboxId);
  }
}
