import { type WorkspaceScope } from '@domain/access';
import {
  ENRICHMENT_TOOL_EXAMPLES,
  EnrichmentToolResponse,
  EnrichmentToolsService,
  SetEnrichmentToolRequest,
} from '@domain/enrichment';
import { MessageResponse } from '@domain/identity';
import { Body, Controller, Delete, Get, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access, Example, Returns, Scope, Summary } from '../http';

@Controller('enrichment/tool')
@ApiTags('Enrichment')
export class EnrichmentToolController {
  constructor(private readonly tools: EnrichmentToolsService) {}

  @Get()
  @Summary('Reads the settings of the enrichment tool, without its secrets.')
  @Access('admin')
  @Returns(200, EnrichmentToolResponse)
  get(@Scope() workspace: WorkspaceScope): Promise<EnrichmentToolResponse> {
    return this.tools.get(workspace);
  }

  @Put()
  @Summary('Sets the enrichment tool: the table that receives rows, and the fields of leads that results fill.')
  @Example(SetEnrichmentToolRequest, ENRICHMENT_TOOL_EXAMPLES.set)
  @Access('admin')
  @Returns(200, EnrichmentToolResponse)
  set(@Scope() workspace: WorkspaceScope, @Body() body: SetEnrichmentToolRequest): Promise<EnrichmentToolResponse> {
    return this.tools.set(workspace, body);
  }

  @Delete()
  @Summary('Removes the enrichment tool with its secrets; results of submitted rows are rejected.')
  @Access('admin')
  @Returns(200, MessageResponse)
  remove(@Scope() workspace: WorkspaceScope): Promise<MessageResponse> {
    return this.tools.remove(workspace);
  }
}
