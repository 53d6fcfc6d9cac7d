import { apiKey, flag, FromMcpEnv, integer, oneOf, platformUrl, recordId } from './variable';

/** Settings of the MCP server, read from the environment by `loadMcpConfig`. */
export class McpConfig {
  @FromMcpEnv('OUTREACH_URL', platformUrl, {
    default: 'http://localhost:3000',
    about: 'Address of the platform, as PUBLIC_URL has it; https unless it is in your own network.',
  })
  readonly url!: string;

  @FromMcpEnv('OUTREACH_API_KEY', apiKey, {
    about: 'API key with which everything is asked: what it may, the AI tool may, as far as it is offered.',
    example: 'sk_…',
    secret: true,
  })
  readonly apiKey!: string;

  @FromMcpEnv('OUTREACH_WORKSPACE', recordId, {
    default: '',
    about: 'Id of the workspace to act in, for a user’s key; empty: its default workspace.',
  })
  readonly workspace!: string;

  @FromMcpEnv('OUTREACH_MCP_READ_ONLY', flag, {
    default: 'false',
    about: 'Whether only tools are offered that change nothing.',
  })
  readonly readOnly!: boolean;

  @FromMcpEnv('OUTREACH_MCP_TIMEOUT_MS', integer(1000, 600_000), {
    default: '50000',
    about: 'Milliseconds that a tool may take, waiting for the rate limit included. Most AI tools give up after 60000.',
  })
  readonly timeoutMs!: number;

  @FromMcpEnv('OUTREACH_MCP_LOG_LEVEL', oneOf('debug', 'info', 'warn', 'error', 'silent'), {
    default: 'warn',
    about: 'Least severe log line that is written, to standard error.',
  })
  readonly logLevel!: 'debug' | 'info' | 'warn' | 'error' | 'silent';
}
