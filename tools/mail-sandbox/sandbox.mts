import { mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ensureDebianRoot, type Progress } from '../local-services/debian-root.mts';
import type { ImapOptions } from '../local-services/debian-services.mts';
import { acquireLock, LockTakenError, type Lock } from '../local-services/lock-file.mts';
import { AcceptedLog } from './accepted-log.mts';
import { startDns, startImap } from './debian-servers.mts';
import { HandoverLog } from './handover-log.mts';
import type { KeptAlive } from './keep-alive.mts';
import { Maildirs } from './maildir.mts';
import { listenAsOtherProtocol } from './other-protocol.mts';
import { PlacementPolicies } from './placement-policies.mts';
import { rememberedPorts, type SandboxPorts } from './ports.mts';
import { Prospects, type ProspectOptions } from './prospects.mts';
import { PASSWORD } from './smtp-auth.mts';
import { SmtpSandbox, type SmtpListener, type Tls } from './smtp.mts';
import { MessageStore } from './store.mts';
import type { WebParts } from './web/api.mts';
import { startWeb } from './web/server.mts';

export interface MailSandboxOptions {
  dataDir: string;
  /** With the address, determines the actions of a prospect and the placement of mail: the same seed repeats a run. */
  seed?: string;
  /** Off, on, or on with other settings. */
  prospects?: boolean | Partial<ProspectOptions>;
  /** Number of messages in the web view. */
  keepMessages?: number;
  onProgress?: Progress;
}

/** All addresses of the sandbox; as JSON in the environment variable MAIL_SANDBOX. */
export interface MailSandboxAddresses {
  smtp: {
    host: string;
    /** STARTTLS, like a submission port. */
    port: number;
    /** TLS from the first byte. */
    tlsPort: number;
    /** TLS from the first byte, with an untrusted certificate for another host. */
    brokenTlsPort: number;
    /** STARTTLS with that certificate. */
    brokenStartTlsPort: number;
    /** Speaks HTTP. */
    otherProtocolPort: number;
  };
  imap: { host: string; port: number; tlsPort: number };
  /** Authoritative for the zones of `zones/`, by UDP and TCP; absent when the server does not run. */
  dns?: { host: string; port: number };
  webUrl: string;
  caFile: string;
  /** JSON lines, see accepted-log.mts. */
  acceptedLog: string;
  /** JSON lines, see handover-log.mts. */
  submittedLog: string;
  dataDir: string;
  password: string;
}

export interface MailSandbox extends MailSandboxAddresses {
  stop(): Promise<void>;
}

const HOST = '127.0.0.1';
const SEED = 'sandbox';
const KEPT_MESSAGES = 20_000;
const TLS_FOLDER = join(import.meta.dirname, 'tls');
const CA_FILE = join(TLS_FOLDER, 'ca.crt');

/**
 * Starts SMTP, IMAP, DNS, web view and prospects. Throws with one clear sentence when Dovecot is not available; without its DNS
 * server, the rest runs and a line of progress gives the reason.
 */
