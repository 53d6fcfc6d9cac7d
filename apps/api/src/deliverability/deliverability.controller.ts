import { type WorkspaceScope } from '@domain/access';
import { DeliverabilityOverviewService, DomainOverviewResponse } from '@domain/deliverability';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Page } from '@platform/database';
import { PageQuery } from '@platform/validation';
import { Access, Returns, Scope, Summary } from '../http';

@Controller('deliverability')
@ApiTags('Deliverability')
export class DeliverabilityController {
  constructor(private readonly overview: DeliverabilityOverviewService) {}

  @Get('domains')
  @Summary('Lists the sending domains, newest first: DNS, blacklists, bounces, complaints and warmup of each.')
  @Access('read')
  @Returns(200, DomainOverviewResponse, 'page')
  domains(@Scope() workspace: WorkspaceScope, @Query() query: PageQuery): Promise<Page<DomainOverviewResponse>> {
    return this.overview.list(workspace, query);
  }
}
