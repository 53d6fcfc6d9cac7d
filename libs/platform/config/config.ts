import { CrmConfig } from './config.crm';
import { emptyOr, FromEnv, integer, mailSender, oneOf, price, serverName, smtpUrl, text, url } from './variable';

/** All settings of the platform, read from the environment once at start. Nothing else reads the environment. */
export class Config extends CrmConfig {
  @FromEnv('GOOGLE_CLIENT_ID', text, {
    default: '',
    about:
      'OAuth client of your Google Cloud project; empty means that Google mailboxes cannot be connected by consent.',
  })
  readonly googleClientId!: string;

  @FromEnv('GOOGLE_CLIENT_SECRET', text, { default: '', about: 'Secret of that client.', secret: true })
  readonly googleClientSecret!: string;

  @FromEnv('GOOGLE_AUTH_URL', url('http', 'https'), {
    default: 'https://accounts.google.com/o/oauth2/v2/auth',
    about: 'Where people consent; for tests.',
  })
  readonly googleAuthUrl!: string;

  @FromEnv('GOOGLE_TOKEN_URL', url('http', 'https'), {
    default: 'https://oauth2.googleapis.com/token',
    about: 'Where codes, refresh tokens and service accounts are exchanged; for tests.',
  })
  readonly googleTokenUrl!: string;

  @FromEnv('GMAIL_API_URL', url('http', 'https'), {
    default: 'https://gmail.googleapis.com/',
    about: 'Gmail API; for tests.',
  })
  readonly gmailApiUrl!: string;

  @FromEnv('MICROSOFT_CLIENT_ID', text, {
    default: '',
    about:
      'Application id of your Entra ID registration; empty means that Microsoft 365 mailboxes cannot be connected.',
  })
  readonly microsoftClientId!: string;

  @FromEnv('MICROSOFT_CLIENT_SECRET', text, {
    default: '',
    about: 'Secret of that application.',
    secret: true,
  })
  readonly microsoftClientSecret!: string;

  @FromEnv('MICROSOFT_AUTHORITY_URL', url('http', 'https'), {
    default: 'https://login.microsoftonline.com/common',
    about: 'Authority with the tenant: common, organizations or one tenant id.',
  })
  readonly microsoftAuthorityUrl!: string;

  @FromEnv('GRAPH_API_URL', url('http', 'https'), {
    default: 'https://graph.microsoft.com/v1.0',
    about: 'Microsoft Graph; national clouds have their own.',
  })
  readonly graphApiUrl!: string;

  @FromEnv('SLACK_CLIENT_ID', text, {
    default: '',
    about: 'Client id of your Slack app; empty means that Slack is connected by incoming webhooks only.',
  })
  readonly slackClientId!: string;

  @FromEnv('SLACK_CLIENT_SECRET', text, { default: '', about: 'Secret of that client.', secret: true })
  readonly slackClientSecret!: string;

  @FromEnv('SLACK_API_URL', url('http', 'https'), {
    default: 'https://slack.com/api/',
    about: 'Web API of Slack; GovSlack has its own.',
  })
  readonly slackApiUrl!: string;

  @FromEnv('SLACK_AUTH_URL', url('http', 'https'), {
    default: 'https://slack.com/oauth/v2/authorize',
    about: 'Where people consent; GovSlack has its own.',
  })
  readonly slackAuthUrl!: string;

  @FromEnv('SLACK_WEBHOOK_ORIGIN', emptyOr(url('http', 'https')), {
    default: '',
    about: "Origin of incoming webhooks that is taken besides Slack's own; for tests.",
  })
  readonly slackWebhookOrigin!: string;

  @FromEnv('LLM_BASE_URL', url('http', 'https'), {
    default: 'https://api.openai.com/v1',
    about: 'Language model: any server that speaks the HTTP API of OpenAI; may lie in a private network.',
  })
  readonly llmBaseUrl!: string;

  @FromEnv('LLM_API_KEY', text, { default: '', about: 'Key for it; empty where it asks for none.', secret: true })
  readonly llmApiKey!: string;

  @FromEnv('LLM_MODEL', text, {
    default: '',
    about: 'Name of the model; empty means that none is asked and no text of a reply leaves the installation.',
  })
  readonly llmModel!: string;

