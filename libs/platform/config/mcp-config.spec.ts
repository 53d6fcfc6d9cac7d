import { loadMcpConfig } from './load-config';
import { ConfigError } from './config.errors';
import { type McpConfig } from './mcp-config';
import { envExample } from './print-config';
import { mcpVariables, variables } from './variable';

const KEY = 'sk_0123456789abcdef';

function problemOf(env: Record<string, string>): string {
  try {
    loadMcpConfig({ OUTREACH_API_KEY: KEY, ...env });
    return 'none';
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.join();
    throw error;
  }
}

describe('loadMcpConfig', () => {
  it('requires only a key and no variable of the platform', () => {
    expect(loadMcpConfig({ OUTREACH_API_KEY: KEY })).toEqual<McpConfig>({
      url: 'http://localhost:3000',
      apiKey: KEY,
      workspace: '',
      readOnly: false,
      timeoutMs: 50_000,
      logLevel: 'warn',
    });
    expect(problemOf({ OUTREACH_API_KEY: '' })).toContain('OUTREACH_API_KEY is required');
  });

  it.each([
    ['https://outreach.example.com', 'https://outreach.example.com'],
    ['https://outreach.example.com/', 'https://outreach.example.com'],
    ['https://example.com/outreach//', 'https://example.com/outreach'],
    ['http://10.0.0.2:3000', 'http://10.0.0.2:3000'],
  ])('reads %s as the address %s', (given, url) => {
    expect(loadMcpConfig({ OUTREACH_API_KEY: KEY, OUTREACH_URL: given }).url).toBe(url);
  });

  it.each([
    ['OUTREACH_URL', 'outreach.example.com', 'must be a URL that starts with http:// or https://'],
    ['OUTREACH_URL', 'ftp://outreach.example.com', 'must be a URL that starts with'],
    ['OUTREACH_URL', 'http://', 'must be a URL that starts with'],
    ['OUTREACH_URL', 'https://user:canary@example.com', 'must have no user, query or fragment'],
    ['OUTREACH_URL', 'https://example.com/?key=canary', 'must have no user, query or fragment'],
    ['OUTREACH_API_KEY', 'canary', 'must be an API key'],
    ['OUTREACH_API_KEY', 'sk_canary\r\nX-Other: 1', 'must be an API key'],
    ['OUTREACH_API_KEY', `sk_${'a'.repeat(201)}`, 'must be an API key'],
    ['OUTREACH_WORKSPACE', 'canary', 'must be an id of 24 hexadecimal digits'],
    ['OUTREACH_MCP_READ_ONLY', 'yes', 'must be true or false'],
    ['OUTREACH_MCP_TIMEOUT_MS', '999', 'must be a whole number from 1000 to 600000'],
  ])('rejects the %s %j without repeating it', (name, text, problem) => {
    expect(problemOf({ [name]: text })).toContain(`${name} ${problem}`);
    expect(problemOf({ [name]: text })).not.toContain('canary');
  });
});

describe('envExample', () => {
  it('names the variables of the MCP server, without those of the platform', () => {
    const text = envExample();
    for (const { env } of mcpVariables) expect(text.match(new RegExp(`^# ${env}=`, 'gm'))).toHaveLength(1);
    expect(variables.filter(({ env }) => env.startsWith('OUTREACH_'))).toEqual([]);
  });
});
