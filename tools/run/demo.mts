import { existsSync } from 'node:fs';
import { ApiError, createOutreach, type Outreach } from '../../clients/typescript/src/index.ts';
import type { MailSandboxAddresses } from '../mail-sandbox/sandbox.mts';
import { local, readJson, writePrivateJson } from './files.mts';
import { runProgram } from './programs.mts';

export interface Demo {
  workspaceId: string;
  workspaceKey: string;
  userKey: string;
}

const file = (): string => local('demo.json');

/** Whether an earlier start has stored data. */
export const wasStarted = (): boolean => existsSync(file());

/** The demo workspace of an earlier start if its key is still valid, else a new one. */
export async function ensureDemo(apiUrl: string, env: Record<string, string>, signal: AbortSignal): Promise<Demo> {
  const kept = await readJson<Demo>(file());
  if (kept && (await opens(apiUrl, kept))) return kept;
  const { code, output } = await runProgram(process.execPath, [CLI, 'demo', '--json'], { env, signal });
  signal.throwIfAborted();
  const made = code === 0 ? parseDemo(output) : undefined;
  if (!made) throw new Error(`${output.trim()}\nthe demo workspace could not be created (exit code ${code})`);
  await writePrivateJson(file(), made);
  return made;
}

/** Mailboxes of the demo workspace on the sandbox. */
export const DEMO_MAILBOXES = ['anna@demo.test', 'ben@demo.test'] as const;
const NAMES = { 'anna@demo.test': 'Anna Demo', 'ben@demo.test': 'Ben Demo' };

/** Connects the demo mailboxes to the sandbox through the API; connected ones stay unchanged. */
export async function ensureDemoMailboxes(outreach: Outreach, sandbox: MailSandboxAddresses): Promise<void> {
  await Promise.all(DEMO_MAILBOXES.map((email) => connect(outreach, email, sandbox)));
}

async function connect(
  outreach: Outreach,
  email: (typeof DEMO_MAILBOXES)[number],
  { smtp, imap, password }: MailSandboxAddresses,
): Promise<void> {
  const servers = {
    smtpHost: 'localhost',
    smtpPort: smtp.port,
    smtpSecure: false,
    smtpPassword: password,
    imapHost: 'localhost',
    imapPort: imap.tlsPort,
    imapSecure: true,
    // Shorter than recommended, so that a person can watch the demo.
    sendGapSeconds: 5,
  };
  try {
    await outreach.mailboxes.create({ email, displayName: NAMES[email], ...servers });
  } catch (error) {
    // An earlier start has connected it.
    if (error instanceof ApiError && error.status === 409) return;
    throw new Error(`the mailbox ${email} could not be connected: ${(error as Error).message}`, { cause: error });
  }
}

export const CLI = 'dist/apps/cli/src/main.js';

/** The last line that is the JSON of the demo; there may be log lines before and after it. */
export function parseDemo(output: string): Demo | undefined {
  for (const line of output.trim().split('\n').toReversed()) {
    try {
      const { workspaceId, workspaceKey, userKey } = JSON.parse(line) as Partial<Demo>;
      if (workspaceId && workspaceKey && userKey) return { workspaceId, workspaceKey, userKey };
    } catch {
      // Not the line.
    }
  }
  return undefined;
}

async function opens(apiUrl: string, demo: Demo): Promise<boolean> {
  try {
    await createPlatformClient(apiUrl, demo).workspaces.get(demo.workspaceId, { timeoutMs: 10_000, retries: 0 });
    return true;
  } catch {
    return false;
  }
}

/** The API with the key of the demo workspace. */
export function createPlatformClient(apiUrl: string, { workspaceKey }: Pick<Demo, 'workspaceKey'>): Outreach {
  return createOutreach({ baseUrl: apiUrl, apiKey: workspaceKey });
}
