import { DnsPort } from '@adapters/dns';
import { Injectable } from '@nestjs/common';
import { listingName, type Subject } from '../lookups/listing-name';
import { RateLimiter } from '@platform/concurrency';
import { type Verdict, getVerdict } from '../lookups/zone-check';
import { type SelfTestFinding, getSelfTestFinding } from '../lookups/zone-self-check';
import { type BlacklistZone } from './zone';

/** Result of a zone, with its reason for a listing. */
export interface ZoneAnswer extends Verdict {
  /** The zone's own text (TXT); null without one. */
  readonly reason: string | null;
}

const LONGEST_REASON = 500;

/** Queries zones within the rate limits. */
@Injectable()
export class ZoneLookupsService {
  constructor(
    private readonly dns: DnsPort,
    private readonly limiter: RateLimiter,
  ) {}

  /** @throws the signal's reason */
  async query(zone: BlacklistZone, subject: Subject, signal: AbortSignal): Promise<ZoneAnswer> {
    const name = listingName(subject, zone);
    if (name === null) return { ...getVerdict(zone, { kind: 'nxdomain', ttl: 0 }), reason: null };
    const zoneName = getZoneName(zone);
    const verdict = getVerdict(
      zone,
      await this.limiter.run(zoneName, signal, () => this.dns.query(name, 'A', { signal })),
    );
    if (verdict.result !== 'listed') return { ...verdict, reason: null };
    const texts = await this.limiter.run(zoneName, signal, () => this.dns.query(name, 'TXT', { signal }));
    return { ...verdict, reason: texts.kind === 'records' ? getReason(texts.records) : null };
  }

  /** Tests now whether the zone is reliable, without the DNS cache. @throws the signal's reason */
  async runSelfTest(zone: BlacklistZone, signal: AbortSignal): Promise<SelfTestFinding> {
    const { suffix, testPoints } = zone;
    const [listed, clear] = await Promise.all(
      [testPoints.listed, testPoints.clear].map((point) =>
        this.limiter.run(getZoneName(zone), signal, () =>
          this.dns.query(`${point}.${suffix}`, 'A', { signal, fresh: true }),
        ),
      ),
    );
    if (!listed || !clear) throw new Error('A self-test has two queries');
    return getSelfTestFinding(zone, { listed, clear });
  }
}

/** Zones of one name for several kinds share their servers. */
function getZoneName({ zone }: BlacklistZone): string {
  return zone;
}

/** Foreign text, one character a byte: decoded as UTF-8, on one line, with a limited length. */
function getReason(texts: readonly string[]): string | null {
  const text = texts.map((one) => Buffer.from(one, 'latin1').toString('utf8')).join(' ');
  const line = text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return line === '' ? null : line.slice(0, LONGEST_REASON).toWellFormed().trim();
}
