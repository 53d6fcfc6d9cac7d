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

/** The enrichment tool under its name among the integrations: the same settings as under `/enrichment/tool`. */
@Controller('integrations/clay')
@ApiTags('Integrations')
export class ClayController {
  constructor(private readonly tools: EnrichmentToolsService) {}

  @Get()
  @Summary('Reads the settings of the enrichment tool, as GET /v1/enrichment/tool does.')
  @Access('admin')
  @Returns(200, EnrichmentToolResponse)
  get(@Scope() workspace: WorkspaceScope): Promise<EnrichmentToolResponse> {
    return this.tools.get(workspace);
  }

  @Put()
  @Summary('Sets the enrichment tool, as PUT /v1/enrichment/tool does.')
  @Example(SetEnrichmentToolRequest, ENRICHMENT_TOOL_EXAMPLES.set)
  @Access('admin')
  @Returns(200, EnrichmentToolResponse)
  set(@Scope() workspace: WorkspaceScope, @Body() body: SetEnrichmentToolRequest): Promise<EnrichmentToolResponse> {
    return this.tools.set(workspace, body);
  }

  @Delete()
  @Summary('Removes the enrichment tool with its secrets, as DELETE /v1/enrichment/tool does.')
  @Access('admin')
  @Returns(200, MessageResponse)
  remove(@Scope() workspace: WorkspaceScope): Promise<MessageResponse> {
    return this.tools.remove(workspace);
  }
}
