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
  @Summary('Lists the fields that people have at the CRM, asked there at most once a minute.')
  @Access('read')
  @Returns(200, CrmFieldsResponse)
  list(@Scope() workspace: WorkspaceScope, @Param('type') type: string): Promise<CrmFieldsResponse> {
    return this.fields.listFields(workspace, type);
  }

  @Get('mapping')
  @Summary('Reads which field of leads goes with which field of the CRM.')
  @Access('read')
  @Returns(200, CrmMappingResponse)
  get(@Scope() workspace: WorkspaceScope, @Param('type') type: string): Promise<CrmMappingResponse> {
    return this.fields.get(workspace, type);
  }

  @Put('mapping')
  @Summary('Sets all rules of the mapping; they are held against the fields that the CRM has now.')
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
