import { flag, flagOrNetworks, FromEnv, integer, list, getOne, serverAddresses, text, token, url } from './variable';

/** The installation itself: its processes, database, queue, addresses, and what a new workspace may have. */
export class CoreConfig {
  @FromEnv('NODE_ENV', getOne('development', 'production', 'test'), {
    default: 'production',
    about: 'Environment of this installation: development, production or test.',
  })
  readonly environment!: 'development' | 'production' | 'test';

  @FromEnv('MONGODB_URI', url('mongodb', 'mongodb+srv'), {
    about: 'MongoDB replica set with all data. The path is the name of the database.',
    example: 'mongodb://localhost:27017/outreach?replicaSet=rs0',
    secret: true,
  })
  readonly mongodbUri!: string;

  @FromEnv('REDIS_URL', url('redis', 'rediss'), {
    about: 'Redis that wakes the workers, with noeviction and AOF. A loss of its data loses no work.',
    example: 'redis://localhost:6379',
    secret: true,
  })
  readonly redisUrl!: string;

  @FromEnv('REDIS_TIMEOUT_MS', integer(100, 60_000), {
    default: '700',
    about:
      'Timeout of a Redis command in milliseconds. After it, a request answers 503, and the sweep enqueues the job later.',
  })
  readonly redisTimeoutMs!: number;

  @FromEnv('QUEUE_PREFIX', text, {
    default: 'outreach',
    about: 'Prefix of all Redis keys, for installations that share a Redis server.',
  })
  readonly queuePrefix!: string;

  @FromEnv('SECRET_KEYS', text, {
    about: 'Keys for encryption and signing as id:base64 (32 random bytes each), comma-separated, newest first.',
    example: 'k1:<openssl rand -base64 32>',
    secret: true,
  })
  readonly secretKeys!: string;

  @FromEnv('ASSETS_DIR', text, {
    default: '',
    about:
      'Folder of your own texts and word lists, read at start by API and worker (docs/users/warmup.md); empty means none.',
  })
  readonly assetsDir!: string;

  @FromEnv('LOG_LEVEL', getOne('debug', 'info', 'warn', 'error', 'silent'), {
    default: 'info',
    about: 'Lowest severity of log lines that are written.',
  })
  readonly logLevel!: 'debug' | 'info' | 'warn' | 'error' | 'silent';

  @FromEnv('API_HOST', text, { default: '0.0.0.0', about: 'Address on which the API listens.' })
  readonly apiHost!: string;

  @FromEnv('API_PORT', integer(0, 65535), { default: '3000', about: 'Port on which the API listens.' })
  readonly apiPort!: number;

  @FromEnv('PUBLIC_URL', url('http', 'https'), {
    default: 'http://localhost:3000',
    about: 'URL at which clients reach the API, shown in the OpenAPI document.',
  })
  readonly publicUrl!: string;

  @FromEnv('OPS_HOST', text, {
    default: '0.0.0.0',
    about: 'Address on which metrics and the health of the worker are served. Do not expose it to the public network.',
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
    about: 'Password of the queue view that the worker serves at /queues/ on WORKER_PORT. Empty disables the view.',
    secret: true,
  })
  readonly queueViewToken!: string;

  @FromEnv('WORKER_QUEUES', list, {
    default: '',
    about: 'Queues that this worker consumes, comma-separated. Empty means all.',
  })
  readonly workerQueues!: readonly string[];

  @FromEnv('SHUTDOWN_TIMEOUT_SECONDS', integer(1, 600), {
    default: '15',
    about: 'Seconds that running requests and jobs have to finish after SIGTERM.',
  })
  readonly shutdownTimeoutSeconds!: number;

  @FromEnv('TRUSTED_PROXIES', integer(0, 10), {
    default: '0',
    about: 'Number of reverse proxies in front of the API whose X-Forwarded-For entries are trusted.',
  })
  readonly trustedProxies!: number;

  @FromEnv('CORS_ORIGINS', list, {
    default: '',
    about: 'Origins from which browsers may call the API, comma-separated. Empty means none.',
  })
  readonly corsOrigins!: readonly string[];

  @FromEnv('RATE_LIMIT_REQUESTS', integer(1, 1_000_000), {
    default: '100',
    about: 'Requests that a key may make per rate-limit window, unless the key has a limit of its own.',
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
      'Whether addresses that users enter (webhooks, hosts) may be in private or loopback networks: true, false, or a comma-separated list of networks (10.20.0.0/16,fd12::/48).',
  })
  readonly outboundAllowPrivate!: boolean | readonly string[];

  @FromEnv('DNS_SERVERS', serverAddresses(53), {
    default: '',
    about:
      'DNS resolvers, comma-separated (10.0.0.2, 10.0.0.2:5353, [fd00::2]:53). Empty means the resolvers of the machine. Blacklists refuse public resolvers, so run your own.',
  })
  readonly dnsServers!: readonly string[];

  @FromEnv('DEFAULT_MAX_MEMBERS', integer(1, 1000), {
    default: '25',
    about: 'Maximum number of members of a new workspace, including pending invitations.',
  })
  readonly defaultMaxMembers!: number;

  @FromEnv('DEFAULT_MAX_CAMPAIGNS', integer(0, 1_000_000), {
    default: '1000',
    about: 'Maximum number of campaigns of a new workspace.',
  })
  readonly defaultMaxCampaigns!: number;

  @FromEnv('DEFAULT_MAX_LEADS', integer(0, 1_000_000_000), {
    default: '1000000',
    about: 'Maximum number of leads of a new workspace.',
  })
  readonly defaultMaxLeads!: number;

  @FromEnv('DEFAULT_MAX_MAILBOXES', integer(0, 1_000_000), {
    default: '1000',
    about: 'Maximum number of mailboxes of a new workspace.',
  })
  readonly defaultMaxMailboxes!: number;

  @FromEnv('MAX_WORKSPACES_PER_USER', integer(1, 100_000), {
    default: '100',
    about: 'Maximum number of workspaces that one user may own.',
  })
  readonly maxWorkspacesPerUser!: number;

  @FromEnv('NEW_WORKSPACE_CREDITS', integer(0, 1_000_000_000), {
    default: '0',
    about: 'Credits granted to a new workspace.',
  })
  readonly newWorkspaceCredits!: number;

  @FromEnv('INVITATION_DAYS', integer(1, 365), {
    default: '7',
    about: 'Days during which an invitation can be accepted.',
  })
  readonly invitationDays!: number;

  @FromEnv('WORKSPACE_RETENTION_DAYS', integer(0, 3650), {
    default: '30',
    about: 'Days during which a deleted workspace can be restored. After that its data are erased.',
  })
  readonly workspaceRetentionDays!: number;

  @FromEnv('MAIL_ALLOW_PLAINTEXT', flag, {
    default: 'false',
    about: 'Whether passwords may be sent to mail servers without encryption.',
  })
  readonly mailAllowPlaintext!: boolean;
}
