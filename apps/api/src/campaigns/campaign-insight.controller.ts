import { type WorkspaceScope } from '@domain/access';
import {
  CampaignDiagnosticsService,
  CampaignSimulationService,
  DiagnosticsResponse,
  ExplanationResponse,
  LeadExplanationService,
  SimulateRequest,
  SimulationResponse,
} from '@domain/sending';
import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access, Returns, Scope, Summary } from '../http';

@Controller('campaigns/:campaignId')
@ApiTags('Campaigns')
export class CampaignInsightController {
  constructor(
    private readonly simulation: CampaignSimulationService,
    private readonly diagnostics: CampaignDiagnosticsService,
    private readonly explanations: LeadExplanationService,
  ) {}

  @Post('simulate')
  @Summary('Forecasts the emails of a campaign per day and mailbox; nothing is changed or sent.')
  @Access('read')
  @Returns(200, SimulationResponse)
  simulate(
    @Scope() workspace: WorkspaceScope,
    @Param('campaignId') campaignId: string,
    @Body() body: SimulateRequest,
  ): Promise<SimulationResponse> {
    return this.simulation.simulate(workspace, campaignId, body);
  }

  @Get('diagnostics')
  @Summary('Returns the status of a campaign, the mailboxes that can send, and the limit that currently applies.')
  @Access('read')
  @Returns(200, DiagnosticsResponse)
  diagnose(@Scope() workspace: WorkspaceScope, @Param('campaignId') campaignId: string): Promise<DiagnosticsResponse> {
    return this.diagnostics.diagnose(workspace, campaignId);
  }

  @Get('leads/:leadId/explain')
  @Summary('Explains why a lead has or has not been contacted, and when it can be.')
  @Access('read')
  @Returns(200, ExplanationResponse)
  explain(
    @Scope() workspace: WorkspaceScope,
    @Param('campaignId') campaignId: string,
    @Param('leadId') leadId: string,
  ): Promise<ExplanationResponse> {
    return this.explanations.explain(workspace, campaignId, leadId);
  }
}
