import { type WorkspaceScope } from '@domain/access';
import { AuditEntryResponse, AuditQuery, AuditService } from '@domain/audit';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Page } from '@platform/database';
import { Access, Returns, Scope, Summary } from '../http';

@Controller('audit')
@ApiTags('Audit')
export class AuditController {
  constructor(private readonly audit: AuditService) {}

  @Get()
  @Summary('Lists the changes in the workspace with their actors, newest first.')
  @Access('admin')
  @Returns(200, AuditEntryResponse, 'page')
  list(@Scope() workspace: WorkspaceScope, @Query() query: AuditQuery): Promise<Page<AuditEntryResponse>> {
    return this.audit.list(workspace, query);
  }
}
