/** A precondition of a tool: a field of another result with one of these values. */
export interface Precondition {
  /** The read that is done first, with the same arguments. */
  readonly read: string;
  readonly field: string;
  readonly is: readonly string[];
  readonly otherwise: string;
}

/** One operation of the API as a tool. */
export interface OfferedTool {
  readonly name: string;
  /** `read` changes nothing, regardless of its HTTP method; `write` changes data, and never sends an email. */
  readonly kind: 'read' | 'write';
  /** Whether results contain external text: mails, names, server replies, websites. */
  readonly text: 'ours' | 'outside';
  /** An addition to the operation's summary. */
  readonly about?: string;
  /** Whether it removes or overwrites data, so that an AI tool should ask a person first. */
  readonly destructive?: boolean;
  /** Whether repeating it changes nothing more; always true for reads. */
  readonly repeatable?: boolean;
  /** Whether it contacts an external system, for example a language model. */
  readonly reachesOut?: boolean;
  /** The only body fields that can be given. Default: all. */
  readonly fields?: readonly string[];
  /** Parameters with a fixed value that cannot be given. */
  readonly fixed?: Readonly<Record<string, string>>;
  /** Fields that are removed from the result at any depth. */
  readonly hides?: readonly string[];
  readonly onlyWhen?: Precondition;
}

type Details = Omit<OfferedTool, 'name' | 'kind' | 'text'>;

const offerRead = (name: string, details: Details = {}): OfferedTool => ({
  ...details,
  name,
  kind: 'read',
  text: 'ours',
});
const offerExternalRead = (name: string, details: Details = {}): OfferedTool => ({
  ...offerRead(name, details),
  text: 'outside',
});
const offerWrite = (name: string, text: OfferedTool['text'], details: Details): OfferedTool => {
  return { ...details, name, kind: 'write', text };
};

/** HTML repeats the text and can contain text that no reader would see. */
const NO_HTML = ['html'];

/** All but `verification`, which costs credits for each added lead. */
const DRAFT_FIELDS = [
  'name',
  'mailboxes',
  'mailboxRotation',
  'sequence',
  'sendingSchedule',
  'useLeadTimezone',
  'trackOpens',
  'trackClicks',
  'stopOnReply',
  'stopCompanyOnReply',
  'includeUnsubscribeLink',
  'emailIntervalMinutes',
  'dailyLimit',
  'newLeadsPerDay',
  'domainDailyLimit',
  'followUpsFirst',
];

/**
 * The operations that are tools, by method and path. All others are in `WITHHELD` with a reason. A tool sends no email
 * and causes none, shows no secret, deletes nothing, and a person can undo its effect.
 */
