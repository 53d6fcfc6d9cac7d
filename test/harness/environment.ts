import { type Config, variables } from '@platform/config';

/** The environment that makes a process read this configuration, and trust the mail sandbox. */
export function environmentOf(config: Config): Record<string, string> {
  const fields = config as unknown as Record<string, unknown>;
  const { NODE_EXTRA_CA_CERTS } = process.env;
  return {
    ...Object.fromEntries(variables.map(({ env, field }) => [env, String(fields[field])])),
    ...(NODE_EXTRA_CA_CERTS === undefined ? {} : { NODE_EXTRA_CA_CERTS }),
  };
}
