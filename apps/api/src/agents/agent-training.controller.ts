import { type WorkspaceScope } from '@domain/access';
import {
  AgentPageResponse,
  AgentTrainingResponse,
  AgentTrainingsService,
  TRAINING_EXAMPLES,
  TrainAgentRequest,
} from '@domain/agents';
import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Page } from '@platform/database';
import { PageQuery } from '@platform/validation';
import { Access, Example, Returns, Scope, Summary } from '../http';

@Controller('agents/:agentId')
@ApiTags('Agents')
export class AgentTrainingController {
  constructor(private readonly trainings: AgentTrainingsService) {}

  @Post('train')
  @Summary('Trains an agent on a website; its current knowledge stays in use until the training is completed.')
  @Example(TrainAgentRequest, TRAINING_EXAMPLES.train)
  @Access('write')
  @Returns(202, AgentTrainingResponse)
  train(
    @Scope() workspace: WorkspaceScope,
    @Param('agentId') agentId: string,
    @Body() body: TrainAgentRequest,
  ): Promise<AgentTrainingResponse> {
    return this.trainings.train(workspace, agentId, body);
  }

  @Get('training')
  @Summary('Reads the latest training of an agent: its progress, and the profile in use.')
  @Access('read')
  @Returns(200, AgentTrainingResponse)
  training(@Scope() workspace: WorkspaceScope, @Param('agentId') agentId: string): Promise<AgentTrainingResponse> {
    return this.trainings.latest(workspace, agentId);
  }

  @Get('training/pages')
  @Summary('Lists the pages of the latest training in reading order.')
  @Access('read')
  @Returns(200, AgentPageResponse, 'page')
  pages(
    @Scope() workspace: WorkspaceScope,
    @Param('agentId') agentId: string,
    @Query() query: PageQuery,
  ): Promise<Page<AgentPageResponse>> {
    return this.trainings.listPages(workspace, agentId, query);
  }
}
