import type { MailSandboxAddresses } from '../mail-sandbox/sandbox.mts';
import { local, readJson, writePrivateJson } from './files.mts';
import { runProgram } from './programs.mts';

export interface Demo {
  workspaceId: string;
  workspaceKey: string;
  userKey: string;
}

const file = (): string => local('demo.json');

/** The demo workspace of an earlier start when its key still opens it, else a new one. */
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

/** Addresses of the sandbox that the demo workspace writes from. */
export const DEMO_MAILBOXES = ['anna@demo.test', 'ben@demo.test'] as const;
const NAMES: Record<string, string> = { 'anna@demo.test': 'Anna Demo', 'ben@demo.test': 'Ben Demo' };

/** Connects the demo workspace's mailboxes to the sandbox, as a client would; those that are connected stay as they are. */
export async function ensureDemoMailboxes(apiUrl: string, demo: Demo, sandbox: MailSandboxAddresses): Promise<void> {
  await Promise.all(DEMO_MAILBOXES.map((email) => connect(apiUrl, demo, email, sandbox)));
}

async function connect(
  apiUrl: string,
  { workspaceKey }: Demo,
  email: string,
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
    // Shorter than anybody should choose: a demo is watched.
    sendGapSeconds: 5,
  };
  const answer = await fetch(`${apiUrl}/v1/mailboxes`, {
    method: 'POST',
    headers: { 'X-Api-Key': workspaceKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, displayName: NAMES[email], ...servers }),
    signal: AbortSignal.timeout(30_000),
  });
  const text = await answer.text();
  // 409: an earlier start connected it.
  if (!answer.ok && answer.status !== 409) throw new Error(`the mailbox ${email} could not be connected: ${text}`);
}

export const CLI = 'dist/apps/cli/src/main.js';

/** The last line that is the demo's JSON; log lines may stand before and after it. */
export function parseDemo(output: string): Demo | undefined {
  for (const line of output.trim().split('\n').toReversed()) {
    try {
      const { workspaceId, workspaceKey, userKey } = JSON.parse(line) as Partial<Demo>;
      if (workspaceId && workspaceKey && userKey) return { workspaceId, workspaceKey, userKey };
    } catch {
      // not the line
    }
  }
  return undefined;
}

async function opens(apiUrl: string, demo: Demo): Promise<boolean> {
  try {
    const answer = await fetch(`${apiUrl}/v1/workspaces/${demo.workspaceId}`, {
      headers: { 'X-Api-Key': demo.workspaceKey },
      signal: AbortSignal.timeout(10_000),
    });
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false;
  }
}
