import { AuditModule } from '@domain/audit';
import { EventsModule } from '@domain/events';
import { WorkspacesModule } from '@domain/identity';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { ClusterModule } from '@platform/cluster';
import { MailboxAccountService } from './mailbox-account.service';
import { MailboxCensusRepository } from './mailbox-census.repository';
import { MailboxDomainRepository } from './mailbox-domain.repository';
import { MailboxErasureService } from './mailbox-erasure.service';
import { MailboxHoldsRepository } from './mailbox-holds.repository';
import { MailboxInsertionService } from './mailbox-insertion.service';
import { MailboxOutagesService } from './mailbox-outages.service';
import { ServerProofService } from './server-proof.service';
import { MailboxSecretListener } from './mailbox-secret.listener';
import { MailboxTrialService } from './mailbox-trial.service';
import { MailboxReceivedService } from './mailbox-received.service';
import { MailboxStatsRebuildService } from './mailbox-stats-rebuild.service';
import { MailboxReviewsRepository } from './mailbox-reviews.repository';
import { MailboxTotalsService } from './mailbox-totals.service';
import { MailboxHookRegistry } from './mailbox-hook.registry';
import { MailboxWarmupsRepository } from './mailbox-warmups.repository';
import { MailboxAnalyticsService } from './mailbox-analytics.service';
import { MailboxRepository } from './mailbox.repository';
import { MailboxCheckQueue } from './mailbox-check.queue';
import { MailboxCheckService } from './mailbox-check.service';
import { MailboxConnectionService } from './mailbox-connection.service';
import { MailboxCreationService } from './mailbox-creation.service';
import { MailboxDeletionService } from './mailbox-deletion.service';
import { MailboxFiguresService } from './mailbox-figures.service';
import { MailboxPausingService } from './mailbox-pausing.service';
import { MailboxesService } from './mailboxes.service';
import { MailboxTestService } from './mailbox-test.service';
import { MailboxUpdateService } from './mailbox-update.service';
import { MailboxGrantService } from './oauth/mailbox-grant.service';
import { MailboxTokenService } from './oauth/mailbox-token.service';
import { OAuthCallbackService } from './oauth/oauth-callback.service';
import { MailboxOAuthClient } from './oauth/mailbox-oauth.client';
import { MailboxGrantProofService } from './oauth/mailbox-grant-proof.service';
import { MailboxOAuthSessionRepository } from './oauth/mailbox-oauth-session.repository';
import { MailboxOAuthService } from './oauth/mailbox-oauth.service';
import { ServiceAccountsService } from './oauth/service-accounts.service';
import { MailboxDayRecord } from './schemas/mailbox-day.record';
import { MailboxMessageRecord } from './schemas/mailbox-message.record';
import { MailboxSyncRecord } from './schemas/mailbox-sync.record';
import { MailboxRecord } from './schemas/mailbox.record';
import { OAuthSessionRecord } from './schemas/oauth-session.record';
import { MailArrivalRegistry } from './sync/mail-arrival.registry';
import { MailboxFreshnessService } from './sync/mailbox-freshness.service';
import { MailboxMessageRepository } from './sync/mailbox-message.repository';
import { MailboxSyncService } from './sync/mailbox-sync.service';
import { MailboxWatcherService } from './sync/mailbox-watcher.service';
import { MailboxSyncRepository } from './sync/mailbox-sync.repository';
import { UnreadableMessageService } from './sync/unreadable-message.service';
import { SentSignatureRegistry } from './sent-signature.registry';
import { DirectMailService } from './direct-mail.service';
import { TestMailsService } from './test-mails.service';

const offered = [
  MailboxesService,
  MailboxCreationService,
  MailboxUpdateService,
  MailboxPausingService,
  MailboxDeletionService,
  MailboxTestService,
  DirectMailService,
  TestMailsService,
  SentSignatureRegistry,
  MailboxAnalyticsService,
  MailboxFiguresService,
  MailboxStatsRebuildService,
  MailboxReviewsRepository,
  MailboxHookRegistry,
  MailboxWarmupsRepository,
  MailboxHoldsRepository,
  MailboxErasureService,
  MailboxDomainRepository,
  MailboxInsertionService,
  MailboxAccountService,
  MailboxConnectionService,
  MailboxCheckService,
  MailboxOAuthService,
  MailboxOAuthSessionRepository,
  OAuthCallbackService,
  ServiceAccountsService,
  MailboxWatcherService,
  MailboxRepository,
  MailboxCensusRepository,
  MailboxFreshnessService,
  MailArrivalRegistry,
  MailboxMessageRepository,
  UnreadableMessageService,
];

@Module({
  imports: [
    DatabaseModule.collections(
      MailboxRecord,
      MailboxDayRecord,
      MailboxSyncRecord,
      MailboxMessageRecord,
      OAuthSessionRecord,
    ),
    WorkspacesModule,
    AuditModule,
    EventsModule,
    ClusterModule,
  ],
  providers: [
    ...offered,
    MailboxSyncService,
    MailboxSyncRepository,
    ServerProofService,
    MailboxCheckQueue,
    MailboxOutagesService,
    MailboxTokenService,
    MailboxOAuthClient,
    MailboxGrantProofService,
    MailboxGrantService,
    MailboxSecretListener,
    MailboxTrialService,
    MailboxTotalsService,
    MailboxReceivedService,
  ],
  exports: offered,
})
export class MailboxesModule {}
