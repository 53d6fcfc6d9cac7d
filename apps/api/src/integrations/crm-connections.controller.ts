import { type WorkspaceScope } from '@domain/access';
import {
  CRM_CONNECTION_EXAMPLES,
  CrmConnectionResponse,
  CrmConnectionSettingsService,
  SetCrmRequest,
} from '@domain/crm';
import { MessageResponse } from '@domain/identity';
import { Body, Controller, Delete, Get, Param, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access, Example, Returns, Scope, Summary } from '../http';

/** `type`: hubspot, salesforce, pipedrive, zoho, close, attio. Behind the fixed names of other integrations in the list of controllers. */
@Controller('integrations/:type')
@ApiTags('Integrations')
export class CrmConnectionsController {
  constructor(private readonly settings: CrmConnectionSettingsService) {}

  @Get()
  @Summary('Returns the connection to a CRM, without its keys and tokens.')
  @Access('read')
  @Returns(200, CrmConnectionResponse)
  get(@Scope() workspace: WorkspaceScope, @Param('type') type: string): Promise<CrmConnectionResponse> {
    return this.settings.get(workspace, type);
  }

  @Put()
  @Summary('Connects a CRM by an API key, which is verified first, or changes the settings of a connection.')
  @Example(SetCrmRequest, CRM_CONNECTION_EXAMPLES.set)
  @Access('admin')
  @Returns(200, CrmConnectionResponse)
  set(
    @Scope() workspace: WorkspaceScope,
    @Param('type') type: string,
    @Body() body: SetCrmRequest,
  ): Promise<CrmConnectionResponse> {
    return this.settings.set(workspace, type, body);
  }

  @Delete()
  @Summary('Removes the connection to a CRM with its secrets, mapping, totals and links; open syncs fail.')
  @Access('admin')
  @Returns(200, MessageResponse)
  remove(@Scope() workspace: WorkspaceScope, @Param('type') type: string): Promise<MessageResponse> {
    return this.settings.remove(workspace, type);
  }
}
