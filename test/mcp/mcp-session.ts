import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Stream } from 'node:stream';
import { type CallToolResult, Client, type Tool } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const ROOT = join(__dirname, '../..');
const PROGRAM = 'dist/apps/mcp/src/main.js';

/** Environment that an AI client gives the server, besides the compile cache of Node. */
function environmentWith(own: Record<string, string>): Record<string, string> {
  const cache = process.env['NODE_COMPILE_CACHE'];
  return { ...(cache && { NODE_COMPILE_CACHE: cache }), OUTREACH_MCP_LOG_LEVEL: 'debug', ...own };
}

/** An AI client with the built server, which it starts as a child process. */
export class McpSession {
  #stderr = '';

  private constructor(private readonly client: Client) {}

  static async start(own: Record<string, string>): Promise<McpSession> {
    const session = new McpSession(new Client({ name: 'test', version: '1.0.0' }));
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [PROGRAM],
      cwd: ROOT,
      env: environmentWith(own),
      stderr: 'pipe',
    });
    (transport.stderr as Stream).on('data', (chunk: Buffer) => (session.#stderr += chunk.toString()));
    await session.client.connect(transport);
    return session;
  }

  /** Log output of the server. */
  get logged(): string {
    return this.#stderr;
  }

  get instructions(): string | undefined {
    return this.client.getInstructions();
  }

  async tools(): Promise<Tool[]> {
    return (await this.client.listTools()).tools;
  }

  call(name: string, given: Record<string, unknown> = {}): Promise<CallToolResult> {
    return this.client.callTool({ name, arguments: given });
  }

  /** The result of a tool call that succeeds. */
  async data<T>(name: string, given: Record<string, unknown> = {}): Promise<T> {
    const { isError, content, structuredContent } = await this.call(name, given);
    if (isError) throw new Error(JSON.stringify(content));
    return (structuredContent as { data: T }).data;
  }

  /** The code and the message of a refused tool call. */
  async refusal(name: string, given: Record<string, unknown> = {}): Promise<string> {
    const { isError, structuredContent } = await this.call(name, given);
    const { error } = (structuredContent ?? {}) as { error?: { code: string; message: string } };
    return isError && error ? `${error.code}: ${error.message}` : 'it does not refuse';
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

/** The built server without a client library: for invalid input, and for its exit. */
export class BareServer {
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  #stdout = '';
  #stderr = '';

  constructor(own: Record<string, string>, { cwd = ROOT, args = [] }: { cwd?: string; args?: string[] } = {}) {
    this.#child = spawn(process.execPath, [join(ROOT, PROGRAM), ...args], { cwd, env: environmentWith(own) });
    this.#exited = once(this.#child, 'close');
    this.#child.stdout?.on('data', (chunk: Buffer) => (this.#stdout += chunk.toString()));
    this.#child.stderr?.on('data', (chunk: Buffer) => (this.#stderr += chunk.toString()));
  }

  get stdout(): string {
    return this.#stdout;
  }

  get stderr(): string {
    return this.#stderr;
  }

  /** The received messages, one per line; any other standard output breaks the protocol, and throws. */
  get messages(): Record<string, unknown>[] {
    const lines = this.#stdout.split('\n').filter((line) => line !== '');
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  send(...messages: object[]): void {
    for (const message of messages) this.#child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  closeInput(): void {
    this.#child.stdin?.end();
  }

  kill(signal: 'SIGTERM' | 'SIGKILL'): void {
    this.#child.kill(signal);
  }

  /** The exit status; null if a signal ended it. */
  async status(): Promise<number | null> {
    await this.#exited;
    return this.#child.exitCode;
  }
}
