import { type WorkspaceScope } from '@domain/access';
import {
  CRM_MAPPING_EXAMPLE,
  CrmMappingsService,
  CrmFieldsResponse,
  CrmMappingResponse,
  SetCrmMappingRequest,
} from '@domain/crm';
import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access, Example, Returns, Scope, Summary } from '../http';

@Controller('integrations/crm/:type')
@ApiTags('Integrations')
export class CrmMappingController {
  constructor(private readonly fields: CrmMappingsService) {}

  @Get('fields')
  @Summary('Lists the person fields of the CRM, cached for a minute.')
  @Access('read')
  @Returns(200, CrmFieldsResponse)
  list(@Scope() workspace: WorkspaceScope, @Param('type') type: string): Promise<CrmFieldsResponse> {
    return this.fields.listFields(workspace, type);
  }

  @Get('mapping')
  @Summary('Returns the field mapping between leads and the CRM.')
  @Access('read')
  @Returns(200, CrmMappingResponse)
  get(@Scope() workspace: WorkspaceScope, @Param('type') type: string): Promise<CrmMappingResponse> {
    return this.fields.get(workspace, type);
  }

  @Put('mapping')
  @Summary('Replaces the field mapping; it is validated against the current fields of the CRM.')
  @Example(SetCrmMappingRequest, CRM_MAPPING_EXAMPLE)
  @Access('admin')
  @Returns(200, CrmMappingResponse)
  set(
    @Scope() workspace: WorkspaceScope,
    @Param('type') type: string,
    @Body() body: SetCrmMappingRequest,
  ): Promise<CrmMappingResponse> {
    return this.fields.set(workspace, type, body);
  }
}
