import { type McpConfig } from '@platform/config';
import { type PlatformClient } from './platform/platform.client';
import { ToolRefusedError } from './platform/tool-refused.errors';
import { type PlatformTool } from './tools/tool';

/** A read that every key may do, in the workspace of the tools. */
const PROBE = { method: 'GET', path: '/v1/credits/balance', body: undefined };

/**
 * Sends a small request with the configured key: AI tools show little about a server that fails.
 * @throws Refusal when the platform is not reachable or rejects the request
 */
export async function checkConnection(
  platform: Pick<PlatformClient, 'request'>,
  tools: readonly PlatformTool[],
  { url, timeoutMs }: Pick<McpConfig, 'url' | 'timeoutMs'>,
): Promise<string> {
  await platform.request(PROBE, AbortSignal.timeout(timeoutMs));
  const changing = tools.filter(({ annotations }) => !annotations.readOnlyHint).length;
  return `${url} takes the key. ${tools.length} tools are offered; ${changing} of them change something.`;
}

/** The reason of a failure: the message of the platform or the settings, else the stack. */
export function explainFailure(error: unknown): string {
  if (error instanceof ToolRefusedError) return `${error.fields.code}: ${error.message}`;
  if (!(error instanceof Error)) return String(error);
  return error.name === 'ConfigError' || error.name === 'TimeoutError' ? error.message : (error.stack ?? error.message);
}
