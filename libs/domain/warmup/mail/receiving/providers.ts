import { type Provider } from '@nestjs/common';
import { WarmupAnswersService } from './warmup-answers.service';
import { WarmupMailClaimListener } from './warmup-mail-claim.listener';
import { WarmupFindingsService } from './warmup-findings.service';
import { WarmupLookoutService } from './warmup-lookout.service';
import { WarmupMailLookupRepository } from './warmup-mail-lookup.repository';
import { WarmupOpenedService } from './warmup-opened.service';
import { WarmupReceiptService } from './warmup-receipt.service';
import { WarmupReturnsService } from './warmup-returns.service';
import { WarmupPlacementService } from './warmup-placement.service';
import { WarmupTracesService } from './warmup-traces.service';

/** What receives mail, for nobody outside. */
export const RECEIVING: readonly Provider[] = [
  WarmupMailClaimListener,
  WarmupMailLookupRepository,
  WarmupReceiptService,
  WarmupPlacementService,
  WarmupAnswersService,
  WarmupReturnsService,
  WarmupOpenedService,
  WarmupLookoutService,
  WarmupFindingsService,
  WarmupTracesService,
];
