import { mkdir, rm } from 'node:fs/promises';
import { removeData } from '../local-services/docker-services.mts';
import { acquireLock, LockTakenError, type Lock } from '../local-services/lock-file.mts';
import { freePort, portIsFree } from '../local-services/ports.mts';
import type { MailSandboxAddresses } from '../mail-sandbox/sandbox.mts';
import { App } from './apps.mts';
import type { Command } from './arguments.mts';
import { build } from './build.mts';
import { type DemoCampaign, demoRequests, ensureDemoCampaign } from './demo-campaign.mts';
import { watchDemo } from './demo-report.mts';
import { DemoReceiver } from './demo-webhook.mts';
import {
  DEMO_MAILBOXES,
  ensureDemo,
  ensureDemoMailboxes,
  createPlatformClient,
  type Demo,
  wasStarted,
} from './demo.mts';
import { appEnvironment, ensureSecrets, withDatabase, type Addresses } from './environment.mts';
import { local, writePrivate, writePrivateJson } from './files.mts';
import { runEnvironment, runEnvironmentFile } from './run-env.mts';
import { migrate } from './migrate.mts';
import { orAborted, untilAborted } from './shutdown.mts';
import { rebuildOnChange } from './watch.mts';
import { withServices } from './with-services.mts';

export interface RunInfo extends Demo {
  apiUrl: string;
  docsUrl: string;
  workerUrl: string;
  mongoUrl: string;
  redisUrl: string;
  mailSandbox?: MailSandboxAddresses;
  demoCampaign?: DemoCampaign;
}

const DEFAULT_PORT = 3000;
/** The longest delay of simulated people: an open or click within seconds counts as a machine. */
const PEOPLE_MS = 25_000;
export const runFile = (): string => local('run.json');

export const start = (command: Command, signal: AbortSignal): Promise<number> =>
  runPlatform(command, signal, untilAborted);

export const dev = (command: Command, signal: AbortSignal): Promise<number> =>
  runPlatform(command, signal, async (stop, apps) => {
    await rebuildOnChange(apps, stop);
  });

type WhileRunning = (signal: AbortSignal, apps: App[]) => Promise<void>;

async function runPlatform(command: Command, signal: AbortSignal, whileRunning: WhileRunning): Promise<number> {
  await mkdir(local(), { recursive: true });
  const lock = await onlyOne();
  try {
    if (command.reset) await reset();
    const apiPort = await choosePort(command.port);
    const sandbox = { dataDir: local('mail-sandbox'), prospects: { delayMs: PEOPLE_MS } };
    const options = { dataDir: local('services'), durable: true, tidies: true, sandbox };
    await withServices(options, signal, async ({ mongoUrl, redisUrl, sandbox }, stop) => {
      await build(stop);
      const ports = { apiPort, metricsPort: await freePort(), workerPort: await freePort() };
      const addresses: Addresses = { mongoUrl, redisUrl, sandbox, ...ports };
      await runApps(addresses, stop, whileRunning);
      if (stop.aborted && !signal.aborted) throw stop.reason;
    });
  } finally {
    await lock.release();
  }
  return 0;
}

async function onlyOne(): Promise<Lock> {
  try {
    return await acquireLock(local('start.lock'));
  } catch (error) {
    if (!(error instanceof LockTakenError)) throw error;
    const text = `the platform already runs from this folder (process ${error.pid}): stop that one first`;
    throw new Error(text, { cause: error });
  }
}

async function reset(): Promise<void> {
  await removeData(local('services'));
  await rm(local('mail-sandbox'), { recursive: true, force: true, maxRetries: 3 });
  await rm(local('demo.json'), { force: true });
  const given = ['MONGODB_URI', 'REDIS_URL'].filter((name) => process.env[name]);
  console.log(`starting empty${given.length > 0 ? `; what ${given.join(' and ')} points to is left as it is` : ''}`);
}

export async function choosePort(wanted: number | undefined): Promise<number> {
  if (await portIsFree(wanted ?? DEFAULT_PORT)) return wanted ?? DEFAULT_PORT;
  if (wanted) throw new Error(`port ${wanted} is in use: choose another one, or leave --port out to get a free one`);
  const port = await freePort();
  console.log(`port ${DEFAULT_PORT} is in use, using ${port}`);
  return port;
}

async function runApps(addresses: Addresses, signal: AbortSignal, whileRunning: WhileRunning): Promise<void> {
  const env = appEnvironment(addresses, await ensureSecrets());
  const apps = [app('api', addresses.apiPort, env), app('worker', addresses.workerPort, env)];
  let receiver: DemoReceiver | undefined;
  try {
    if (wasStarted()) await migrate(env, signal);
    console.log('starting api and worker');
    await orAborted(signal, allStarted(apps, signal));
    const apiUrl = `http://127.0.0.1:${addresses.apiPort}`;
    const demo = await ensureDemo(apiUrl, env, signal);
    receiver = await ensureDemoReceiver(apiUrl, demo, addresses.sandbox?.addresses);
    const demoCampaign = await ensureDemoSending(apiUrl, demo, addresses.sandbox?.addresses);
    for (const one of apps) one.supervise();
    const info = { ...runInfo(apiUrl, addresses, demo), ...(demoCampaign && { demoCampaign }) };
    await writePrivateJson(runFile(), info);
    await writePrivate(runEnvironmentFile(), runEnvironment(info));
    printAddresses(info, apps, { sandboxOff: addresses.sandbox?.off, receiver });
    await Promise.all([whileRunning(signal, apps), showDemo(info, receiver, signal)]);
    console.log('stopping');
  } finally {
    await Promise.all([runFile(), runEnvironmentFile()].map((file) => rm(file, { force: true })));
    await Promise.all(apps.map((one) => one.close()));
    await receiver?.close();
  }
}

