import { type Config, variables } from '@platform/config';

/** What a process of the platform takes over from the tests' own: whom to trust, and where its code lies compiled. */
const PASSED_ON = ['NODE_EXTRA_CA_CERTS', 'NODE_COMPILE_CACHE'];

/** The environment that makes a process read this configuration, and trust the mail sandbox. */
export function environmentOf(config: Config): Record<string, string> {
  const fields = config as unknown as Record<string, unknown>;
  const passedOn = PASSED_ON.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries([...variables.map(({ env, field }) => [env, String(fields[field])] as const), ...passedOn]);
}
