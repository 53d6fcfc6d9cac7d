/** What a tool needs to see first: a field of an answer with one of these values. */
export interface Precondition {
  /** The read that is asked first, with the same arguments. */
  readonly read: string;
  readonly field: string;
  readonly is: readonly string[];
  readonly otherwise: string;
}

/** One operation of the API as a tool. */
export interface OfferedTool {
  readonly name: string;
  /** `read` changes nothing, whatever its HTTP method is; `write` changes something, and never sends an email. */
  readonly kind: 'read' | 'write';
  /** Whether answers hold words of people outside: their mails, names, servers, websites. */
  readonly text: 'ours' | 'outside';
  /** What the operation's own summary does not say. */
  readonly about?: string;
  /** Whether it takes away or overwrites something, so that a person had better be asked. */
  readonly destructive?: boolean;
  /** Whether repeating it changes nothing more. Reads are so by themselves. */
  readonly repeatable?: boolean;
  /** Whether something outside of the platform is asked, a language model for one. */
  readonly reachesOut?: boolean;
  /** The only fields of the body that can be given. Default: all. */
  readonly fields?: readonly string[];
  /** Parameters that are always given so, and cannot be given otherwise. */
  readonly fixed?: Readonly<Record<string, string>>;
  /** Fields that are taken out of the answer, wherever in it they are. */
  readonly hides?: readonly string[];
  readonly onlyWhen?: Precondition;
}

type Details = Omit<OfferedTool, 'name' | 'kind' | 'text'>;

const ours = (name: string, details: Details = {}): OfferedTool => ({ ...details, name, kind: 'read', text: 'ours' });
const outside = (name: string, details: Details = {}): OfferedTool => ({ ...ours(name, details), text: 'outside' });
const writes = (name: string, text: OfferedTool['text'], details: Details): OfferedTool => {
  return { ...details, name, kind: 'write', text };
};

/** HTML repeats the text, and can hold words that no reader would see. */
const NO_HTML = ['html'];

/** All but `verification`, which costs credits for each lead that comes. */
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
 * The operations that are tools, by method and path. Every other one is in `WITHHELD` with its reason. What may stand here: it
 * sends no email and lets none be sent, shows no secret, deletes nothing, and a person can take it back.
 */
