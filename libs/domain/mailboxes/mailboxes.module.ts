import { AuditModule } from '@domain/audit';
import { EventsModule } from '@domain/events';
import { WorkspacesModule } from '@domain/workspaces';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { ClusterModule } from '@platform/cluster';
import { MailboxAccounts } from './mailbox.accounts.service';
import { MailboxCensus } from './mailbox.census.service';
import { MailboxDomains } from './mailbox.domains.service';
import { MailboxErasure } from './mailbox.erasure.service';
import { MailboxHolds } from './mailbox.holds.service';
import { MailboxInsertion } from './mailbox.insertion.service';
import { MailboxOutages } from './mailbox.outages.service';
import { ServerProof } from './mailbox.proof.service';
import { MailboxSealed } from './mailbox.sealed';
import { MailboxTrial } from './mailbox.trial.service';
import { MailboxReceived } from './mailbox.received.service';
import { MailboxRecount } from './mailbox.recount.service';
import { MailboxReviews } from './mailbox.reviews.service';
import { MailboxTotals } from './mailbox.totals.service';
import { MailboxUses } from './mailbox.uses';
import { MailboxWarmups } from './mailbox.warmups.service';
import { MailboxAnalyticsService } from './mailboxes.analytics.service';
import { MailboxesAtWork } from './mailboxes.at-work.service';
import { MailboxCheckQueue } from './mailboxes.check.queue';
import { MailboxChecks } from './mailboxes.check.service';
import { MailboxConnections } from './mailboxes.connection.service';
import { MailboxCreationService } from './mailboxes.creation.service';
import { MailboxDeletionService } from './mailboxes.deletion.service';
import { MailboxFigures } from './mailboxes.figures.service';
import { MailboxPausing } from './mailboxes.pausing.service';
import { MailboxesService } from './mailboxes.service';
import { MailboxTestService } from './mailboxes.test.service';
import { MailboxUpdateService } from './mailboxes.update.service';
import { MailboxGrants } from './oauth/mailbox.grants.service';
import { MailboxTokens } from './oauth/mailbox.tokens.service';
import { OAuthCallback } from './oauth/oauth.callback.service';
import { OAuthClient } from './oauth/oauth.client.service';
import { GrantProof } from './oauth/oauth.proof.service';
import { OAuthSessions } from './oauth/oauth.sessions.service';
import { OAuthStart } from './oauth/oauth.start.service';
import { ServiceAccounts } from './oauth/service.accounts.service';
import { MailboxDayRecord } from './schemas/mailbox-day.record';
import { MailboxMessageRecord } from './schemas/mailbox-message.record';
import { MailboxSyncRecord } from './schemas/mailbox-sync.record';
import { MailboxRecord } from './schemas/mailbox.record';
import { OAuthSessionRecord } from './schemas/oauth-session.record';
import { MailArrivals } from './sync/mail.arrivals';
import { MailboxFreshness } from './sync/mailbox.freshness.service';
import { MailboxMail } from './sync/mailbox.mail.service';
import { MailboxSync } from './sync/mailbox.sync.service';
import { MailboxWatchers } from './sync/mailbox.watchers.service';
import { SyncStore } from './sync/sync.store.service';
import { UnreadableMail } from './sync/unreadable.mail.service';
import { SentSignatures } from './sent.signatures';
import { DirectMails } from './direct.mails.service';
import { TestMails } from './test.mails.service';

const offered = [
  MailboxesService,
  MailboxCreationService,
  MailboxUpdateService,
  MailboxPausing,
  MailboxDeletionService,
  MailboxTestService,
  DirectMails,
  TestMails,
  SentSignatures,
  MailboxAnalyticsService,
  MailboxFigures,
  MailboxRecount,
  MailboxReviews,
  MailboxUses,
  MailboxWarmups,
  MailboxHolds,
  MailboxErasure,
  MailboxDomains,
  MailboxInsertion,
  MailboxAccounts,
  MailboxConnections,
  MailboxChecks,
  OAuthStart,
  OAuthSessions,
  OAuthCallback,
  ServiceAccounts,
  MailboxWatchers,
  MailboxesAtWork,
  MailboxCensus,
  MailboxFreshness,
  MailArrivals,
  MailboxMail,
  UnreadableMail,
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
    MailboxSync,
    SyncStore,
    ServerProof,
    MailboxCheckQueue,
    MailboxOutages,
    MailboxTokens,
    OAuthClient,
    GrantProof,
    MailboxGrants,
    MailboxSealed,
    MailboxTrial,
    MailboxTotals,
    MailboxReceived,
  ],
  exports: offered,
})
export class MailboxesModule {}
