import { LlmModule } from '@adapters/llm';
import { AuditModule } from '@domain/audit';
import { InboxModule } from '@domain/inbox';
import { MailboxesModule } from '@domain/mailboxes';
import { SendingModule } from '@domain/sending';
import { WorkspacesModule } from '@domain/workspaces';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { WarmupPlans } from './config/warmup.plans.service';
import { WarmupProgress } from './config/warmup.progress.service';
import { WarmupRelease } from './config/warmup.release.service';
import { WarmupWriter } from './config/warmup.writer.service';
import { WarmupActivity } from './config/warmups.activity.service';
import { WarmupAnalytics } from './config/warmups.analytics.service';
import { WarmupsService } from './config/warmups.service';
import { WarmupTransitions } from './config/warmups.transitions.service';
import { WarmupUpdates } from './config/warmups.update.service';
import { DayPlanning } from './mail/plan/day.planning.service';
import { DueWarmups } from './mail/plan/due.warmups.service';
import { PairHistories } from './mail/plan/pair.history.service';
import { WarmupPlanner } from './mail/plan/warmup.planner.service';
import { WarmupPool } from './mail/plan/warmup.pool.service';
import { RECEIVING } from './mail/receiving/providers';
import { SentOrigins } from './mail/receiving/sent.origins';
import { WarmupOpenings } from './mail/receiving/warmup.openings.service';
import { WarmupWatch } from './mail/receiving/warmup.watch.service';
import { WarmupDispatch } from './mail/sending/warmup.dispatch.service';
import { WarmupLetters } from './mail/sending/warmup.letters.service';
import { WarmupMembers } from './mail/sending/warmup.members.service';
import { WarmupOutbox } from './mail/sending/warmup.outbox.service';
import { WarmupScripts } from './mail/sending/warmup.scripts.service';
import { WarmupTurnQueue } from './mail/sending/warmup.turn.queue';
import { WarmupTurns } from './mail/sending/warmup.turns.service';
import { WarmupWithholding } from './mail/sending/warmup.withholding.service';
import { WarmupCounts } from './mail/warmup.counts.service';
import { WarmupDayRecord } from './schemas/warmup-day.record';
import { WarmupMailRecord } from './schemas/warmup-mail.record';
import { WarmupThreadRecord } from './schemas/warmup-thread.record';
import { WarmupRecord } from './schemas/warmup.record';
import { ThreadScripts } from './texts/thread.scripts.service';
import { WarmupHeader } from './warmup.header';

const offered = [WarmupsService, WarmupUpdates, WarmupTransitions, WarmupActivity, WarmupAnalytics, WarmupProgress];

const planning = [WarmupPlanner, DueWarmups, DayPlanning, WarmupPool, PairHistories];
const sending = [
  WarmupTurns,
  WarmupTurnQueue,
  WarmupDispatch,
  WarmupOutbox,
  WarmupLetters,
  WarmupMembers,
  WarmupScripts,
  WarmupWithholding,
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
    WarmupCounts,
    ...RECEIVING,
    SentOrigins,
    WarmupOpenings,
    WarmupWatch,
    WarmupHeader,
    ThreadScripts,
    WarmupWriter,
    WarmupPlans,
    WarmupRelease,
  ],
  exports: [...offered, WarmupPlanner, WarmupTurns, WarmupOpenings, WarmupWatch, SentOrigins],
})
export class WarmupModule {}
