import type { Services } from '../local-services/services.mts';
import { local, readJson } from './files.mts';
import { runProgram } from './programs.mts';

export interface Verdict {
  passed: number;
  failed: number;
  total: number;
}

/** The relevant part of Jest's report. */
interface Report {
  numPassedTests: number;
  numFailedTests: number;
  numTotalTests: number;
  numRuntimeErrorTestSuites: number;
  success: boolean;
}

/** Without a database name: each suite has its own. Processes of the suites use compiled code. */
export function testEnvironment({
  mongoUrl,
  redisUrl,
}: Pick<Services, 'mongoUrl' | 'redisUrl'>): Record<string, string> {
  return {
    NODE_ENV: 'test',
    MONGODB_URI: mongoUrl,
    REDIS_URL: redisUrl,
    NODE_COMPILE_CACHE: local('compile-cache'),
  };
}

export async function runJest(
  report: string,
  args: string[],
  env: Record<string, string>,
  signal: AbortSignal,
): Promise<number> {
  const options = ['--ci', '--json', `--outputFile=${report}`];
  return (await runProgram('jest', [...options, ...args], { env, visible: true, signal })).code;
}

/** A suite that could not run counts as a failure, and so does any other failure of Jest. */
export async function jestVerdict(code: number, report: string): Promise<Verdict> {
  return getVerdict(code, await readJson<Report>(report));
}

export function getVerdict(code: number, report: Report | undefined): Verdict {
  if (!report) return { passed: 0, failed: 1, total: 1 };
  const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
  const unexplained = failed === 0 && (code !== 0 || !report.success) && report.numTotalTests > 0 ? 1 : 0;
  return { passed: report.numPassedTests, failed: failed + unexplained, total: report.numTotalTests };
}
