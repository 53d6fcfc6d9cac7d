import { type Type } from '@nestjs/common';
import { AgentDraftsController } from './agents/agent-drafts.controller';
import { AgentRepliesController } from './agents/agent-replies.controller';
import { AgentSwitchController } from './agents/agent-switch.controller';
import { AgentTrainingController } from './agents/agent-training.controller';
import { AgentsController } from './agents/agents.controller';
import { AnalyticsController } from './analytics/analytics.controller';
import { ApiKeysController } from './identity/api-keys.controller';
import { InvitationAcceptanceController } from './identity/invitation-acceptance.controller';
import { AuditController } from './audit/audit.controller';
import { BlacklistSchedulesController } from './deliverability/blacklist-schedules.controller';
import { BlacklistTestsController } from './deliverability/blacklist-tests.controller';
import { BlacklistZonesController } from './deliverability/blacklist-zones.controller';
import { CampaignActionsController } from './campaigns/campaign-actions.controller';
import { CampaignLaunchController } from './campaigns/campaign-launch.controller';
import { CampaignInsightController } from './campaigns/campaign-insight.controller';
import { CampaignSequenceController } from './campaigns/campaign-sequence.controller';
import { CampaignsController } from './campaigns/campaigns.controller';
import { CreditsController } from './credits/credits.controller';
import { DeliverabilityController } from './deliverability/deliverability.controller';
import { MailboxHealthController } from './deliverability/mailbox-health.controller';
import { EnrichmentCallbackController } from './enrichment/enrichment-callback.controller';
import { EnrichmentJobsController } from './enrichment/enrichment-jobs.controller';
import { EnrichmentResultsController } from './enrichment/enrichment-results.controller';
import { EnrichmentToolController } from './enrichment/enrichment-tool.controller';
import { VerificationController } from './enrichment/verification.controller';
import { EventsController } from './events/events.controller';
import { ClayController } from './integrations/clay.controller';
import { CrmCallbackController } from './integrations/crm-callback.controller';
import { CrmConnectionsController } from './integrations/crm-connections.controller';
import { CrmConsentController } from './integrations/crm-consent.controller';
import { CrmMappingController } from './integrations/crm-mapping.controller';
import { IntegrationsController } from './integrations/integrations.controller';
import { CrmSyncJobsController } from './integrations/crm-sync-jobs.controller';
import { CrmSyncsController } from './integrations/crm-syncs.controller';
import { HealthController } from './health/health.controller';
import { InboxController } from './inbox/inbox.controller';
import { RepliesController } from './inbox/replies.controller';
import { SlackCallbackController } from './integrations/slack-callback.controller';
import { SlackConsentController } from './integrations/slack-consent.controller';
import { SlackController } from './integrations/slack.controller';
import { LeadImportsController } from './leads/lead-imports.controller';
import { LeadActionsController } from './leads/lead-actions.controller';
import { LeadsController } from './leads/leads.controller';
import { MailboxActionsController } from './mailboxes/mailbox-actions.controller';
import { CrmAutomationController } from './integrations/crm-automation.controller';
import { MailboxesController } from './mailboxes/mailboxes.controller';
import { OAuthCallbackController } from './mailboxes/oauth-callback.controller';
import { OAuthController } from './mailboxes/oauth.controller';
import { SuppressionsController } from './suppressions/suppressions.controller';
import { TrackingController } from './tracking/tracking.controller';
import { ReportPreviewController } from './reports/report-preview.controller';
import { ReportRecipientsController } from './reports/report-recipients.controller';
import { ReportSettingsController } from './reports/report-settings.controller';
import { ReportStopController } from './reports/report-stop.controller';
import { UnsubscribeController } from './tracking/unsubscribe.controller';
import { WarmupInsightController } from './warmup/warmup-insight.controller';
import { WarmupController } from './warmup/warmup.controller';
import { WebhookActionsController } from './webhooks/webhook-actions.controller';
import { WebhookDeliveriesController } from './webhooks/webhook-deliveries.controller';
import { WebhooksController } from './webhooks/webhooks.controller';
import { InvitationsController } from './identity/invitations.controller';
import { MembersController } from './identity/members.controller';
import { TrackingHostController } from './identity/tracking-host.controller';
import { WorkspacesController } from './identity/workspaces.controller';

/** All controllers, in the order of the documentation. Tests walk this list. */
export const controllers: readonly Type[] = [
  CrmSyncJobsController,
  CrmSyncsController,
  WorkspacesController,
  TrackingHostController,
  MembersController,
  InvitationsController,
  InvitationAcceptanceController,
  ApiKeysController,
  CreditsController,
  OAuthController,
  MailboxesController,
  MailboxActionsController,
  WarmupController,
  WarmupInsightController,
  MailboxHealthController,
  DeliverabilityController,
  BlacklistTestsController,
  BlacklistSchedulesController,
  BlacklistZonesController,
  CampaignsController,
  CampaignActionsController,
  CampaignLaunchController,
  CampaignSequenceController,
  CampaignInsightController,
  LeadImportsController,
  LeadActionsController,
  LeadsController,
  InboxController,
  RepliesController,
  SuppressionsController,
  EnrichmentJobsController,
  EnrichmentResultsController,
  VerificationController,
  EnrichmentToolController,
  EnrichmentCallbackController,
  AnalyticsController,
  AgentSwitchController,
  AgentRepliesController,
  AgentsController,
  AgentTrainingController,
  AgentDraftsController,
  WebhooksController,
  WebhookActionsController,
  WebhookDeliveriesController,
  IntegrationsController,
  SlackController,
  SlackConsentController,
  ClayController,
  CrmConsentController,
  CrmMappingController,
  CrmAutomationController,
  // After the fixed paths, because its path parameter would match them too.
  CrmConnectionsController,
  EventsController,
  AuditController,
  OAuthCallbackController,
  SlackCallbackController,
  CrmCallbackController,
  TrackingController,
  UnsubscribeController,
  ReportPreviewController,
  ReportRecipientsController,
  ReportSettingsController,
  ReportStopController,
  HealthController,
];
