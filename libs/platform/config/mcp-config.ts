import { apiKey, flag, FromMcpEnv, integer, getOne, platformUrl, recordId } from './variable';

/** Settings of the MCP server, read from the environment by `loadMcpConfig`. */
export class McpConfig {
  @FromMcpEnv('OUTREACH_URL', platformUrl, {
    default: 'http://localhost:3000',
    about: 'URL of the platform, the same as PUBLIC_URL; use https outside your own network.',
  })
  readonly url!: string;

  @FromMcpEnv('OUTREACH_API_KEY', apiKey, {
    about: 'API key of all requests. The AI tool has the permissions of this key, within the tools offered.',
    example: 'sk_…',
    secret: true,
  })
  readonly apiKey!: string;

  @FromMcpEnv('OUTREACH_WORKSPACE', recordId, {
    default: '',
    about: 'Id of the workspace to act in, for the key of a user. Empty: the default workspace of the user.',
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
      'Timeout of a tool call in milliseconds, waits for the rate limit included. Most AI tools give up after 60000.',
  })
  readonly timeoutMs!: number;

  @FromMcpEnv('OUTREACH_MCP_LOG_LEVEL', getOne('debug', 'info', 'warn', 'error', 'silent'), {
    default: 'warn',
    about: 'Lowest level of log lines, which go to standard error.',
  })
  readonly logLevel!: 'debug' | 'info' | 'warn' | 'error' | 'silent';
}
