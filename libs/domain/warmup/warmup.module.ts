import { LlmModule } from '@adapters/llm';
import { AuditModule } from '@domain/audit';
import { WorkspacesModule } from '@domain/identity';
import { InboxModule } from '@domain/inbox';
import { MailboxesModule } from '@domain/mailboxes';
import { SendingModule } from '@domain/sending';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { WarmupAnalyticsService } from './config/warmup-analytics.service';
import { WarmupMailboxListener } from './config/warmup-mailbox.listener';
import { WarmupProgressService } from './config/warmup-progress.service';
import { WarmupRepository } from './config/warmup.repository';
import { WarmupsService } from './config/warmups.service';
import { WarmupPlannerService } from './mail/plan/warmup-planner.service';
import { WarmupPoolService } from './mail/plan/warmup-pool.service';
import { WarmupMailClaimListener } from './mail/receiving/warmup-mail-claim.listener';
import { WarmupMailLookupRepository } from './mail/receiving/warmup-mail-lookup.repository';
import { WarmupMailWatchService } from './mail/receiving/warmup-mail-watch.service';
import { WarmupOpeningService } from './mail/receiving/warmup-opening.service';
import { WarmupPlacementService } from './mail/receiving/warmup-placement.service';
import { WarmupReceiptService } from './mail/receiving/warmup-receipt.service';
import { WarmupDispatchService } from './mail/sending/warmup-dispatch.service';
import { WarmupMailRepository } from './mail/sending/warmup-mail.repository';
import { WarmupMessageService } from './mail/sending/warmup-message.service';
import { WarmupSendQueue } from './mail/sending/warmup-send.queue';
import { WarmupSenderService } from './mail/sending/warmup-sender.service';
import { WarmupWithholdingListener } from './mail/sending/warmup-withholding.listener';
import { WarmupDayRecord } from './schemas/warmup-day.record';
import { WarmupMailRecord } from './schemas/warmup-mail.record';
import { WarmupThreadRecord } from './schemas/warmup-thread.record';
import { WarmupRecord } from './schemas/warmup.record';
import { WarmupHeaderService } from './warmup-header.service';

const exported = [
  WarmupsService,
  WarmupAnalyticsService,
  WarmupProgressService,
  WarmupPlannerService,
  WarmupSenderService,
  WarmupOpeningService,
  WarmupMailWatchService,
];

@Module({
  imports: [
    DatabaseModule.collections(WarmupRecord, WarmupThreadRecord, WarmupMailRecord, WarmupDayRecord),
    WorkspacesModule,
    MailboxesModule,
    AuditModule,
    LlmModule,
    InboxModule,
    SendingModule,
  ],
  providers: [
    ...exported,
    WarmupRepository,
    WarmupMailboxListener,
    WarmupPoolService,
    WarmupMailRepository,
    WarmupMessageService,
    WarmupHeaderService,
    WarmupDispatchService,
    WarmupSendQueue,
    WarmupWithholdingListener,
    WarmupMailClaimListener,
    WarmupMailLookupRepository,
    WarmupReceiptService,
    WarmupPlacementService,
  ],
  exports: exported,
})
export class WarmupModule {}
