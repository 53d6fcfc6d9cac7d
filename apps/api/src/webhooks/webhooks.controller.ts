import { type WorkspaceScope } from '@domain/access';
import { MessageResponse } from '@domain/identity';
import {
  CreateWebhookRequest,
  ListedWebhookResponse,
  UpdateWebhookRequest,
  WEBHOOK_EXAMPLES,
  WebhooksService,
  WebhookResponse,
} from '@domain/webhooks';
import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Page } from '@platform/database';
import { PageQuery } from '@platform/validation';
import { Access, Example, FormA, Returns, Scope, Summary } from '../http';

/** For admins only, also the reads, because they show the secret. */
@Controller('webhooks')
@ApiTags('Webhooks')
@FormA('NOT_FOUND')
export class WebhooksController {
  constructor(private readonly webhooks: WebhooksService) {}

  @Post()
  @Summary('Creates a webhook that receives these events from now on.')
  @Example(CreateWebhookRequest, WEBHOOK_EXAMPLES.create)
  @Access('admin')
  @Returns(201, WebhookResponse)
  create(@Scope() workspace: WorkspaceScope, @Body() body: CreateWebhookRequest): Promise<WebhookResponse> {
    return this.webhooks.create(workspace, body);
  }

  @Get()
  @Summary('Lists webhooks with their statistics, newest first.')
  @Access('admin')
  @Returns(200, ListedWebhookResponse, 'page')
  list(@Scope() workspace: WorkspaceScope, @Query() query: PageQuery): Promise<Page<ListedWebhookResponse>> {
    return this.webhooks.list(workspace, query);
  }

  @Get(':webhookId')
  @Summary('Returns a webhook.')
  @Access('admin')
  @Returns(200, WebhookResponse)
  get(@Scope() workspace: WorkspaceScope, @Param('webhookId') webhookId: string): Promise<WebhookResponse> {
    return this.webhooks.get(workspace, webhookId);
  }

  @Patch(':webhookId')
  @Summary('Updates, deactivates or activates a webhook.')
  @Example(UpdateWebhookRequest, WEBHOOK_EXAMPLES.update)
  @Access('admin')
  @Returns(200, WebhookResponse)
  update(
    @Scope() workspace: WorkspaceScope,
    @Param('webhookId') webhookId: string,
    @Body() body: UpdateWebhookRequest,
  ): Promise<WebhookResponse> {
    return this.webhooks.update(workspace, webhookId, body);
  }

  @Delete(':webhookId')
  @Summary('Permanently deletes a webhook with its deliveries; no further event is delivered.')
  @Access('admin', { bearer: true })
  @Returns(200, MessageResponse)
  delete(@Scope() workspace: WorkspaceScope, @Param('webhookId') webhookId: string): Promise<MessageResponse> {
    return this.webhooks.delete(workspace, webhookId);
  }
}
