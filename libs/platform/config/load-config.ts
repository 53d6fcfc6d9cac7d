import { ConfigError } from './config.errors';
import { existsSync } from 'node:fs';
import { Config } from './config';
import { McpConfig } from './mcp-config';
import { mcpVariables, type Variable, variables } from './variable';

/**
 * Reads every declared variable and reports all problems at once. The default source is the process environment, completed by
 * a `.env` file in the working directory.
 */
export function loadConfig(env: Environment = readProcessEnvironment()): Config {
  return load(new Config(), variables, env);
}

/**
 * Reads the settings of the MCP server from the process environment alone. Programs start it in arbitrary folders, where a
 * `.env` file could name another platform and so obtain the user's key.
 */
export function loadMcpConfig(env: Environment = process.env): McpConfig {
  return load(new McpConfig(), mcpVariables, env);
}

type Environment = Readonly<Record<string, string | undefined>>;

function load<T extends object>(config: T, variables: readonly Variable[], env: Environment): T {
  const values: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const variable of variables) {
    const parsed = readVariable(variable, env[variable.env]);
    if ('problem' in parsed) problems.push(`${variable.env} ${parsed.problem}: ${variable.about}`);
    else values[variable.field] = parsed.value;
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze(Object.assign(config, values));
}

function readVariable(variable: Variable, text: string | undefined): { value: unknown } | { problem: string } {
  // An empty value in an env file means "not set".
  const chosen = text === undefined || text.trim() === '' ? variable.fallback : text.trim();
  if (chosen === undefined) return { problem: 'is required' };
  try {
    return { value: variable.parse(chosen) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

function readProcessEnvironment(): Environment {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return process.env;
}
