import { flag, flagOrNetworks, FromEnv, integer, list, oneOf, serverAddresses, text, token, url } from './variable';

/** The installation itself: its processes, database, queue, addresses, and what a new workspace may have. */
export class CoreConfig {
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
}
