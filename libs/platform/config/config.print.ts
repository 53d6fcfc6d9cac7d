import { type Config } from './config';
import { variables } from './variable';

/** Text of `.env.example`: each variable with its sentence; optional ones are commented out with their default. */
export function envExample(): string {
  const head = '# Settings of the platform. Generated from libs/platform/config: npm run generate\n';
  const entries = variables.map(({ env, about, fallback, example, secret }) => {
    const line = fallback === undefined ? `${env}=${example ?? ''}` : `# ${env}=${fallback}`;
    return `\n# ${about}${secret ? ' (secret)' : ''}\n${line}\n`;
  });
  return head + entries.join('');
}

/** The settings in force as `NAME=value` lines, secrets masked. */
export function describeConfig(config: Config): string[] {
  const fields = config as unknown as Record<string, unknown>;
  return variables.map(({ env, field, secret }) => `${env}=${secret ? '********' : display(fields[field])}`);
}

function display(value: unknown): string {
  return Array.isArray(value) ? value.join(',') : String(value);
}
