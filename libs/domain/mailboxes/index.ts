export { DirectMailService, type Limited } from './direct-mail.service';
export { MailboxAnalyticsQuery, MailboxAnalyticsResponse } from './dto/mailbox-analytics.dto';
export { MailboxSettingsResponse } from './dto/mailbox-settings.dto';
export { MailboxTestResponse, TestMailboxRequest, TestMailResponse } from './dto/mailbox-test.dto';
export { MailboxErrorResponse, MailboxResponse, MailboxWarmupResponse } from './dto/mailbox.dto';
export { MAILBOX_EXAMPLES } from './dto/mailbox-examples';
export {
  CreateMailboxRequest,
  DeleteMailboxQuery,
  MailboxQuery,
  UpdateMailboxRequest,
} from './dto/mailbox-requests.dto';
export { OAuthSessionResponse, OAuthStartResponse, StartOAuthRequest } from './dto/oauth.dto';
export { ConnectServiceAccountRequest } from './dto/service-account.dto';
export { getHandoverLabels, PROTOCOLS } from './handover-metric-labels';
export { MailboxAccountService } from './mailbox-account.service';
export { MailboxCensusRepository } from './mailbox-census.repository';
export { type DomainMailboxes, MailboxDomainRepository, type SetupFound } from './mailbox-domain.repository';
export { MailboxErasureService } from './mailbox-erasure.service';
export { MailboxHoldsRepository } from './mailbox-holds.repository';
export { MailboxInsertionService, type NewMailbox } from './mailbox-insertion.service';
export { type ObstacleReason, findSendingObstacle, type SendingObstacle } from './sending-obstacle';
export { type DayDifference, MailboxStatsRebuildService } from './mailbox-stats-rebuild.service';
export { type TotalDifference } from './mailbox-totals.service';
export { MailboxReviewsRepository, type ReviewedMailbox } from './mailbox-reviews.repository';
export { type MailboxHooks, MailboxHookRegistry, type SendingStopped, type UsingCampaign } from './mailbox-hook.registry';
export { MailboxWarmupsRepository, type WarmupReadiness } from './mailbox-warmups.repository';
export { MailboxAnalyticsService } from './mailbox-analytics.service';
export { type CheckMailbox } from './mailbox-check.queue';
export { MailboxCheckService } from './mailbox-check.service';
export { MailboxRepository, type MailboxFacts, type MailboxSendingState } from './mailbox.repository';
export { type MailboxAtWork, MailboxConnectionService } from './mailbox-connection.service';
export { MailboxCreationService } from './mailbox-creation.service';
export { MailboxDeletionService } from './mailbox-deletion.service';
export { type MailboxCount, MailboxFiguresService } from './mailbox-figures.service';
export { MailboxesModule } from './mailboxes.module';
export { MailboxPausingService } from './mailbox-pausing.service';
export { MailboxesService } from './mailboxes.service';
export { MailboxTestService } from './mailbox-test.service';
export { MailboxUpdateService } from './mailbox-update.service';
export { SentSignatureRegistry } from './sent-signature.registry';
export { TestMailsService } from './test-mails.service';
export { OAuthCallbackService, type OAuthOutcome } from './oauth/oauth-callback.service';
export { MailboxOAuthSessionRepository } from './oauth/mailbox-oauth-session.repository';
export { MailboxOAuthService } from './oauth/mailbox-oauth.service';
export { ServiceAccountsService } from './oauth/service-accounts.service';
export { type Arrival, MailArrivalRegistry } from './sync/mail-arrival.registry';
export { MailboxFreshnessService } from './sync/mailbox-freshness.service';
export { type Classification, MailboxMessageRepository } from './sync/mailbox-message.repository';
export { UnreadableMessageService } from './sync/unreadable-message.service';
export { MailboxWatcherService } from './sync/mailbox-watcher.service';
export { MailboxMessageRecord } from './schemas/mailbox-message.record';
export { MAILBOX_PROVIDERS, type MailboxProvider, MailboxRecord, type MailboxWarmup } from './schemas/mailbox.record';
