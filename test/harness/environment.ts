import { type Config, variables } from '@platform/config';
import { excludeFromReuse } from '@testing';

/**
 * Settings that a process of the platform inherits from the tests: trusted certificates, and the location of the
 * compiled code.
 */
const PASSED_ON = ['NODE_EXTRA_CA_CERTS', 'NODE_COMPILE_CACHE'];

/**
 * An address without a server: look-ups stay unanswered, whatever the resolvers of this machine say about made-up
 * domains.
 */
const NO_DNS = '127.0.0.1:9';

/** Environment with which a process reads this configuration and trusts the mail sandbox. */
export function createEnvironment(config: Config): Record<string, string> {
  excludeFromReuse(config);
  const fields = config as unknown as Record<string, unknown>;
  const passedOn = PASSED_ON.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const dns = ['DNS_SERVERS', config.dnsServers.join(',') || NO_DNS] as const;
  const settings = variables.map(({ env, field }) => [env, String(fields[field])] as const);
  return Object.fromEntries([...settings, dns, ...passedOn]);
}
