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
  @Summary('Lists the deliveries of a webhook of the last 30 days, newest first.')
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
  @Summary('Returns a delivery with its body and each attempt with its response.')
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
  @Summary('Requests one more attempt of a delivery; the automatic schedule stays unchanged.')
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
