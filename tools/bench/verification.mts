import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type Answer, decode, encode } from 'dns-packet';
import { loadBuilt } from './harness.mts';
import { type Goal, heading, line, median, showGoals, type Stage } from './measure.mts';

const DOMAINS = 2_000;
/** Addresses that a job passes to the verifier at once. */
const CHUNK = 100;
const TIMEOUT_MS = 60_000;

interface Verifier {
  verify(email: string, options: { deadline: Date }): Promise<{ result: string }>;
}

/** Verifies the addresses of one job without mail servers: rate, DNS queries, and memory after a fifth and at the end. */
export async function verification({ rounds, short }: Stage): Promise<Goal[]> {
  const count = short ? 5_000 : 50_000;
  heading(`Verifying ${count} addresses of ${DOMAINS} domains in one process, mail servers not asked`);
  // Every domain has a separate host, and every host an address.
  const socket = createSocket('udp4');
  let queries = 0;
  socket.on('message', (message, peer) => {
    const { id = 0, questions = [] } = decode(message);
    const { name = '', type } = questions[0] ?? {};
    queries += 1;
    const mx: Answer = { name, type: 'MX', ttl: 3_600, data: { preference: 10, exchange: `mx.${name}` } };
    const a: Answer = { name, type: 'A', ttl: 3_600, data: '8.8.4.4' };
    const answers = type === 'MX' ? [mx] : type === 'A' ? [a] : [];
    socket.send(encode({ id, type: 'response', flags: 0x0180, questions, answers }), peer.port, peer.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const rates: number[] = [];
  const growths: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const verifier = createVerifier(`127.0.0.1:${socket.address().port}`);
    const started = performance.now();
    const early = await verifyAll(verifier, 0, count / 5);
    growths.push((await verifyAll(verifier, count / 5, count)) / early);
    rates.push(count / ((performance.now() - started) / 1_000));
  }
  socket.close();
  line('rates', ...rates.map((rate) => `${rate.toFixed(0)}/s`));
  return showGoals([
    { what: 'addresses verified per second', value: median(rates), bound: { atLeast: 2_000 } },
    { what: 'RSS at the end / after a fifth', value: median(growths), bound: { below: 1.2 } },
    { what: 'DNS queries per domain', value: queries / rounds / DOMAINS, bound: { atMost: 2 } },
  ]);
}

/** @returns resident memory afterwards (bytes) */
async function verifyAll(verifier: Verifier, from: number, to: number): Promise<number> {
  for (let at = from; at < to; at += CHUNK) {
    const deadline = new Date(Date.now() + TIMEOUT_MS);
    const chunk = Array.from({ length: CHUNK }, (_, index) => `person${at + index}@d${(at + index) % DOMAINS}.example`);
    await Promise.all(chunk.map((email) => verifier.verify(email, { deadline })));
  }
  return process.memoryUsage.rss();
}

/** In the deployed configuration, on a resolver with an empty cache. */
function createVerifier(server: string): Verifier {
  const { ResolverDnsDriver } = loadBuilt('libs/adapters/dns/resolver/resolver-dns.driver');
  const { MailDomainsService } = loadBuilt('libs/domain/enrichment/verification/domain/mail-domains.service');
  const { EmailVerificationService } = loadBuilt('libs/domain/enrichment/verification/email-verification.service');
  const { SystemClockDriver } = loadBuilt('libs/platform/clock/system-clock.driver');
  const { OutboundAddressService } = loadBuilt('libs/platform/outbound/outbound-address.service');
  const clock = new SystemClockDriver();
  const dns = new ResolverDnsDriver({ servers: [server] }, clock);
  const domains = new MailDomainsService(dns, new OutboundAddressService({ allowPrivate: false }), clock);
  return new EmailVerificationService(domains, { isOn: false }, clock);
}
