import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type Answer, decode, encode } from 'dns-packet';
import { loadBuilt } from './built.mts';
import { type Goal, heading, showGoals } from './report.mts';
import { median } from './statistics.mts';
import type { Stage } from './subjects.mts';

const ADDRESSES = 50_000;
const DOMAINS = 2_000;
/** Addresses that a job passes to the verifier at once. */
const CHUNK = 100;
const MEGABYTE = 1_048_576;
const TIMEOUT_MS = 60_000;

interface Verifier {
  verify(email: string, options: { deadline: Date }): Promise<{ result: string }>;
}

interface Built {
  ResolverDnsDriver: new (options: object, clock: object) => object;
  OutboundAddressService: new (options: object) => object;
  SystemClockDriver: new () => object;
  MailDomainsService: new (dns: object, guard: object, clock: object) => object;
  EmailVerificationService: new (domains: object, probe: object, clock: object) => Verifier;
}

/** Verifies the addresses of one job without mail servers: the rate, the DNS queries, and the memory after 10 000 and after all of them. */
export async function verification({ rounds }: Stage): Promise<Goal[]> {
  heading(`Verifying ${ADDRESSES} addresses of ${DOMAINS} domains in one process, mail servers not asked`);
  const names = await nameServer();
  const rates: number[] = [];
  const growths: number[] = [];
  const questions: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = names.questions();
    const verifier = verifierWith(names.address);
    const started = performance.now();
    const early = await verified(verifier, 0, ADDRESSES / 5);
    const late = await verified(verifier, ADDRESSES / 5, ADDRESSES);
    const seconds = (performance.now() - started) / 1_000;
    rates.push(ADDRESSES / seconds);
    growths.push(late / early);
    questions.push((names.questions() - before) / DOMAINS);
    console.log(
      `  ${(ADDRESSES / seconds).toFixed(0).padStart(6)} addresses/s   RSS ${(early / MEGABYTE).toFixed(0)} MB after 10 000, ${(late / MEGABYTE).toFixed(0)} MB after 50 000   ${questions.at(-1)?.toFixed(2)} questions per domain`,
    );
  }
  await names.close();
  return showGoals([
    { what: 'addresses verified per second', value: median(rates), bound: { atLeast: 2_000 }, unit: '' },
    { what: 'RSS after 50 000 / after 10 000', value: median(growths), bound: { below: 1.2 } },
    { what: 'DNS queries per domain', value: Math.max(...questions), bound: { atMost: 2 } },
  ]);
}

/** @returns resident memory afterwards (bytes) */
async function verified(verifier: Verifier, from: number, to: number): Promise<number> {
  for (let at = from; at < to; at += CHUNK) {
    const deadline = new Date(Date.now() + TIMEOUT_MS);
    const chunk = Array.from({ length: CHUNK }, (_, index) => `person${at + index}@d${(at + index) % DOMAINS}.example`);
    await Promise.all(chunk.map((email) => verifier.verify(email, { deadline })));
  }
  return process.memoryUsage.rss();
}

/** In the deployed configuration, on a resolver with an empty cache. */
function verifierWith(server: string): Verifier {
  const built = loadBuilt<Built>(
    'ResolverDnsDriver',
    'OutboundAddressService',
    'SystemClockDriver',
    'MailDomainsService',
    'EmailVerificationService',
  );
  const clock = new built.SystemClockDriver();
  const dns = new built.ResolverDnsDriver({ servers: [server] }, clock);
  const domains = new built.MailDomainsService(dns, new built.OutboundAddressService({ allowPrivate: false }), clock);
  return new built.EmailVerificationService(domains, { isOn: false }, clock);
}

/** Every domain has a separate host, and every host an address. */
async function nameServer(): Promise<{ address: string; questions: () => number; close: () => Promise<void> }> {
  const socket = createSocket('udp4');
  let asked = 0;
  socket.on('message', (message, peer) => {
    const { id = 0, questions = [] } = decode(message);
    const [question] = questions;
    if (!question) return;
    asked += 1;
    const { name, type } = question;
    const answers: Answer[] =
      type === 'MX'
        ? [{ name, type, ttl: 3_600, data: { preference: 10, exchange: `mx.${name}` } }]
        : type === 'A'
          ? [{ name, type, ttl: 3_600, data: '8.8.4.4' }]
          : [];
    const reply = { id, type: 'response', flags: 0x0180, questions, answers } as const;
    socket.send(encode(reply), peer.port, peer.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  return {
    address: `127.0.0.1:${port}`,
    questions: () => asked,
    close: async () => {
      socket.close();
      await once(socket, 'close');
    },
  };
}
