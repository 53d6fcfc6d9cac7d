import { Injectable } from '@nestjs/common';
import { SendSideEffectsService } from './send-side-effects.service';
import { SendClaimService } from './send-claim.service';
import { MongoPlannerDataSourceFactory } from './mongo-planner-data-source-factory';
import { SendHandoverService } from './send-handover.service';
import { SendOutcomeService } from './send-outcome.service';
import { SentStepSkipService } from './sent-step-skip.service';
import { SendRecoveryService } from './send-recovery.service';

/** What a turn is made of. */
@Injectable()
export class MailboxSenderDependencies {
  constructor(
    readonly recovery: SendRecoveryService,
    readonly worlds: MongoPlannerDataSourceFactory,
    readonly claims: SendClaimService,
    readonly handovers: SendHandoverService,
    readonly outcomes: SendOutcomeService,
    readonly aftermath: SendSideEffectsService,
    readonly passing: SentStepSkipService,
  ) {}
}
