import { apiKey, flag, FromMcpEnv, integer, getOne, platformUrl, recordId } from './variable';

/** Settings of the MCP server, read from the environment by `loadMcpConfig`. */
export class McpConfig {
  @FromMcpEnv('OUTREACH_URL', platformUrl, {
    default: 'http://localhost:3000',
    about: 'URL of the platform, the same as PUBLIC_URL. It must be https unless the platform is in your own network.',
  })
  readonly url!: string;

  @FromMcpEnv('OUTREACH_API_KEY', apiKey, {
    about: 'API key for all requests. The AI tool may use every offered tool that this key permits.',
    example: 'sk_…',
    secret: true,
  })
  readonly apiKey!: string;

  @FromMcpEnv('OUTREACH_WORKSPACE', recordId, {
    default: '',
    about: 'Workspace id, for a key of a user. Empty means the default workspace of the user.',
  })
  readonly workspace!: string;

  @FromMcpEnv('OUTREACH_MCP_READ_ONLY', flag, {
    default: 'false',
    about: 'Whether only read-only tools are offered.',
  })
  readonly readOnly!: boolean;

  @FromMcpEnv('OUTREACH_MCP_TIMEOUT_MS', integer(1000, 600_000), {
    default: '50000',
    about:
      'Timeout of a tool call in milliseconds, including waits for the rate limit. Most AI tools stop after 60000.',
  })
  readonly timeoutMs!: number;

  @FromMcpEnv('OUTREACH_MCP_LOG_LEVEL', getOne('debug', 'info', 'warn', 'error', 'silent'), {
    default: 'warn',
    about: 'Lowest severity of log lines that are written to standard error.',
  })
  readonly logLevel!: 'debug' | 'info' | 'warn' | 'error' | 'silent';
}
