import { CrmConfig } from './crm-config';
import { emptyOr, FromEnv, integer, mailSender, getOne, price, serverName, smtpUrl, text, url } from './variable';

/** All settings of the platform, read from the environment once at start. Nothing else reads the environment. */
export class Config extends CrmConfig {
  @FromEnv('GOOGLE_CLIENT_ID', text, {
    default: '',
    about:
      'OAuth client id of your Google Cloud project. Empty means that Google mailboxes cannot be connected by OAuth consent.',
  })
  readonly googleClientId!: string;

  @FromEnv('GOOGLE_CLIENT_SECRET', text, {
    default: '',
    about: 'Client secret of this Google OAuth client.',
    secret: true,
  })
  readonly googleClientSecret!: string;

  @FromEnv('GOOGLE_AUTH_URL', url('http', 'https'), {
    default: 'https://accounts.google.com/o/oauth2/v2/auth',
    about: 'Authorization endpoint of Google; for tests.',
  })
  readonly googleAuthUrl!: string;

  @FromEnv('GOOGLE_TOKEN_URL', url('http', 'https'), {
    default: 'https://oauth2.googleapis.com/token',
    about: 'Token endpoint of Google, also for service accounts; for tests.',
  })
  readonly googleTokenUrl!: string;

  @FromEnv('GMAIL_API_URL', url('http', 'https'), {
    default: 'https://gmail.googleapis.com/',
    about: 'Base URL of the Gmail API; for tests.',
  })
  readonly gmailApiUrl!: string;

  @FromEnv('MICROSOFT_CLIENT_ID', text, {
    default: '',
    about:
      'Application id of your Entra ID registration. Empty means that Microsoft 365 mailboxes cannot be connected.',
  })
  readonly microsoftClientId!: string;

  @FromEnv('MICROSOFT_CLIENT_SECRET', text, {
    default: '',
    about: 'Client secret of this Entra ID registration.',
    secret: true,
  })
  readonly microsoftClientSecret!: string;

  @FromEnv('MICROSOFT_AUTHORITY_URL', url('http', 'https'), {
    default: 'https://login.microsoftonline.com/common',
    about: 'Microsoft authority with the tenant: common, organizations or a tenant id.',
  })
  readonly microsoftAuthorityUrl!: string;

  @FromEnv('GRAPH_API_URL', url('http', 'https'), {
    default: 'https://graph.microsoft.com/v1.0',
    about: 'Base URL of Microsoft Graph. National clouds have a different one.',
  })
  readonly graphApiUrl!: string;

  @FromEnv('SLACK_CLIENT_ID', text, {
    default: '',
    about: 'Client id of your Slack app. Empty means that Slack can be connected only by incoming webhooks.',
  })
  readonly slackClientId!: string;

  @FromEnv('SLACK_CLIENT_SECRET', text, { default: '', about: 'Client secret of your Slack app.', secret: true })
  readonly slackClientSecret!: string;

  @FromEnv('SLACK_API_URL', url('http', 'https'), {
    default: 'https://slack.com/api/',
    about: 'Base URL of the Slack Web API. GovSlack has a different one.',
  })
  readonly slackApiUrl!: string;

  @FromEnv('SLACK_AUTH_URL', url('http', 'https'), {
    default: 'https://slack.com/oauth/v2/authorize',
    about: 'Authorization endpoint of Slack. GovSlack has a different one.',
  })
  readonly slackAuthUrl!: string;

  @FromEnv('SLACK_WEBHOOK_ORIGIN', emptyOr(url('http', 'https')), {
    default: '',
    about: 'Origin of incoming webhooks that is accepted in addition to the origin of Slack; for tests.',
  })
  readonly slackWebhookOrigin!: string;

  @FromEnv('LLM_BASE_URL', url('http', 'https'), {
    default: 'https://api.openai.com/v1',
    about: 'Base URL of the language model: any server with the OpenAI HTTP API. It may be in a private network.',
  })
  readonly llmBaseUrl!: string;

  @FromEnv('LLM_API_KEY', text, {
    default: '',
    about: 'API key of the language model. Empty if the server needs none.',
    secret: true,
  })
  readonly llmApiKey!: string;

  @FromEnv('LLM_MODEL', text, {
    default: '',
    about:
      'Name of the language model. Empty means that no model is used and no text of a reply leaves the installation.',
  })
  readonly llmModel!: string;

