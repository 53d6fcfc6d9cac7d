import { type Provider } from '@nestjs/common';
import { WarmupAnswers } from './warmup.answers.service';
import { WarmupClaims } from './warmup.claims.service';
import { WarmupFindings } from './warmup.findings.service';
import { WarmupLookout } from './warmup.lookout.service';
import { WarmupLookup } from './warmup.lookup.service';
import { WarmupOpened } from './warmup.opened.service';
import { WarmupReceipts } from './warmup.receipts.service';
import { WarmupReturns } from './warmup.returns.service';
import { WarmupSenderSide } from './warmup.sender-side.service';
import { WarmupTraces } from './warmup.traces.service';

/** What receives mail, for nobody outside. */
export const RECEIVING: readonly Provider[] = [
  WarmupClaims,
  WarmupLookup,
  WarmupReceipts,
  WarmupSenderSide,
  WarmupAnswers,
  WarmupReturns,
  WarmupOpened,
  WarmupLookout,
  WarmupFindings,
  WarmupTraces,
];