export const OFFERED: Readonly<Record<string, OfferedTool>> = {
  'GET /v1/workspaces': offerRead('list_workspaces'),

  'GET /v1/campaigns': offerRead('list_campaigns'),
  'GET /v1/campaigns/{campaignId}': offerRead('get_campaign'),
  'GET /v1/campaigns/{campaignId}/settings': offerExternalRead('get_campaign_settings'),
  'GET /v1/campaigns/{campaignId}/sequence': offerRead('get_campaign_sequence'),
  'GET /v1/campaigns/{campaignId}/readiness': offerExternalRead('check_campaign_readiness'),
  'GET /v1/campaigns/{campaignId}/diagnostics': offerExternalRead('diagnose_campaign'),
  'POST /v1/campaigns/{campaignId}/simulate': offerRead('simulate_campaign'),
  'POST /v1/campaigns/{campaignId}/preview': offerExternalRead('preview_campaign_email', { hides: NO_HTML }),
  'POST /v1/campaigns': offerWrite('create_campaign', 'ours', {
    about: 'It stays a draft: only a person can start it.',
    fields: DRAFT_FIELDS,
  }),
  'POST /v1/campaigns/{campaignId}/duplicate': offerWrite('duplicate_campaign', 'ours', {
    about: 'It stays a draft: only a person can start it.',
  }),
  'POST /v1/campaigns/{campaignId}/pause': offerWrite('pause_campaign', 'ours', {
    about: 'Only a person can resume it.',
    repeatable: true,
  }),

  'GET /v1/campaigns/{campaignId}/leads': offerExternalRead('list_leads'),
  'GET /v1/campaigns/{campaignId}/leads/{leadId}': offerExternalRead('get_lead'),
  'GET /v1/campaigns/{campaignId}/leads/{leadId}/explain': offerExternalRead('explain_lead'),
  'GET /v1/campaigns/{campaignId}/leads/imports': offerExternalRead('list_lead_imports'),
  'POST /v1/campaigns/{campaignId}/leads': offerWrite('add_leads', 'outside', {
    about:
      'Only for a campaign that is a draft or paused, so that nothing is sent before a person starts it. If the campaign verifies addresses, this costs credits.',
    fields: ['leads'],
    repeatable: true,
    onlyWhen: {
      read: 'GET /v1/campaigns/{campaignId}',
      field: 'status',
      is: ['draft', 'paused'],
      otherwise:
        'Leads are added only to campaigns that are drafts or paused: pause it first, or let a person add them',
    },
  }),

  'GET /v1/analytics/overview': offerRead('get_overview'),
  'GET /v1/analytics/mailboxes': offerRead('list_mailbox_figures'),
  'GET /v1/analytics/campaigns/{campaignId}': offerRead('get_campaign_analytics'),
  'GET /v1/analytics/campaigns/{campaignId}/timeline': offerRead('get_campaign_timeline'),

  'GET /v1/inbox': offerExternalRead('list_conversations'),
  'GET /v1/inbox/{conversationId}': offerExternalRead('read_conversation', { hides: NO_HTML }),
  'GET /v1/inbox/{conversationId}/replies/{replyId}': offerExternalRead('get_reply', { hides: NO_HTML }),
  'PATCH /v1/inbox/{conversationId}': offerWrite('mark_conversation', 'outside', {
    about: 'Only as read or unread: a label could trigger an agent reply.',
    fields: ['unread'],
    repeatable: true,
  }),
  'POST /v1/agents/{agentId}/draft': offerWrite('draft_reply', 'outside', {
    about: 'A person decides whether to send it. Costs as much as the language model.',
    reachesOut: true,
  }),
  'GET /v1/agents': offerRead('list_agents'),
  'GET /v1/agents/{agentId}/details': offerRead('get_agent_details'),
  'GET /v1/agents/replies': offerExternalRead('list_agent_replies'),

  'GET /v1/mailboxes': offerExternalRead('list_mailboxes'),
  'GET /v1/mailboxes/{mailboxId}': offerExternalRead('get_mailbox'),
  'GET /v1/mailboxes/{mailboxId}/settings': offerExternalRead('get_mailbox_settings'),
  'GET /v1/mailboxes/{mailboxId}/health': offerExternalRead('get_mailbox_health'),
  'GET /v1/mailboxes/{mailboxId}/health/report': offerExternalRead('get_mailbox_health_report'),
  'GET /v1/mailboxes/{mailboxId}/analytics': offerRead('get_mailbox_analytics'),
  'PATCH /v1/mailboxes/{mailboxId}': offerWrite('set_mailbox_tags', 'outside', {
    about: 'Only its tags, as a complete list: omitted tags are removed.',
    fields: ['tags'],
    destructive: true,
    repeatable: true,
  }),
  'GET /v1/warmup/config/{mailboxId}': offerRead('get_warmup'),
  'GET /v1/warmup/{mailboxId}/settings': offerExternalRead('get_warmup_settings'),
  'GET /v1/warmup/{mailboxId}/analytics': offerRead('get_warmup_analytics'),
  'GET /v1/deliverability/domains': offerExternalRead('list_sending_domains'),
  'GET /v1/blacklist-tests': offerRead('list_blacklist_tests'),
  'GET /v1/blacklist-tests/{testId}': offerExternalRead('get_blacklist_test'),

  'GET /v1/suppressions': offerExternalRead('list_suppressions'),
  'POST /v1/suppressions': offerWrite('suppress_addresses', 'outside', {
    about:
      'Addresses only: a domain would stop all its recipients. Removing a suppression does not resume the leads that it stopped.',
    fields: ['addresses', 'reason'],
    destructive: true,
    repeatable: true,
  }),

  'GET /v1/reports/preview': offerExternalRead('preview_report', { fixed: { format: 'text' } }),
  'GET /v1/integrations': offerExternalRead('get_integrations'),
  'GET /v1/integrations/crm/jobs': offerExternalRead('list_crm_syncs'),
  'GET /v1/integrations/crm/jobs/{jobId}': offerExternalRead('get_crm_sync'),
  'GET /v1/integrations/crm/jobs/{jobId}/details': offerExternalRead('get_crm_sync_details'),
  'GET /v1/integrations/crm/jobs/{jobId}/records': offerExternalRead('list_crm_sync_records'),
  'GET /v1/enrichment/jobs': offerRead('list_enrichment_jobs'),
  'GET /v1/enrichment/jobs/{jobId}': offerRead('get_enrichment_job'),
  'GET /v1/webhooks': offerRead('list_webhooks', {
    about: 'Without their addresses and secrets.',
    hides: ['secret', 'url'],
  }),
  'GET /v1/webhooks/{webhookId}/health': offerExternalRead('get_webhook_health'),
  'GET /v1/credits/balance': offerRead('get_credit_balance'),
  'GET /v1/credits/ledger': offerRead('list_credit_entries'),
  'GET /v1/events': offerExternalRead('list_events'),
};
