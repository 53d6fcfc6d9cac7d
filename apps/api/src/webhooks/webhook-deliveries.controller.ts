import { type WorkspaceScope } from '@domain/access';
import { DeliveryDetailResponse, DeliveryQuery, DeliveryResponse, WebhookDeliveriesService } from '@domain/webhooks';
import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Page } from '@platform/database';
import { Access, FormA, Returns, Scope, Summary } from '../http';

@Controller('webhooks/:webhookId/deliveries')
@ApiTags('Webhooks')
@FormA('NOT_FOUND')
export class WebhookDeliveriesController {
  constructor(private readonly deliveries: WebhookDeliveriesService) {}

  @Get()
  @Summary('Lists what was sent to a webhook in the last 30 days, newest first.')
  @Access('admin')
  @Returns(200, DeliveryResponse, 'page')
  list(
    @Scope() workspace: WorkspaceScope,
    @Param('webhookId') webhookId: string,
    @Query() query: DeliveryQuery,
  ): Promise<Page<DeliveryResponse>> {
    return this.deliveries.list(workspace, webhookId, query);
  }

  @Get(':deliveryId')
  @Summary('Reads a delivery with what is sent and each attempt with its answer.')
  @Access('admin')
  @Returns(200, DeliveryDetailResponse)
  get(
    @Scope() workspace: WorkspaceScope,
    @Param('webhookId') webhookId: string,
    @Param('deliveryId') deliveryId: string,
  ): Promise<DeliveryDetailResponse> {
    return this.deliveries.get(workspace, webhookId, deliveryId);
  }

  @Post(':deliveryId/redeliver')
  @Summary('Makes one attempt more, beside the schedule, which stays as it is.')
  @Access('admin')
  @Returns(202, DeliveryResponse)
  redeliver(
    @Scope() workspace: WorkspaceScope,
    @Param('webhookId') webhookId: string,
    @Param('deliveryId') deliveryId: string,
  ): Promise<DeliveryResponse> {
    return this.deliveries.redeliver(workspace, webhookId, deliveryId);
  }
}
