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
  @Summary('Rotates the secret of a webhook; the previous one also signs for 24 hours.')
  @Access('admin')
  @Returns(200, WebhookResponse)
  rotate(@Scope() workspace: WorkspaceScope, @Param('webhookId') webhookId: string): Promise<WebhookResponse> {
    return this.rotation.rotateSecret(workspace, webhookId);
  }

  @Post('test')
  @Summary('Sends an example event to a webhook now and returns the response; it is neither counted nor stored.')
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
  @Summary('Delivers the events of a past period again, or for the first time; one replay at a time.')
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
  @Summary('Returns the health of a webhook: why it is inactive, pending deliveries and the last failure.')
  @Access('admin')
  @Returns(200, WebhookHealthResponse)
  read(@Scope() workspace: WorkspaceScope, @Param('webhookId') webhookId: string): Promise<WebhookHealthResponse> {
    return this.health.read(workspace, webhookId);
  }
}
