import { AuditModule } from '@domain/audit';
import { EventsModule } from '@domain/events';
import { WorkspacesModule } from '@domain/identity';
import { OAuthModule } from '@domain/oauth';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { ClusterModule } from '@platform/cluster';
import { MailboxAccountService } from './mailbox-account.service';
import { MailboxRepository } from './mailbox.repository';
import { MailboxDomainRepository } from './mailbox-domain.repository';
import { MailboxDeletionService } from './mailbox-deletion.service';
import { MailboxCreationService } from './mailbox-creation.service';
import { MailboxConnectionService } from './mailbox-connection.service';
import { MailboxCheckService } from './mailbox-check.service';
import { MailboxSecretListener } from './mailbox-secret.listener';
import { MailboxStatsRebuildService } from './mailbox-stats-rebuild.service';
import { MailboxFiguresService } from './mailbox-figures.service';
import { MailboxCheckQueue } from './mailbox-check.queue';
import { MailboxUpdateService } from './mailbox-update.service';
import { MailboxesService } from './mailboxes.service';
import { MailboxGrantService } from './oauth/mailbox-grant.service';
import { MailboxTokenService } from './oauth/mailbox-token.service';
import { MailboxOAuthService } from './oauth/mailbox-oauth.service';
import { MailboxOAuthClient } from './oauth/mailbox-oauth.client';
import { MailboxGrantProofService } from './oauth/mailbox-grant-proof.service';
import { MailboxDayRecord } from './schemas/mailbox-day.record';
import { MailboxMessageRecord } from './schemas/mailbox-message.record';
import { MailboxSyncRecord } from './schemas/mailbox-sync.record';
import { MailboxRecord } from './schemas/mailbox.record';
import { MailboxSyncService } from './sync/mailbox-sync.service';
import { MailboxMessageRepository } from './sync/mailbox-message.repository';
import { MailboxWatcherService } from './sync/mailbox-watcher.service';
import { MailboxSyncRepository } from './sync/mailbox-sync.repository';
import { UnreadableMessageService } from './sync/unreadable-message.service';

const offered = [
  MailboxesService,
  MailboxCreationService,
  MailboxUpdateService,
  MailboxDeletionService,
  MailboxCheckService,
  MailboxFiguresService,
  MailboxStatsRebuildService,
  MailboxRepository,
  MailboxDomainRepository,
  MailboxAccountService,
  MailboxConnectionService,
  MailboxOAuthService,
  MailboxWatcherService,
  MailboxSyncService,
  MailboxMessageRepository,
  UnreadableMessageService,
];

@Module({
  imports: [
    DatabaseModule.collections(MailboxRecord, MailboxDayRecord, MailboxSyncRecord, MailboxMessageRecord),
    OAuthModule,
    WorkspacesModule,
    AuditModule,
    EventsModule,
    ClusterModule,
  ],
  providers: [
    ...offered,
    MailboxSyncRepository,
    MailboxCheckQueue,
    MailboxTokenService,
    MailboxOAuthClient,
    MailboxGrantProofService,
    MailboxGrantService,
    MailboxSecretListener,
  ],
  exports: offered,
})
export class MailboxesModule {}
