import { flag, flagOrNetworks, FromEnv, integer, list, getOne, serverAddresses, text, token, url } from './variable';

/** Settings of the installation itself: processes, database, queue, network, and limits of new workspaces. */
export class CoreConfig {
  @FromEnv('NODE_ENV', getOne('development', 'production', 'test'), {
    default: 'production',
    about: 'Purpose of this installation.',
  })
  readonly environment!: 'development' | 'production' | 'test';

  @FromEnv('MONGODB_URI', url('mongodb', 'mongodb+srv'), {
    about: 'Connection string of the MongoDB replica set that stores all data; its path is the name of the database.',
    example: 'mongodb://localhost:27017/outreach?replicaSet=rs0',
    secret: true,
  })
  readonly mongodbUri!: string;

  @FromEnv('REDIS_URL', url('redis', 'rediss'), {
    about: 'URL of the Redis (noeviction, AOF) that holds the job queues. Its loss loses no work.',
    example: 'redis://localhost:6379',
    secret: true,
  })
  readonly redisUrl!: string;

  @FromEnv('REDIS_TIMEOUT_MS', integer(100, 60_000), {
    default: '700',
    about:
      'Timeout of a Redis command, in milliseconds. After it a request fails with 503, and a sweep enqueues the job later.',
  })
  readonly redisTimeoutMs!: number;

  @FromEnv('QUEUE_PREFIX', text, {
    default: 'outreach',
    about: 'Prefix of all Redis keys, for installations that share a Redis.',
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
    about: 'Lowest level of log lines that are written.',
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
    about: 'Address on which metrics and the health of the worker are served; do not expose it to the public network.',
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
    about: 'Password of the queue dashboard that the worker serves under /queues/ on WORKER_PORT. Empty: no dashboard.',
    secret: true,
  })
  readonly queueViewToken!: string;

  @FromEnv('WORKER_QUEUES', list, {
    default: '',
    about: 'Queues that this worker consumes, comma-separated. Empty: all.',
  })
  readonly workerQueues!: readonly string[];

  @FromEnv('SHUTDOWN_TIMEOUT_SECONDS', integer(1, 600), {
    default: '15',
    about: 'Time that requests and jobs in progress have to finish after SIGTERM, in seconds.',
  })
  readonly shutdownTimeoutSeconds!: number;

  @FromEnv('TRUSTED_PROXIES', integer(0, 10), {
    default: '0',
    about: 'Number of reverse proxies in front of the API whose X-Forwarded-For entries are trusted.',
  })
  readonly trustedProxies!: number;

  @FromEnv('CORS_ORIGINS', list, {
    default: '',
    about: 'Origins that may call the API from a browser (CORS), comma-separated. Empty: none.',
  })
  readonly corsOrigins!: readonly string[];

  @FromEnv('RATE_LIMIT_REQUESTS', integer(1, 1_000_000), {
    default: '100',
    about: 'Requests per rate-limit window of one API key, unless the key has its own limit.',
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
      'Whether hosts that users enter (webhooks, mail servers) may have private or loopback addresses: true, false, or the allowed networks, comma-separated (10.20.0.0/16,fd12::/48).',
  })
  readonly outboundAllowPrivate!: boolean | readonly string[];

  @FromEnv('DNS_SERVERS', serverAddresses(53), {
    default: '',
    about:
      'DNS resolvers, comma-separated (10.0.0.2, 10.0.0.2:5353, [fd00::2]:53). Empty: the resolvers of the machine. Blacklists refuse public resolvers: run your own.',
  })
  readonly dnsServers!: readonly string[];

  @FromEnv('DEFAULT_MAX_MEMBERS', integer(1, 1000), {
    default: '25',
    about: 'Maximum number of members of a new workspace, pending invitations included.',
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
    about: 'Days until an invitation expires.',
  })
  readonly invitationDays!: number;

  @FromEnv('WORKSPACE_RETENTION_DAYS', integer(0, 3650), {
    default: '30',
    about: 'Days in which a deleted workspace can be restored. After that its data are erased.',
  })
  readonly workspaceRetentionDays!: number;

  @FromEnv('MAIL_ALLOW_PLAINTEXT', flag, {
    default: 'false',
    about: 'Whether passwords may be sent to mail servers without encryption.',
  })
  readonly mailAllowPlaintext!: boolean;
}
