import { type Config, variables } from '@platform/config';

/** The environment that makes a process read this configuration. */
export function environmentOf(config: Config): Record<string, string> {
  const fields = config as unknown as Record<string, unknown>;
  return Object.fromEntries(variables.map(({ env, field }) => [env, String(fields[field])]));
}
