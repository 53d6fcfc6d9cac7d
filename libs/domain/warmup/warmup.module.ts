import { LlmModule } from '@adapters/llm';
import { AuditModule } from '@domain/audit';
import { InboxModule } from '@domain/inbox';
import { MailboxesModule } from '@domain/mailboxes';
import { SendingModule } from '@domain/sending';
import { WorkspacesModule } from '@domain/identity';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { WarmupPlansRepository } from './mail/sending/warmup-plans.repository';
import { WarmupDayCloseService } from './config/warmup-day-close.service';
import { WarmupMailboxListener } from './config/warmup-mailbox.listener';
import { WarmupRepository } from './config/warmup.repository';
import { WarmupActivityService } from './config/warmup-activity.service';
import { WarmupAnalyticsService } from './config/warmup-analytics.service';
import { WarmupsService } from './config/warmups.service';
import { WarmupTransitionsService } from './config/warmup-transitions.service';
import { WarmupUpdatesService } from './config/warmup-updates.service';
import { WarmupDayPlanService } from './mail/plan/warmup-day-plan.service';
import { DueWarmupsService } from './mail/plan/due-warmups.service';
import { PairHistoriesService } from './mail/plan/pair-histories.service';
import { WarmupPlannerService } from './mail/plan/warmup-planner.service';
import { WarmupPoolService } from './mail/plan/warmup-pool.service';
import { RECEIVING } from './mail/receiving/providers';
import { SentOriginRegistry } from './mail/receiving/sent-origin.registry';
import { WarmupOpeningService } from './mail/receiving/warmup-opening.service';
import { WarmupMailWatchService } from './mail/receiving/warmup-mail-watch.service';
import { WarmupDispatchService } from './mail/sending/warmup-dispatch.service';
import { WarmupMessageService } from './mail/sending/warmup-message.service';
import { WarmupMembersService } from './mail/sending/warmup-members.service';
import { WarmupMailRepository } from './mail/sending/warmup-mail.repository';
import { WarmupScriptsService } from './mail/sending/warmup-scripts.service';
import { WarmupSendQueue } from './mail/sending/warmup-send.queue';
import { WarmupSenderService } from './mail/sending/warmup-sender.service';
import { WarmupWithholdingListener } from './mail/sending/warmup-withholding.listener';
import { WarmupCountsRepository } from './config/warmup-counts.repository';
import { WarmupDayRecord } from './schemas/warmup-day.record';
import { WarmupMailRecord } from './schemas/warmup-mail.record';
import { WarmupThreadRecord } from './schemas/warmup-thread.record';
import { WarmupRecord } from './schemas/warmup.record';
import { ThreadScriptsService } from './mail/sending/thread-scripts.service';
import { WarmupHeaderService } from './warmup-header.service';

const offered = [
  WarmupsService,
  WarmupUpdatesService,
  WarmupTransitionsService,
  WarmupActivityService,
  WarmupAnalyticsService,
  WarmupDayCloseService,
];

const planning = [
  WarmupPlannerService,
  DueWarmupsService,
  WarmupDayPlanService,
  WarmupPoolService,
  PairHistoriesService,
];
const sending = [
  WarmupSenderService,
  WarmupSendQueue,
  WarmupDispatchService,
  WarmupMailRepository,
  WarmupMessageService,
  WarmupMembersService,
  WarmupScriptsService,
  WarmupWithholdingListener,
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
    ...offered,
    ...planning,
    ...sending,
    WarmupCountsRepository,
    ...RECEIVING,
    SentOriginRegistry,
    WarmupOpeningService,
    WarmupMailWatchService,
    WarmupHeaderService,
    ThreadScriptsService,
    WarmupRepository,
    WarmupPlansRepository,
    WarmupMailboxListener,
  ],
  exports: [
    ...offered,
    WarmupPlannerService,
    WarmupSenderService,
    WarmupOpeningService,
    WarmupMailWatchService,
    SentOriginRegistry,
  ],
})
export class WarmupModule {}
