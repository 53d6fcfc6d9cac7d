import { type Config } from './config';
import { mcpVariables, type Variable, variables } from './variable';

/** Text of `.env.example`: each variable with its description; optional ones are commented out with their default. */
export function envExample(): string {
  const head = '# Settings of the platform. Generated from libs/platform/config by npm run generate\n';
  const entries = variables.map((variable) => {
    const { env, fallback, example } = variable;
    return toEntry(variable, fallback === undefined ? `${env}=${example ?? ''}` : `# ${env}=${fallback}`);
  });
  const mcpHead =
    '\n# The following variables are for the MCP server only, which reads the environment and no file (docs/users/mcp.md).\n';
  const mcpEntries = mcpVariables.map((variable) =>
    toEntry(variable, `# ${variable.env}=${variable.fallback ?? variable.example ?? ''}`),
  );
  return [head, ...entries, mcpHead, ...mcpEntries].join('');
}

function toEntry({ about, secret }: Variable, line: string): string {
  return `\n# ${about}${secret ? ' (secret)' : ''}\n${line}\n`;
}

/** The effective settings as `NAME=value` lines, secrets masked. */
export function describeConfig(config: Config): string[] {
  const fields = config as unknown as Record<string, unknown>;
  return variables.map(({ env, field, secret }) => `${env}=${secret ? '********' : toText(fields[field])}`);
}

function toText(value: unknown): string {
  return Array.isArray(value) ? value.join(',') : String(value);
}