  @FromEnv('LLM_TIMEOUT_MS', integer(100, 300_000), {
    default: '20000',
    about: 'Timeout of one answer of the model, in milliseconds.',
  })
  readonly llmTimeoutMs!: number;

  @FromEnv('LLM_DAILY_BUDGET', integer(0, 1_000_000), {
    default: '500',
    about: 'Requests to the model that one workspace may use per day (UTC).',
  })
  readonly llmDailyBudget!: number;

  @FromEnv('LLM_DAILY_TOKENS', integer(0, 1_000_000_000), {
    default: '2000000',
    about: 'Tokens, input and output, that one workspace may use per day (UTC). 0 means no limit.',
  })
  readonly llmDailyTokens!: number;

  @FromEnv('LLM_INPUT_PRICE', price, {
    default: '0',
    about:
      'Price of a million input tokens, in a currency of your choice. The cost of each agent text is stored with it.',
  })
  readonly llmInputPrice!: number;

  @FromEnv('LLM_OUTPUT_PRICE', price, {
    default: '0',
    about: 'Price of a million output tokens, in the same currency.',
  })
  readonly llmOutputPrice!: number;

  @FromEnv('CRAWLER_CONTACT_URL', emptyOr(url('http', 'https')), {
    default: '',
    about:
      'URL of a page about this installation, sent in the User-Agent of the crawler. Empty means that no URL is sent.',
  })
  readonly crawlerContactUrl!: string;

  @FromEnv('REPORT_SMTP_URL', smtpUrl, {
    default: '',
    about:
      'SMTP server for reports of workspaces without a report mailbox: smtp://user:password@host:port (STARTTLS) or smtps:// (TLS). Empty means none.',
    secret: true,
  })
  readonly reportSmtpUrl!: string;

  @FromEnv('REPORT_FROM', mailSender, {
    default: '',
    about: 'Sender address of these reports. Required with REPORT_SMTP_URL.',
  })
  readonly reportFrom!: string;

  @FromEnv('BLACKLIST_ZONES_FILE', text, {
    default: '',
    about:
      'JSON file of the blacklists to query, read at the start of API and worker (docs/users/deliverability.md). Empty means the default blacklists.',
  })
  readonly blacklistZonesFile!: string;

  @FromEnv('WARMUP_POOL', getOne('installation', 'workspace'), {
    default: 'installation',
    about: 'Which mailboxes exchange warmup mails: all of the installation, or only those of the same workspace.',
  })
  readonly warmupPool!: 'installation' | 'workspace';

  @FromEnv('VERIFICATION_PROBE', getOne('off', 'on'), {
    default: 'off',
    about:
      'Whether email verification probes mail servers over SMTP (docs/users/verification.md). Probes affect the reputation of this machine’s IP address.',
  })
  readonly verificationProbe!: 'off' | 'on';

  @FromEnv('VERIFICATION_PROBE_HELO', serverName, {
    default: '',
    about:
      'Host name in EHLO of a probe. Its forward and reverse DNS should match this machine. Empty means the host of PUBLIC_URL.',
  })
  readonly verificationProbeHelo!: string;

  @FromEnv('VERIFICATION_PROBE_FROM', mailSender, {
    default: '',
    about: 'Address in MAIL FROM of a probe. Do not use a mailbox of a campaign. Empty means the null sender <>.',
  })
  readonly verificationProbeFrom!: string;

  @FromEnv('VERIFICATION_PROBE_TIMEOUT_MS', integer(100, 300_000), {
    default: '20000',
    about: 'Timeout of each step of a probe, in milliseconds.',
  })
  readonly verificationProbeTimeoutMs!: number;

  @FromEnv('VERIFICATION_PROBE_CONNECTIONS', integer(1, 20), {
    default: '2',
    about: 'Maximum number of probe connections of one worker to one mail provider at a time.',
  })
  readonly verificationProbeConnections!: number;

  @FromEnv('VERIFICATION_PROBE_GAP_MS', integer(0, 600_000), {
    default: '1000',
    about: 'Minimum time in milliseconds between two probe connections of one worker to one mail provider.',
  })
  readonly verificationProbeGapMs!: number;

  @FromEnv('VERIFICATION_PROBE_PORT', integer(1, 65_535), {
    default: '25',
    about: 'Port of the probed mail servers; for tests.',
  })
  readonly verificationProbePort!: number;
}
