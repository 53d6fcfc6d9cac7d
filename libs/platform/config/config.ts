import {
  emptyOr,
  flag,
  flagOrNetworks,
  FromEnv,
  integer,
  list,
  mailSender,
  oneOf,
  price,
  serverAddresses,
  serverName,
  smtpUrl,
  text,
  token,
  url,
} from './variable';

/** All settings of the platform, read from the environment once at start. Nothing else reads the environment. */
export class Config {
  @FromEnv('NODE_ENV', oneOf('development', 'production', 'test'), {
    default: 'production',
    about: 'What this installation is for.',
  })
  readonly environment!: 'development' | 'production' | 'test';

  @FromEnv('MONGODB_URI', url('mongodb', 'mongodb+srv'), {
    about: 'MongoDB replica set that holds all data; the path names the database.',
    example: 'mongodb://localhost:27017/outreach?replicaSet=rs0',
    secret: true,
  })
  readonly mongodbUri!: string;

  @FromEnv('REDIS_URL', url('redis', 'rediss'), {
    about: 'Redis (noeviction, AOF) that wakes the workers; losing it loses no work.',
    example: 'redis://localhost:6379',
    secret: true,
  })
  readonly redisUrl!: string;

  @FromEnv('REDIS_TIMEOUT_MS', integer(100, 60_000), {
    default: '700',
    about:
      'Milliseconds that a command to Redis may take. After that a request answers 503, and jobs are left to the sweep.',
  })
  readonly redisTimeoutMs!: number;

  @FromEnv('QUEUE_PREFIX', text, {
    default: 'outreach',
    about: 'Prefix of all Redis keys, for installations that share one Redis.',
  })
  readonly queuePrefix!: string;

  @FromEnv('SECRET_KEYS', text, {
    about: 'Keys for encryption and signing as id:base64 (32 random bytes each), newest first, comma-separated.',
    example: 'k1:<openssl rand -base64 32>',
    secret: true,
  })
  readonly secretKeys!: string;

  @FromEnv('LOG_LEVEL', oneOf('debug', 'info', 'warn', 'error', 'silent'), {
    default: 'info',
    about: 'Least severe log line that is written.',
  })
  readonly logLevel!: 'debug' | 'info' | 'warn' | 'error' | 'silent';

  @FromEnv('API_HOST', text, { default: '0.0.0.0', about: 'Address on which the API listens.' })
  readonly apiHost!: string;

  @FromEnv('API_PORT', integer(0, 65535), { default: '3000', about: 'Port on which the API listens.' })
  readonly apiPort!: number;

  @FromEnv('PUBLIC_URL', url('http', 'https'), {
    default: 'http://localhost:3000',
    about: 'Address under which clients reach the API, shown in the OpenAPI document.',
  })
  readonly publicUrl!: string;

  @FromEnv('OPS_HOST', text, {
    default: '0.0.0.0',
    about: 'Address on which metrics (and the health of the worker) are served; keep it off the public network.',
  })
  readonly opsHost!: string;

  @FromEnv('API_METRICS_PORT', integer(0, 65535), {
    default: '9464',
    about: 'Port on which the API serves /metrics.',
  })
  readonly apiMetricsPort!: number;

  @FromEnv('WORKER_PORT', integer(0, 65535), {
    default: '3001',
    about: 'Port on which the worker serves /health/live, /health/ready and /metrics.',
  })
  readonly workerPort!: number;

  @FromEnv('QUEUE_VIEW_TOKEN', token, {
    default: '',
    about:
      'Password of the view of all queues that the worker serves under /queues/ on that port; empty means no view.',
    secret: true,
  })
  readonly queueViewToken!: string;

  @FromEnv('WORKER_QUEUES', list, {
    default: '',
    about: 'Queues that this worker consumes, comma-separated; empty means all.',
  })
  readonly workerQueues!: readonly string[];

  @FromEnv('SHUTDOWN_TIMEOUT_SECONDS', integer(1, 600), {
    default: '15',
    about: 'How long requests and jobs in flight may take to finish after SIGTERM.',
  })
  readonly shutdownTimeoutSeconds!: number;

