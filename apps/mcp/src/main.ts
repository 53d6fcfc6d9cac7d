import 'reflect-metadata';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { loadMcpConfig } from '@platform/config';
import { runProcess, type RunningProcess } from '@platform/lifecycle';
import { LogService, rootLogger } from '@platform/observability';
import { OutboundHttpClient } from '@platform/outbound';
import { checkConnection, explainFailure } from './connection-check';
import { createMcpServer } from './mcp-server';
import { readDocument } from './openapi/document';
import { PlatformClient } from './platform/platform.client';
import { getTools } from './tools/tool';
import { ToolCaller } from './tools/tool-caller';

/** Milliseconds for requests in flight to react to their abort. */
const STOP_WITHIN_MS = 5_000;

function parts() {
  const config = loadMcpConfig();
  // The URL is the user's own setting: many run the platform on this computer.
  const http = new OutboundHttpClient({ allowPrivate: true });
  return { config, http, platform: new PlatformClient(http, config), tools: getTools(readDocument(), config) };
}

/** Serves MCP on standard input and output until the input ends; the log goes to standard error. */
async function start(): Promise<RunningProcess> {
  const { config, http, platform, tools } = parts();
  const write = (line: string): void => void process.stderr.write(line);
  const log = new LogService(rootLogger({ level: config.logLevel, app: 'mcp', write }));
  const calls = new ToolCaller(platform, config, log);
  const transport = new StdioServerTransport();
  const served = serveStdio(() => createMcpServer(tools, calls), {
    transport,
    onerror: (error) => log.warn('A message could not be handled', { err: error }),
  });
  const ended = Promise.withResolvers<void>();
  const onclose = transport.onclose;
  transport.onclose = () => {
    onclose?.();
    ended.resolve();
  };
  log.info('MCP server is ready', { tools: tools.length, url: config.url, readOnly: config.readOnly });
  return {
    log,
    ended: ended.promise,
    stopWithinMs: STOP_WITHIN_MS,
    stop: async () => {
      await served.close();
      await http.onModuleDestroy();
    },
  };
}

/** Tells the user whether the settings are correct. */
async function check(): Promise<void> {
  try {
    const { config, http, platform, tools } = parts();
    try {
      process.stdout.write(`${await checkConnection(platform, tools, config)}\n`);
    } finally {
      await http.onModuleDestroy();
    }
  } catch (error) {
    process.stderr.write(`${explainFailure(error)}\n`);
    process.exitCode = 1;
  }
}

if (process.argv.includes('--check')) void check();
else runProcess(start);
