import { type Config, variables } from '@platform/config';
import { keepToItself } from '@testing';

/** What a process of the platform takes over from the tests' own: whom to trust, and where its code lies compiled. */
const PASSED_ON = ['NODE_EXTRA_CA_CERTS', 'NODE_COMPILE_CACHE'];

/** Where nobody answers: what is asked there stays unknown, whatever the resolvers of this machine would say of made-up domains. */
const NO_DNS = '127.0.0.1:9';

/** The environment that makes a process read this configuration, and trust the mail sandbox. */
export function createEnvironment(config: Config): Record<string, string> {
  keepToItself(config);
  const fields = config as unknown as Record<string, unknown>;
  const passedOn = PASSED_ON.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const dns = ['DNS_SERVERS', config.dnsServers.join(',') || NO_DNS] as const;
  const settings = variables.map(({ env, field }) => [env, String(fields[field])] as const);
  return Object.fromEntries([...settings, dns, ...passedOn]);
}
