import { type McpConfig } from '@platform/config';
import { type PlatformClient } from './platform/platform.client';
import { ToolRefusedError } from './platform/refusal';
import { type PlatformTool } from './tools/tool';

/** What every key may read, in the workspace in which tools would act. */
const PROBE = { method: 'GET', path: '/v1/credits/balance', body: undefined };

/**
 * Asks the platform for something small with the key that is set: AI tools show little of why a server does not work.
 * @throws Refusal when the platform cannot be reached or refuses
 */
export async function checked(
  platform: Pick<PlatformClient, 'ask'>,
  tools: readonly PlatformTool[],
  { url, timeoutMs }: Pick<McpConfig, 'url' | 'timeoutMs'>,
): Promise<string> {
  await platform.ask(PROBE, AbortSignal.timeout(timeoutMs));
  const changing = tools.filter(({ annotations }) => !annotations.readOnlyHint).length;
  return `${url} takes the key. ${tools.length} tools are offered; ${changing} of them change something.`;
}

/** Why not: in the platform's words or those of the settings, else with a stack. */
export function explained(error: unknown): string {
  if (error instanceof ToolRefusedError) return `${error.fields.code}: ${error.message}`;
  if (!(error instanceof Error)) return String(error);
  return error.name === 'ConfigError' || error.name === 'TimeoutError' ? error.message : (error.stack ?? error.message);
}