export async function startMailSandbox(options: MailSandboxOptions): Promise<MailSandbox> {
  const dataDir = resolve(options.dataDir);
  await mkdir(dataDir, { recursive: true });
  const lock = await acquireSandboxLock(dataDir);
  const running: { stop(): Promise<void> }[] = [];
  const stop = async (): Promise<void> => {
    // Servers stop in reverse order: no mail is accepted that could not be logged.
    for (const one of running.splice(0).toReversed()) await one.stop().catch(() => {});
    await lock.release();
  };
  try {
    const ports = await rememberedPorts(dataDir);
    const { dns } = await startParts(options, dataDir, ports, running);
    return { ...addresses(dataDir, ports), ...(dns && { dns: { host: HOST, port: ports.dns } }), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function acquireSandboxLock(dataDir: string): Promise<Lock> {
  return acquireLock(join(dataDir, 'sandbox.lock')).catch((error: unknown) => {
    if (!(error instanceof LockTakenError)) throw error;
    throw new Error(`a mail sandbox is already running in ${dataDir} (process ${error.pid})`, { cause: error });
  });
}

async function startParts(
  options: MailSandboxOptions,
  dataDir: string,
  ports: SandboxPorts,
  running: { stop(): Promise<void> }[],
): Promise<{ dns: boolean }> {
  const acceptedLog = join(dataDir, 'accepted.jsonl');
  const store = await MessageStore.open(join(dataDir, 'messages'), acceptedLog, options.keepMessages ?? KEPT_MESSAGES);
  const maildirs = new Maildirs(join(dataDir, 'mail'));
  const prospects = createProspects(options, { store, maildirs });
  const placements = new PlacementPolicies(join(dataDir, 'placement.json'), options.seed ?? SEED);
  const web = await startWeb({ store, maildirs, placements, pending: () => prospects?.pending ?? 0 }, ports.web);
  running.push({ stop: () => web.close() });
  const log = await AcceptedLog.open(acceptedLog);
  running.push({ stop: () => log.close() });
  if (prospects) running.push({ stop: () => prospects.stop() });
  const smtp = new SmtpSandbox({
    log,
    given: new HandoverLog(getHandoverLogPath(dataDir)),
    store,
    maildirs,
    placements,
    onAccepted: (mail, raw) => prospects?.receive(mail, raw),
  });
  const tell = options.onProgress ?? (() => {});
  const root = ensureDebianRoot(tell);
  const imap = root.then((found) => startImap(found, dataDir, imapOptions(ports), tell));
  const dns = root.then((found) => startDns(found, dataDir, ports.dns, tell));
  const listeners = await Promise.allSettled([...listenAll(smtp, ports), imap.then(asListener), dns.then(asListener)]);
  const failed = listeners.find((one) => one.status === 'rejected');
  for (const one of listeners) if (one.status === 'fulfilled') running.push({ stop: () => one.value.close() });
  if (failed) throw failed.reason;
  return { dns: (await dns) !== undefined };
}

function createProspects(
  { prospects = true, seed = SEED }: MailSandboxOptions,
  parts: Pick<WebParts, 'store' | 'maildirs'>,
): Prospects | undefined {
  if (prospects === false) return undefined;
  return new Prospects(parts, seed, prospects === true ? {} : prospects);
}

const imapOptions = (ports: SandboxPorts): ImapOptions => ({
  port: ports.imap,
  tlsPort: ports.imaps,
  introspectionUrl: `http://${HOST}:${ports.web}/oauth/introspect`,
  certificateFile: join(TLS_FOLDER, 'server.crt'),
  keyFile: join(TLS_FOLDER, 'server.key'),
});

const getHandoverLogPath = (dataDir: string): string => join(dataDir, 'given.jsonl');

const asListener = (service: KeptAlive | undefined): Pick<SmtpListener, 'close'> => ({
  close: () => service?.stop() ?? Promise.resolve(),
});

function listenAll(smtp: SmtpSandbox, ports: SandboxPorts): Promise<SmtpListener>[] {
  const good = tlsFiles('server');
  const broken = tlsFiles('broken');
  return [
    good.then((tls) => smtp.listen(ports.smtp, tls, false)),
    good.then((tls) => smtp.listen(ports.smtps, tls, true)),
    broken.then((tls) => smtp.listen(ports.brokenStartTls, tls, false)),
    broken.then((tls) => smtp.listen(ports.brokenTls, tls, true)),
    listenAsOtherProtocol(ports.otherProtocol),
  ];
}

async function tlsFiles(name: string): Promise<Tls> {
  const [key, cert] = await Promise.all(['key', 'crt'].map((kind) => readFile(join(TLS_FOLDER, `${name}.${kind}`))));
  return { key: key ?? Buffer.of(), cert: cert ?? Buffer.of() };
}

function addresses(dataDir: string, ports: SandboxPorts): MailSandboxAddresses {
  return {
    smtp: {
      host: HOST,
      port: ports.smtp,
      tlsPort: ports.smtps,
      brokenTlsPort: ports.brokenTls,
      brokenStartTlsPort: ports.brokenStartTls,
      otherProtocolPort: ports.otherProtocol,
    },
    imap: { host: HOST, port: ports.imap, tlsPort: ports.imaps },
    webUrl: `http://${HOST}:${ports.web}`,
    caFile: CA_FILE,
    acceptedLog: join(dataDir, 'accepted.jsonl'),
    submittedLog: getHandoverLogPath(dataDir),
    dataDir,
    password: PASSWORD,
  };
}
