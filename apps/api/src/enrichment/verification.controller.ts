import { type WorkspaceScope } from '@domain/access';
import {
  EmailVerificationService,
  VERIFICATION_EXAMPLES,
  VerificationResponse,
  VerifyEmailRequest,
} from '@domain/enrichment';
import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access, Example, Returns, Scope, Summary } from '../http';

@Controller('enrichment/verify')
@ApiTags('Enrichment')
export class VerificationController {
  constructor(private readonly verification: EmailVerificationService) {}

  @Post()
  @Summary('Verifies one email address within ten seconds; 1 credit for an answer.')
  @Example(VerifyEmailRequest, VERIFICATION_EXAMPLES.verify)
  @Access('write')
  @Returns(200, VerificationResponse)
  verify(@Scope() workspace: WorkspaceScope, @Body() body: VerifyEmailRequest): Promise<VerificationResponse> {
    return this.verification.verifyPaid(workspace, body);
  }
}