  @FromEnv('LLM_TIMEOUT_MS', integer(100, 300_000), {
    default: '20000',
    about: 'How long the model may take for one answer, in milliseconds.',
  })
  readonly llmTimeoutMs!: number;

  @FromEnv('LLM_DAILY_BUDGET', integer(0, 1_000_000), {
    default: '500',
    about: 'Questions that one workspace may cost at the model in one day (UTC).',
  })
  readonly llmDailyBudget!: number;

  @FromEnv('LLM_DAILY_TOKENS', integer(0, 1_000_000_000), {
    default: '2000000',
    about:
      'Tokens, of questions and answers, that one workspace may cost at the model in one day (UTC); 0 means no limit.',
  })
  readonly llmDailyTokens!: number;

  @FromEnv('LLM_INPUT_PRICE', price, {
    default: '0',
    about:
      'What a million tokens of questions cost, in the currency of your choice: texts of agents are kept with their cost.',
  })
  readonly llmInputPrice!: number;

  @FromEnv('LLM_OUTPUT_PRICE', price, {
    default: '0',
    about: 'What a million tokens of answers cost, in the same currency.',
  })
  readonly llmOutputPrice!: number;

  @FromEnv('CRAWLER_CONTACT_URL', emptyOr(url('http', 'https')), {
    default: '',
    about:
      'Page about this installation that the crawler names to the websites it reads (in its User-Agent); empty means that it names none.',
  })
  readonly crawlerContactUrl!: string;

  @FromEnv('REPORT_SMTP_URL', smtpUrl, {
    default: '',
    about:
      'SMTP server for reports of workspaces that chose no mailbox for them, as smtp://user:password@host:port (STARTTLS) or smtps:// (TLS); empty means none.',
    secret: true,
  })
  readonly reportSmtpUrl!: string;

  @FromEnv('REPORT_FROM', mailSender, {
    default: '',
    about: 'Address that these reports come from; needed with REPORT_SMTP_URL.',
  })
  readonly reportFrom!: string;

  @FromEnv('BLACKLIST_ZONES_FILE', text, {
    default: '',
    about:
      'JSON file of the blacklists that are asked, read at start by API and worker (docs/users/deliverability.md); empty means the default ones.',
  })
  readonly blacklistZonesFile!: string;

  @FromEnv('WARMUP_POOL', oneOf('installation', 'workspace'), {
    default: 'installation',
    about:
      'Which mailboxes in warmup write to each other: all of the installation, or those of each workspace among themselves.',
  })
  readonly warmupPool!: 'installation' | 'workspace';

  @FromEnv('VERIFICATION_PROBE', oneOf('off', 'on'), {
    default: 'off',
    about:
      'Whether the verification of addresses asks their mail servers over SMTP (docs/users/verification.md); it costs the reputation of this machine’s IP address.',
  })
  readonly verificationProbe!: 'off' | 'on';

  @FromEnv('VERIFICATION_PROBE_HELO', serverName, {
    default: '',
    about: 'Name that the probe gives in EHLO; it should lead to this machine and back. Empty: the host of PUBLIC_URL.',
  })
  readonly verificationProbeHelo!: string;

  @FromEnv('VERIFICATION_PROBE_FROM', mailSender, {
    default: '',
    about: 'Sender that the probe gives in MAIL FROM; no mailbox of a campaign. Empty: the null sender <>.',
  })
  readonly verificationProbeFrom!: string;

  @FromEnv('VERIFICATION_PROBE_TIMEOUT_MS', integer(100, 300_000), {
    default: '20000',
    about: 'Milliseconds that a mail server may take for each step of a probe.',
  })
  readonly verificationProbeTimeoutMs!: number;

  @FromEnv('VERIFICATION_PROBE_CONNECTIONS', integer(1, 20), {
    default: '2',
    about: 'Connections that one worker has open to one mail provider at a time.',
  })
  readonly verificationProbeConnections!: number;

  @FromEnv('VERIFICATION_PROBE_GAP_MS', integer(0, 600_000), {
    default: '1000',
    about: 'Least milliseconds between two connections of one worker to one mail provider.',
  })
  readonly verificationProbeGapMs!: number;

  @FromEnv('VERIFICATION_PROBE_PORT', integer(1, 65_535), {
    default: '25',
    about: 'Port of the mail servers that are asked; for tests.',
  })
  readonly verificationProbePort!: number;
}
