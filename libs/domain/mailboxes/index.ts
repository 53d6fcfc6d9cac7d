export { MailboxAnalyticsQuery, MailboxAnalyticsResponse } from './dto/mailbox-analytics.dto';
export { MailboxSettingsResponse } from './dto/mailbox-settings.dto';
export { MailboxTestResponse, TestMailboxRequest, TestMailResponse, toTestMail } from './dto/mailbox-test.dto';
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
export {
  type MailboxFacts,
  MailboxRepository,
  type MailboxSendingState,
  type ReviewedMailbox,
  type WarmupReadiness,
} from './mailbox.repository';
export { type DomainMailboxes, MailboxDomainRepository, type SetupFound } from './mailbox-domain.repository';
export { MailboxDeletionService } from './mailbox-deletion.service';
export { MailboxCreationService, type NewMailbox } from './mailbox-creation.service';
export { findSendingObstacle, type ObstacleReason, type SendingObstacle } from './sending-obstacle';
export { type DayDifference, MailboxStatsRebuildService, type TotalDifference } from './mailbox-stats-rebuild.service';
export { MAILBOX_HOOKS, type MailboxHooks, type SendingStopped, type UsingCampaign } from './mailbox-hooks';
export { type MailboxCount, MailboxFiguresService } from './mailbox-figures.service';
export { createCheckDeadline } from './mailbox-check';
export { type CheckMailbox } from './mailbox-check.queue';
export { MailboxCheckService, type MailboxTestMail } from './mailbox-check.service';
export { type MailboxAtWork, MailboxConnectionService } from './mailbox-connection.service';
export { MailboxesModule } from './mailboxes.module';
export { MailboxUpdateService } from './mailbox-update.service';
export { MailboxesService } from './mailboxes.service';
export { SENT_MAIL_HOOKS, type SentMailHooks } from './sent-mail-hooks';
export { MailboxOAuthService } from './oauth/mailbox-oauth.service';
export { type Arrival, MAIL_ARRIVAL, type MailArrivalListener } from './sync/mail-arrival';
export { MailboxSyncService } from './sync/mailbox-sync.service';
export { type Classification, MailboxMessageRepository } from './sync/mailbox-message.repository';
export { UnreadableMessageService } from './sync/unreadable-message.service';
export { MailboxWatcherService } from './sync/mailbox-watcher.service';
export { MailboxMessageRecord } from './schemas/mailbox-message.record';
export { MAILBOX_PROVIDERS, type MailboxProvider, MailboxRecord, type MailboxWarmup } from './schemas/mailbox.record';
export { MAILBOXES_PERSONAL_DATA, NOBODY, removePeople } from './mailbox-personal-data';
