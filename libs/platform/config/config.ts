import { CrmConfig } from './crm-config';
import { emptyOr, FromEnv, integer, mailSender, getOne, price, serverName, smtpUrl, text, url } from './variable';

/** All settings of the platform. `loadConfig` reads them from the environment at start; no other code reads the environment. */
export class Config extends CrmConfig {
  @FromEnv('GOOGLE_CLIENT_ID', text, {
    default: '',
    about:
      'Client id of the OAuth client in your Google Cloud project. Empty: Google mailboxes cannot be connected by OAuth.',
  })
  readonly googleClientId!: string;

  @FromEnv('GOOGLE_CLIENT_SECRET', text, {
    default: '',
    about: 'Client secret of the OAuth client at Google.',
    secret: true,
  })
  readonly googleClientSecret!: string;

  @FromEnv('GOOGLE_AUTH_URL', url('http', 'https'), {
    default: 'https://accounts.google.com/o/oauth2/v2/auth',
    about: 'Authorization endpoint of Google; change it for tests only.',
  })
  readonly googleAuthUrl!: string;

  @FromEnv('GOOGLE_TOKEN_URL', url('http', 'https'), {
    default: 'https://oauth2.googleapis.com/token',
    about: 'Token endpoint of Google; change it for tests only.',
  })
  readonly googleTokenUrl!: string;

  @FromEnv('GMAIL_API_URL', url('http', 'https'), {
    default: 'https://gmail.googleapis.com/',
    about: 'Base URL of the Gmail API; change it for tests only.',
  })
  readonly gmailApiUrl!: string;

  @FromEnv('MICROSOFT_CLIENT_ID', text, {
    default: '',
    about:
      'Application (client) id of your app registration in Entra ID. Empty: Microsoft 365 mailboxes cannot be connected.',
  })
  readonly microsoftClientId!: string;

  @FromEnv('MICROSOFT_CLIENT_SECRET', text, {
    default: '',
    about: 'Client secret of the app registration in Entra ID.',
    secret: true,
  })
  readonly microsoftClientSecret!: string;

  @FromEnv('MICROSOFT_AUTHORITY_URL', url('http', 'https'), {
    default: 'https://login.microsoftonline.com/common',
    about: 'Authority of the Microsoft identity platform with its tenant: common, organizations or a tenant id.',
  })
  readonly microsoftAuthorityUrl!: string;

  @FromEnv('GRAPH_API_URL', url('http', 'https'), {
    default: 'https://graph.microsoft.com/v1.0',
    about: 'Base URL of Microsoft Graph; national clouds have their own.',
  })
  readonly graphApiUrl!: string;

  @FromEnv('SLACK_CLIENT_ID', text, {
    default: '',
    about: 'Client id of your Slack app. Empty: Slack can be connected by incoming webhooks only.',
  })
  readonly slackClientId!: string;

  @FromEnv('SLACK_CLIENT_SECRET', text, { default: '', about: 'Client secret of your Slack app.', secret: true })
  readonly slackClientSecret!: string;

  @FromEnv('SLACK_API_URL', url('http', 'https'), {
    default: 'https://slack.com/api/',
    about: 'Base URL of the Slack Web API; GovSlack has its own.',
  })
  readonly slackApiUrl!: string;

  @FromEnv('SLACK_AUTH_URL', url('http', 'https'), {
    default: 'https://slack.com/oauth/v2/authorize',
    about: 'Authorization endpoint of Slack; GovSlack has its own.',
  })
  readonly slackAuthUrl!: string;

  @FromEnv('SLACK_WEBHOOK_ORIGIN', emptyOr(url('http', 'https')), {
    default: '',
    about: 'Origin of incoming webhooks that is accepted in addition to the one of Slack; for tests only.',
  })
  readonly slackWebhookOrigin!: string;

  @FromEnv('LLM_BASE_URL', url('http', 'https'), {
    default: 'https://api.openai.com/v1',
    about: 'Base URL of the language model: any server with the HTTP API of OpenAI, also in a private network.',
  })
  readonly llmBaseUrl!: string;

  @FromEnv('LLM_API_KEY', text, {
    default: '',
    about: 'API key of the language model. Empty: requests have no key.',
    secret: true,
  })
  readonly llmApiKey!: string;

  @FromEnv('LLM_MODEL', text, {
    default: '',
    about:
      'Name of the language model. Empty: no language model is used, and no text of a reply leaves the installation.',
  })
  readonly llmModel!: string;

