import { type WorkspaceScope } from '@domain/access';
import { CampaignResponse } from '@domain/campaigns';
import {
  CampaignLaunchService,
  CampaignTestEmailService,
  PreviewEmailRequest,
  PreviewEmailResponse,
  ReadinessResponse,
  SENDING_EXAMPLES,
  TestEmailRequest,
  TestEmailResponse,
} from '@domain/sending';
import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access, Example, Returns, Scope, Summary } from '../http';

@Controller('campaigns/:campaignId')
@ApiTags('Campaigns')
export class CampaignLaunchController {
  constructor(
    private readonly launch: CampaignLaunchService,
    private readonly emails: CampaignTestEmailService,
  ) {}

  @Post('start')
  @Summary('Starts a draft, paused or completed campaign; rejected with all missing requirements when it cannot send.')
  @Access('write')
  @Returns(200, CampaignResponse)
  start(@Scope() workspace: WorkspaceScope, @Param('campaignId') campaignId: string): Promise<CampaignResponse> {
    return this.launch.start(workspace, campaignId);
  }

  @Get('readiness')
  @Summary('Returns the checks of a campaign start, with warnings that do not prevent it.')
  @Access('read')
  @Returns(200, ReadinessResponse)
  readiness(@Scope() workspace: WorkspaceScope, @Param('campaignId') campaignId: string): Promise<ReadinessResponse> {
    return this.launch.readiness(workspace, campaignId);
  }

  @Post('test-email')
  @Summary(
    'Sends an email of the sequence to any address immediately; it uses the daily limit of the mailbox and is not tracked.',
  )
  @Example(TestEmailRequest, SENDING_EXAMPLES.testEmail)
  @Access('write')
  @Returns(200, TestEmailResponse)
  testEmail(
    @Scope() workspace: WorkspaceScope,
    @Param('campaignId') campaignId: string,
    @Body() body: TestEmailRequest,
  ): Promise<TestEmailResponse> {
    return this.emails.send(workspace, campaignId, body);
  }

  @Post('preview')
  @Summary('Returns an email of the sequence as a lead would receive it, without sending it.')
  @Example(PreviewEmailRequest, SENDING_EXAMPLES.preview)
  @Access('read')
  @Returns(200, PreviewEmailResponse)
  preview(
    @Scope() workspace: WorkspaceScope,
    @Param('campaignId') campaignId: string,
    @Body() body: PreviewEmailRequest,
  ): Promise<PreviewEmailResponse> {
    return this.emails.preview(workspace, campaignId, body);
  }
}
