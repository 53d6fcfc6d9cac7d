import { type Principal } from '@domain/access';
import { AcceptedInvitationResponse, AcceptInvitationRequest, InvitationAcceptanceService } from '@domain/identity';
import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, FormA, Public, Returns, Summary } from '../http';

@Controller('invitations')
@ApiTags('Members')
@FormA('FORBIDDEN')
export class InvitationAcceptanceController {
  constructor(private readonly acceptance: InvitationAcceptanceService) {}

  @Post('accept')
  @Summary('Accepts an invitation; creates a user and a platform key for a new person.')
  @Public()
  @Returns(200, AcceptedInvitationResponse)
  accept(
    @Caller() principal: Principal | null,
    @Body() body: AcceptInvitationRequest,
  ): Promise<AcceptedInvitationResponse> {
    return this.acceptance.accept(principal, body);
  }
}