  @FromEnv('LLM_TIMEOUT_MS', integer(100, 300_000), {
    default: '20000',
    about: 'Timeout of one request to the language model, in milliseconds.',
  })
  readonly llmTimeoutMs!: number;

  @FromEnv('LLM_DAILY_BUDGET', integer(0, 1_000_000), {
    default: '500',
    about: 'Requests to the language model that one workspace may cause in a day (UTC).',
  })
  readonly llmDailyBudget!: number;

  @FromEnv('LLM_DAILY_TOKENS', integer(0, 1_000_000_000), {
    default: '2000000',
    about: 'Input and output tokens of the language model that one workspace may use in a day (UTC). 0: no limit.',
  })
  readonly llmDailyTokens!: number;

  @FromEnv('LLM_INPUT_PRICE', price, {
    default: '0',
    about:
      'Price of a million input tokens, in a currency of your choice. The texts of agents are stored with their cost.',
  })
  readonly llmInputPrice!: number;

  @FromEnv('LLM_OUTPUT_PRICE', price, {
    default: '0',
    about: 'Price of a million output tokens, in the same currency.',
  })
  readonly llmOutputPrice!: number;

  @FromEnv('CRAWLER_CONTACT_URL', emptyOr(url('http', 'https')), {
    default: '',
    about: 'URL of a page about this installation, which the crawler states in its User-Agent. Empty: none.',
  })
  readonly crawlerContactUrl!: string;

  @FromEnv('REPORT_SMTP_URL', smtpUrl, {
    default: '',
    about:
      'SMTP server for the reports of workspaces without a report mailbox: smtp://user:password@host:port (STARTTLS) or smtps:// (TLS). Empty: none.',
    secret: true,
  })
  readonly reportSmtpUrl!: string;

  @FromEnv('REPORT_FROM', mailSender, {
    default: '',
    about: 'Sender address of these reports; required with REPORT_SMTP_URL.',
  })
  readonly reportFrom!: string;

  @FromEnv('BLACKLIST_ZONES_FILE', text, {
    default: '',
    about:
      'JSON file with the blacklists to query, which API and worker read at start (docs/users/deliverability.md). Empty: the default list.',
  })
  readonly blacklistZonesFile!: string;

  @FromEnv('WARMUP_POOL', getOne('installation', 'workspace'), {
    default: 'installation',
    about:
      'Which mailboxes in warmup write to each other: those of the whole installation, or those of the same workspace only.',
  })
  readonly warmupPool!: 'installation' | 'workspace';

  @FromEnv('VERIFICATION_PROBE', getOne('off', 'on'), {
    default: 'off',
    about:
      'Whether email verification probes mail servers over SMTP (docs/users/verification.md). Probes can harm the reputation of the IP address of this machine.',
  })
  readonly verificationProbe!: 'off' | 'on';

  @FromEnv('VERIFICATION_PROBE_HELO', serverName, {
    default: '',
    about:
      'Host name that the probe sends in EHLO; it should have matching forward and reverse DNS records. Empty: the host of PUBLIC_URL.',
  })
  readonly verificationProbeHelo!: string;

  @FromEnv('VERIFICATION_PROBE_FROM', mailSender, {
    default: '',
    about: 'Address that the probe sends in MAIL FROM; do not use a mailbox of a campaign. Empty: the null sender <>.',
  })
  readonly verificationProbeFrom!: string;

  @FromEnv('VERIFICATION_PROBE_TIMEOUT_MS', integer(100, 300_000), {
    default: '20000',
    about: 'Timeout of each step of a probe, in milliseconds.',
  })
  readonly verificationProbeTimeoutMs!: number;

  @FromEnv('VERIFICATION_PROBE_CONNECTIONS', integer(1, 20), {
    default: '2',
    about: 'Concurrent connections of one worker to one mail provider.',
  })
  readonly verificationProbeConnections!: number;

  @FromEnv('VERIFICATION_PROBE_GAP_MS', integer(0, 600_000), {
    default: '1000',
    about: 'Minimum time between two connections of one worker to one mail provider, in milliseconds.',
  })
  readonly verificationProbeGapMs!: number;

  @FromEnv('VERIFICATION_PROBE_PORT', integer(1, 65_535), {
    default: '25',
    about: 'Port of the mail servers to probe; change it for tests only.',
  })
  readonly verificationProbePort!: number;
}
