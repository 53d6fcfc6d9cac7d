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
import { Access, OperatorOnly, Returns, Scope } from '../http';

@Controller('credits')
@ApiTags('Credits')
export class CreditsController {
  constructor(private readonly credits: CreditsService) {}

  /** What the workspace may spend. */
  @Get('balance')
  @Access('read')
  @Returns(200, CreditBalanceResponse)
  balance(@Scope() workspace: WorkspaceScope): Promise<CreditBalanceResponse> {
    return this.credits.balance(workspace);
  }

  /** Every change of the balance, newest first. */
  @Get('ledger')
  @Access('admin')
  @Returns(200, CreditEntryResponse, 'page')
  ledger(@Scope() workspace: WorkspaceScope, @Query() query: LedgerQuery): Promise<Page<CreditEntryResponse>> {
    return this.credits.entriesOf(workspace, query);
  }

  /** Adds credits to the workspace. Repeated with the same operation it grants nothing more. */
  @Post('grant')
  @OperatorOnly()
  @Returns(201, CreditEntryResponse)
  grant(@Scope() workspace: WorkspaceScope, @Body() body: GrantCreditsRequest): Promise<CreditEntryResponse> {
    return this.credits.grant(workspace, body);
  }
}
