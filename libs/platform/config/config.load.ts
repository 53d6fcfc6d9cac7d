import { existsSync } from 'node:fs';
import { Config } from './config';
import { type Variable, variables } from './variable';

/** Thrown when settings are missing or wrong; `problems` has one line for each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly problems: readonly string[]) {
    super(`The configuration is not valid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
  }
}

/**
 * Reads every declared variable and reports all problems at once. Without an argument it reads the process
 * environment, completed by a `.env` file in the working directory where there is one.
 */
export function loadConfig(env: Record<string, string | undefined> = processEnvironment()): Config {
  const values: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const variable of variables) {
    const parsed = read(variable, env[variable.env]);
    if ('problem' in parsed) problems.push(`${variable.env} ${parsed.problem}: ${variable.about}`);
    else values[variable.field] = parsed.value;
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze(Object.assign(new Config(), values));
}

function read(variable: Variable, given: string | undefined): { value: unknown } | { problem: string } {
  // An empty line in an env file means "not set" to every operator who writes one.
  const chosen = given === undefined || given.trim() === '' ? variable.fallback : given.trim();
  if (chosen === undefined) return { problem: 'is required' };
  try {
    return { value: variable.parse(chosen) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

function processEnvironment(): Record<string, string | undefined> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return process.env;
}