  @FromEnv('TRUSTED_PROXIES', integer(0, 10), {
    default: '0',
    about: 'Number of reverse proxies in front of the API whose X-Forwarded-For entry is believed.',
  })
  readonly trustedProxies!: number;

  @FromEnv('CORS_ORIGINS', list, {
    default: '',
    about: 'Origins whose browsers may call the API, comma-separated; empty means none.',
  })
  readonly corsOrigins!: readonly string[];

  @FromEnv('RATE_LIMIT_REQUESTS', integer(1, 1_000_000), {
    default: '100',
    about: 'Requests that one key may make in a window, unless the key has its own limit.',
  })
  readonly rateLimitRequests!: number;

  @FromEnv('RATE_LIMIT_WINDOW_SECONDS', integer(1, 3600), {
    default: '10',
    about: 'Length of the rate-limit window in seconds.',
  })
  readonly rateLimitWindowSeconds!: number;

  @FromEnv('OUTBOUND_ALLOW_PRIVATE', flagOrNetworks, {
    default: 'false',
    about:
      'Whether addresses that users give (webhooks, hosts) may lie in private or loopback networks: true, false, or the networks, comma-separated (10.20.0.0/16,fd12::/48).',
  })
  readonly outboundAllowPrivate!: boolean | readonly string[];

  @FromEnv('DNS_SERVERS', serverAddresses(53), {
    default: '',
    about:
      'DNS resolvers to ask, comma-separated (10.0.0.2, 10.0.0.2:5353, [fd00::2]:53); empty means those of the machine. Blacklists refuse public resolvers: run your own.',
  })
  readonly dnsServers!: readonly string[];

  @FromEnv('DEFAULT_MAX_MEMBERS', integer(1, 1000), {
    default: '25',
    about: 'Members, pending invitations included, that a new workspace may have.',
  })
  readonly defaultMaxMembers!: number;

  @FromEnv('DEFAULT_MAX_CAMPAIGNS', integer(0, 1_000_000), {
    default: '1000',
    about: 'Campaigns that a new workspace may have.',
  })
  readonly defaultMaxCampaigns!: number;

  @FromEnv('DEFAULT_MAX_LEADS', integer(0, 1_000_000_000), {
    default: '1000000',
    about: 'Leads that a new workspace may have.',
  })
  readonly defaultMaxLeads!: number;

  @FromEnv('DEFAULT_MAX_MAILBOXES', integer(0, 1_000_000), {
    default: '1000',
    about: 'Mailboxes that a new workspace may have.',
  })
  readonly defaultMaxMailboxes!: number;

  @FromEnv('MAX_WORKSPACES_PER_USER', integer(1, 100_000), {
    default: '100',
    about: 'Workspaces that one user may own.',
  })
  readonly maxWorkspacesPerUser!: number;

  @FromEnv('NEW_WORKSPACE_CREDITS', integer(0, 1_000_000_000), {
    default: '0',
    about: 'Credits that a new workspace is granted.',
  })
  readonly newWorkspaceCredits!: number;

  @FromEnv('INVITATION_DAYS', integer(1, 365), {
    default: '7',
    about: 'Days for which an invitation can be accepted.',
  })
  readonly invitationDays!: number;

  @FromEnv('WORKSPACE_RETENTION_DAYS', integer(0, 3650), {
    default: '30',
    about: 'Days for which a deleted workspace can be restored before its data are erased.',
  })
  readonly workspaceRetentionDays!: number;

  @FromEnv('MAIL_ALLOW_PLAINTEXT', flag, {
    default: 'false',
    about: 'Whether passwords may be sent to mail servers that offer no encryption.',
  })
  readonly mailAllowPlaintext!: boolean;

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
      'JSON file of the blacklists that are asked, read at start by API and worker (docs/blacklists.md); empty means the default ones.',
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
      'Whether the verification of addresses asks their mail servers over SMTP (docs/probing.md); it costs the reputation of this machine’s IP address.',
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
