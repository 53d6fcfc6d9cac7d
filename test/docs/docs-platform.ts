import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { type Config } from '@platform/config';
import { dropDatabase, mailSandbox, testConfig } from '@testing';
import { HubSpotServer } from '../../libs/adapters/crm/testing';
import { OAuthServer } from '../../libs/domain/mailboxes/testing';
import { freePort, PlatformProcess } from '../faults/processes';
import { createEnvironment } from '../harness/environment';
import { ROOT } from './pages';

const run = promisify(execFile);

interface Demo {
  workspaceId: string;
  workspaceKey: string;
  userKey: string;
}

/** The mailboxes that `npm start` connects. */
const DEMO_MAILBOXES = { 'anna@demo.test': 'Anna Demo', 'ben@demo.test': 'Ben Demo' };
/** Folders that are created here, or that must not be shared with other users of this clone. */
const OWN = new Set(['.local', '.env']);
const HUBSPOT_TOKEN = 'canary-token';

/**
 * The environment of a reader who has run `npm start`: api and worker as processes, the mail sandbox, the demo
 * workspace with its key and mailboxes, and a folder like the clone. HubSpot, Google and Microsoft are local servers.
 */
export class DocsPlatform {
  private constructor(
    readonly folder: string,
    private readonly config: Config,
    private readonly processes: readonly PlatformProcess[],
    private readonly vendors: readonly { close(): Promise<unknown> }[],
    private readonly hookPort: number,
  ) {}

  static async start(): Promise<DocsPlatform> {
    const [hubspot, oauth] = await Promise.all([new HubSpotServer().listen(), OAuthServer.start()]);
    hubspot.store.add({ emails: ['silent.grace@prospects.test'], fields: { firstname: 'Grace', company: 'Navy' } });
    const text = { type: 'string', fieldType: 'text', hubspotDefined: false };
    hubspot.properties.push({ name: 'outreach_stage', label: 'Outreach stage', ...text });
    const { dns } = mailSandbox();
    const config = testConfig({
      ...oauth.env,
      HUBSPOT_API_URL: hubspot.baseUrl,
      LOG_LEVEL: 'warn',
      ...(dns && { DNS_SERVERS: `${dns.host}:${dns.port}` }),
      BLACKLIST_ZONES_FILE: join(ROOT, 'tools/mail-sandbox/blacklists.json'),
    });
    const [api, worker] = await Promise.all([PlatformProcess.of('api', config), PlatformProcess.of('worker', config)]);
    const platform = new DocsPlatform(cloneLike(), config, [api, worker], [hubspot, oauth], await freePort());
    try {
      await Promise.all([api, worker].map((one) => one.start({ PUBLIC_URL: api.url })));
      await platform.#prepare(api, worker);
    } catch (error) {
      await platform.close();
      throw error;
    }
    return platform;
  }

  /** Environment of the reader’s shell: that of the machine, without the settings of the tests. */
  get env(): Record<string, string> {
    const path = [join(this.folder, '.local/bin'), process.env['PATH'] ?? ''].join(delimiter);
    return {
      PATH: path,
      HOME: this.folder,
      LANG: 'C.UTF-8',
      // Settings by which a reader chooses a port or a key, so that pages can run in parallel.
      HOOK_PORT: String(this.hookPort),
      HUBSPOT_TOKEN,
    };
  }

  async close(): Promise<void> {
    await Promise.all(this.processes.map((one) => one.end('SIGTERM')));
    await Promise.all(this.vendors.map((one) => one.close()));
    await dropDatabase(this.config);
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }

  async #prepare(api: PlatformProcess, worker: PlatformProcess): Promise<void> {
    const cli = join(ROOT, 'dist/apps/cli/src/main.js');
    const env = createEnvironment(this.config);
    const { stdout } = await run(process.execPath, [cli, 'demo', '--json'], { env });
    const demo = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Demo;
    await Promise.all(Object.entries(DEMO_MAILBOXES).map((one) => connect(api, demo, one)));
    const info = { apiUrl: api.url, workerUrl: worker.url, ...demo, mailSandbox: mailSandbox() };
    writeFileSync(join(this.folder, '.local/run.env'), await runEnvironment(info));
    const shown = Object.entries({ ...env, PUBLIC_URL: api.url }).map(([name, value]) => `${name}='${value}'`);
    const program = `#!/bin/sh\nexec env ${shown.join(' ')} '${process.execPath}' '${cli}' "$@"\n`;
    writeFileSync(join(this.folder, '.local/bin/outreach'), program, { mode: 0o700 });
  }
}

/** A folder with the content of the repository; commands write there only. */
function cloneLike(): string {
  const folder = mkdtempSync(join(tmpdir(), 'docs-'));
  for (const name of readdirSync(ROOT).filter((one) => !OWN.has(one)))
    symlinkSync(join(ROOT, name), join(folder, name));
  mkdirSync(join(folder, '.local/bin'), { recursive: true });
  return folder;
}

/** Written by the same function that `npm start` uses. */
async function runEnvironment(info: object): Promise<string> {
  const code = `import { runEnvironment } from './tools/run/run-env.mts';
    process.stdout.write(runEnvironment(JSON.parse(process.argv[1])))`;
  const args = ['--input-type=module', '--eval', code, JSON.stringify(info)];
  return (await run(process.execPath, args, { cwd: ROOT })).stdout;
}

async function connect(api: PlatformProcess, demo: Demo, [email, displayName]: [string, string]): Promise<void> {
  const { smtp, imap, password } = mailSandbox();
  const servers = {
    smtpHost: 'localhost',
    smtpPort: smtp.port,
    smtpSecure: false,
    smtpPassword: password,
    imapHost: 'localhost',
    imapPort: imap.tlsPort,
    imapSecure: true,
    sendGapSeconds: 5,
  };
  await api.api
    .as(demo.workspaceKey)
    .post('/v1/mailboxes')
    .send({ email, displayName, ...servers })
    .expect(201);
}