/** Prints the progress of the demo campaign; a failure is printed and stops nothing else. */
async function showDemo(info: RunInfo, receiver: DemoReceiver | undefined, signal: AbortSignal): Promise<void> {
  if (!info.demoCampaign) return;
  const { campaignId } = info.demoCampaign;
  const write = (line: string) => console.log(line);
  try {
    const besides = receiver && { besides: () => `webhook messages ${receiver.messages}` };
    await watchDemo({ outreach: createPlatformClient(info.apiUrl, info), campaignId, signal, write, ...besides });
  } catch (error) {
    if (!signal.aborted)
      console.log(`The progress of the demo campaign is no longer shown: ${(error as Error).message}`);
  }
}

/** Starts a receiver of webhooks that ends with the platform. */
async function ensureDemoReceiver(
  apiUrl: string,
  demo: Demo,
  sandbox: MailSandboxAddresses | undefined,
): Promise<DemoReceiver | undefined> {
  if (!sandbox) return undefined;
  const receiver = await DemoReceiver.start();
  try {
    await receiver.subscribe(createPlatformClient(apiUrl, demo));
    return receiver;
  } catch (error) {
    // Private addresses may be forbidden, or the limit of webhooks is reached.
    console.log((error as Error).message);
    await receiver.close();
    return undefined;
  }
}

/** Sends to the sandbox only: without it the demo workspace sends nothing. */
async function ensureDemoSending(
  apiUrl: string,
  demo: Demo,
  sandbox: MailSandboxAddresses | undefined,
): Promise<DemoCampaign | undefined> {
  if (!sandbox) return undefined;
  const outreach = createPlatformClient(apiUrl, demo);
  await ensureDemoMailboxes(outreach, sandbox);
  try {
    return await ensureDemoCampaign(outreach, DEMO_MAILBOXES);
  } catch (error) {
    // A user's change of the demo (for example a paused mailbox) must not prevent the start of the platform.
    console.log((error as Error).message);
    return undefined;
  }
}

async function allStarted(apps: App[], signal: AbortSignal): Promise<void> {
  await Promise.all(apps.map((one) => one.start(signal)));
}

function app(name: string, port: number, env: Record<string, string>): App {
  return new App({
    name,
    script: `dist/apps/${name}/src/main.js`,
    env,
    logFile: local('logs', `${name}.log`),
    readyUrl: `http://127.0.0.1:${port}/health/ready`,
  });
}

function runInfo(apiUrl: string, addresses: Addresses, demo: Demo): RunInfo {
  return {
    apiUrl,
    docsUrl: `${apiUrl}/docs`,
    workerUrl: `http://127.0.0.1:${addresses.workerPort}`,
    ...demo,
    mongoUrl: withDatabase(addresses.mongoUrl),
    redisUrl: addresses.redisUrl,
    ...(addresses.sandbox?.addresses && { mailSandbox: addresses.sandbox.addresses }),
  };
}

function printAddresses(
  info: RunInfo,
  apps: App[],
  { sandboxOff, receiver }: { sandboxOff: string | undefined; receiver: DemoReceiver | undefined },
): void {
  console.log(`
  API             ${info.apiUrl}
  Docs            ${info.docsUrl}
  Workspace       ${info.workspaceId}
  Workspace key   ${info.workspaceKey}
  User key        ${info.userKey}
  Mail sandbox    ${mailSandboxLines(info.mailSandbox, sandboxOff).join('\n                  ')}
  Logs            ${apps.map((one) => one.options.logFile).join('\n                  ')}
${info.demoCampaign ? `  Demo campaign   ${info.demoCampaign.campaignId} (sending to the sandbox)\n` : ''}${
    receiver ? `  Demo webhook    ${receiver.url} (verifies each message)\n` : ''
  }
  ${requests(info).join('\n  ')}

  For the commands of docs/users/quick-start.md, in another terminal:  . .local/run.env

Ready. Ctrl-C stops everything.`);
}

function requests(info: RunInfo): string[] {
  const mailboxes = `curl -H 'X-Api-Key: ${info.workspaceKey}' ${info.apiUrl}/v1/mailboxes`;
  return [mailboxes, ...(info.demoCampaign ? demoRequests(info.apiUrl, info, info.demoCampaign) : [])];
}

function mailSandboxLines(sandbox: MailSandboxAddresses | undefined, off: string | undefined): string[] {
  if (!sandbox) return [`off: ${off ?? 'not started'}`];
  const { smtp, imap, dns, webUrl, password } = sandbox;
  return [
    `${webUrl} (what was sent), connected: ${DEMO_MAILBOXES.join(', ')}`,
    `SMTP ${smtp.host}:${smtp.port} (STARTTLS), ${smtp.tlsPort} (TLS)`,
    `IMAP ${imap.host}:${imap.port} (STARTTLS), ${imap.tlsPort} (TLS)`,
    dns ? `DNS ${dns.host}:${dns.port}, for the sandbox's domains (for real ones: DNS_SERVERS= npm start)` : 'DNS off',
    `any user, password "${password}"`,
  ];
}