export const OFFERED: Readonly<Record<string, OfferedTool>> = {
  'GET /v1/workspaces': ours('list_workspaces'),

  'GET /v1/campaigns': ours('list_campaigns'),
  'GET /v1/campaigns/{campaignId}': ours('get_campaign'),
  'GET /v1/campaigns/{campaignId}/settings': outside('get_campaign_settings'),
  'GET /v1/campaigns/{campaignId}/sequence': ours('get_campaign_sequence'),
  'GET /v1/campaigns/{campaignId}/readiness': outside('check_campaign_readiness'),
  'GET /v1/campaigns/{campaignId}/diagnostics': outside('diagnose_campaign'),
  'POST /v1/campaigns/{campaignId}/simulate': ours('simulate_campaign'),
  'POST /v1/campaigns/{campaignId}/preview': outside('preview_campaign_email', { hides: NO_HTML }),
  'POST /v1/campaigns': writes('create_campaign', 'ours', {
    about: 'It stays a draft: only a person can start it.',
    fields: DRAFT_FIELDS,
  }),
  'POST /v1/campaigns/{campaignId}/duplicate': writes('duplicate_campaign', 'ours', {
    about: 'It stays a draft: only a person can start it.',
  }),
  'POST /v1/campaigns/{campaignId}/pause': writes('pause_campaign', 'ours', {
    about: 'Only a person can resume it.',
    repeatable: true,
  }),

  'GET /v1/campaigns/{campaignId}/leads': outside('list_leads'),
  'GET /v1/campaigns/{campaignId}/leads/{leadId}': outside('get_lead'),
  'GET /v1/campaigns/{campaignId}/leads/{leadId}/explain': outside('explain_lead'),
  'GET /v1/campaigns/{campaignId}/leads/imports': outside('list_lead_imports'),
  'POST /v1/campaigns/{campaignId}/leads': writes('add_leads', 'outside', {
    about:
      'Only to a campaign that is a draft or paused, so that nobody is written to before a person starts it. Where the campaign verifies addresses, that costs credits as ever.',
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

  'GET /v1/analytics/overview': ours('get_overview'),
  'GET /v1/analytics/mailboxes': ours('list_mailbox_figures'),
  'GET /v1/analytics/campaigns/{campaignId}': ours('get_campaign_analytics'),
  'GET /v1/analytics/campaigns/{campaignId}/timeline': ours('get_campaign_timeline'),

  'GET /v1/inbox': outside('list_conversations'),
  'GET /v1/inbox/{conversationId}': outside('read_conversation', { hides: NO_HTML }),
  'GET /v1/inbox/{conversationId}/replies/{replyId}': outside('get_reply', { hides: NO_HTML }),
  'PATCH /v1/inbox/{conversationId}': writes('mark_conversation', 'outside', {
    about: 'Only as read or unread: a label could have an agent answer.',
    fields: ['unread'],
    repeatable: true,
  }),
  'POST /v1/agents/{agentId}/draft': writes('draft_reply', 'outside', {
    about: 'A person sends it, or does not. Costs what the language model costs.',
    reachesOut: true,
  }),
  'GET /v1/agents': ours('list_agents'),
  'GET /v1/agents/{agentId}/details': ours('get_agent_details'),
  'GET /v1/agents/replies': outside('list_agent_replies'),

  'GET /v1/mailboxes': outside('list_mailboxes'),
  'GET /v1/mailboxes/{mailboxId}': outside('get_mailbox'),
  'GET /v1/mailboxes/{mailboxId}/settings': outside('get_mailbox_settings'),
  'GET /v1/mailboxes/{mailboxId}/health': outside('get_mailbox_health'),
  'GET /v1/mailboxes/{mailboxId}/health/report': outside('get_mailbox_health_report'),
  'GET /v1/mailboxes/{mailboxId}/analytics': ours('get_mailbox_analytics'),
  'PATCH /v1/mailboxes/{mailboxId}': writes('set_mailbox_tags', 'outside', {
    about: 'Only its tags, all of them at once: those that are left out are taken away.',
    fields: ['tags'],
    destructive: true,
    repeatable: true,
  }),
  'GET /v1/warmup/config/{mailboxId}': ours('get_warmup'),
  'GET /v1/warmup/{mailboxId}/settings': outside('get_warmup_settings'),
  'GET /v1/warmup/{mailboxId}/analytics': ours('get_warmup_analytics'),
  'GET /v1/deliverability/domains': outside('list_sending_domains'),
  'GET /v1/blacklist-tests': ours('list_blacklist_tests'),
  'GET /v1/blacklist-tests/{testId}': outside('get_blacklist_test'),

  'GET /v1/suppressions': outside('list_suppressions'),
  'POST /v1/suppressions': writes('suppress_addresses', 'outside', {
    about:
      'Addresses only: a domain would stop everybody there. Lifting a suppression does not wake the leads that it stopped.',
    fields: ['addresses', 'reason'],
    destructive: true,
    repeatable: true,
  }),

  'GET /v1/reports/preview': outside('preview_report', { fixed: { format: 'text' } }),
  'GET /v1/integrations': outside('get_integrations'),
  'GET /v1/integrations/crm/jobs': outside('list_crm_syncs'),
  'GET /v1/integrations/crm/jobs/{jobId}': outside('get_crm_sync'),
  'GET /v1/integrations/crm/jobs/{jobId}/details': outside('get_crm_sync_details'),
  'GET /v1/integrations/crm/jobs/{jobId}/records': outside('list_crm_sync_records'),
  'GET /v1/enrichment/jobs': ours('list_enrichment_jobs'),
  'GET /v1/enrichment/jobs/{jobId}': ours('get_enrichment_job'),
  'GET /v1/webhooks': ours('list_webhooks', {
    about: 'Without their addresses and secrets.',
    hides: ['secret', 'url'],
  }),
  'GET /v1/webhooks/{webhookId}/health': outside('get_webhook_health'),
  'GET /v1/credits/balance': ours('get_credit_balance'),
  'GET /v1/credits/ledger': ours('list_credit_entries'),
  'GET /v1/events': outside('list_events'),
};
