import { type WorkspaceScope } from '@domain/access';
import {
  ReplayResponse,
  ReplayWebhookRequest,
  TestWebhookRequest,
  WEBHOOK_EXAMPLES,
  WebhookHealthService,
  WebhookHealthResponse,
  WebhookReplayService,
  WebhookResponse,
  WebhooksService,
  WebhookDeliveriesService,
  WebhookTestResponse,
} from '@domain/webhooks';
import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access, Example, FormA, Returns, Scope, Summary } from '../http';

@Controller('webhooks/:webhookId')
@ApiTags('Webhooks')
@FormA('NOT_FOUND')
export class WebhookActionsController {
  constructor(
    private readonly rotation: WebhooksService,
    private readonly tests: WebhookDeliveriesService,
    private readonly replays: WebhookReplayService,
    private readonly health: WebhookHealthService,
  ) {}

  @Post('rotate-secret')
  @Summary('Gives a webhook a new secret; for 24 hours the one before signs as well.')
  @Access('admin')
  @Returns(200, WebhookResponse)
  rotate(@Scope() workspace: WorkspaceScope, @Param('webhookId') webhookId: string): Promise<WebhookResponse> {
    return this.rotation.rotateSecret(workspace, webhookId);
  }

  @Post('test')
  @Summary('Sends a made-up event to a webhook now, and tells what it answered; counted and kept nowhere.')
  @Example(TestWebhookRequest, WEBHOOK_EXAMPLES.test)
  @Access('admin')
  @Returns(200, WebhookTestResponse)
  test(
    @Scope() workspace: WorkspaceScope,
    @Param('webhookId') webhookId: string,
    @Body() body: TestWebhookRequest,
  ): Promise<WebhookTestResponse> {
    return this.tests.test(workspace, webhookId, body);
  }

  @Post('replay')
  @Summary('Delivers what happened in a window of time again, or for the first time; one replay at a time.')
  @Example(ReplayWebhookRequest, WEBHOOK_EXAMPLES.replay)
  @Access('admin')
  @Returns(202, ReplayResponse)
  replay(
    @Scope() workspace: WorkspaceScope,
    @Param('webhookId') webhookId: string,
    @Body() body: ReplayWebhookRequest,
  ): Promise<ReplayResponse> {
    return this.replays.start(workspace, webhookId, body);
  }

  @Get('health')
  @Summary('Tells how a webhook is doing: why it is inactive, what waits for it, what failed last.')
  @Access('admin')
  @Returns(200, WebhookHealthResponse)
  read(@Scope() workspace: WorkspaceScope, @Param('webhookId') webhookId: string): Promise<WebhookHealthResponse> {
    return this.health.read(workspace, webhookId);
  }
}
