import { type WorkspaceScope } from '@domain/access';
import {
  CreditBalanceResponse,
  CreditEntryResponse,
  CreditsService,
  GrantCreditsRequest,
  LedgerQuery,
} from '@domain/credits';
import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Page } from '@platform/database';
import { Access, OperatorOnly, Returns, Scope, Summary } from '../http';

@Controller('credits')
@ApiTags('Credits')
export class CreditsController {
  constructor(private readonly credits: CreditsService) {}

  @Get('balance')
  @Summary('Reads the credit balance of the workspace.')
  @Access('read')
  @Returns(200, CreditBalanceResponse)
  balance(@Scope() workspace: WorkspaceScope): Promise<CreditBalanceResponse> {
    return this.credits.balance(workspace);
  }

  @Get('ledger')
  @Summary('Lists the ledger entries of the workspace, newest first.')
  @Access('admin')
  @Returns(200, CreditEntryResponse, 'page')
  ledger(@Scope() workspace: WorkspaceScope, @Query() query: LedgerQuery): Promise<Page<CreditEntryResponse>> {
    return this.credits.entriesOf(workspace, query);
  }

  @Post('grant')
  @Summary('Grants credits; a repeated operation grants nothing more.')
  @OperatorOnly()
  @Returns(201, CreditEntryResponse)
  grant(@Scope() workspace: WorkspaceScope, @Body() body: GrantCreditsRequest): Promise<CreditEntryResponse> {
    return this.credits.grant(workspace, body);
  }
}
