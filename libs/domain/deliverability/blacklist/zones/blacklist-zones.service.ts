import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { rerunOnWriteConflict, TransactionService } from '@platform/database';
import { type Model } from 'mongoose';
import { type BlacklistZoneResponse, toBlacklistZone } from '../dto/blacklist-zone.dto';
import { type SelfTestFinding, type SelfTestOutcome } from '../lookups/zone-self-check';
import { BlacklistZoneRecord } from '../schemas/blacklist-zone.record';
import { getZoneKey, type BlacklistZone } from './zone';
import { ZoneCatalogue } from './zone-catalogue';
import { ZoneLookupsService } from './zone-lookups.service';

const MINUTE_MS = 60_000;
/** Validity of a self-test: failures are rechecked sooner. */
const GOOD_FOR_MS: Readonly<Record<SelfTestOutcome, number>> = {
  works: 6 * 60 * MINUTE_MS,
  broken: 60 * MINUTE_MS,
  refused: 60 * MINUTE_MS,
  silent: 5 * MINUTE_MS,
};

interface Tested {
  readonly zone: BlacklistZone;
  readonly finding: SelfTestFinding;
}

/** Blacklist zones and their self-tests, which are stored so that workers share them and the API shows them. */
@Injectable()
export class BlacklistZonesService {
  constructor(
    @InjectModel(BlacklistZoneRecord.name) private readonly records: Model<BlacklistZoneRecord>,
    private readonly catalogue: ZoneCatalogue,
    private readonly lookups: ZoneLookupsService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  async list(): Promise<BlacklistZoneResponse[]> {
    const { zones } = this.catalogue;
    const tested = await this.findLastSelfTests(zones);
    return zones.map((zone) => toBlacklistZone(zone, tested.get(getZoneKey(zone))));
  }

  /**
   * Returns self-tests by `getZoneKey`; expired ones are run now, all at once.
   * @throws the signal's reason
   */
  async getSelfTests(zones: readonly BlacklistZone[], signal: AbortSignal): Promise<Map<string, SelfTestFinding>> {
    const known = await this.findLastSelfTests(zones);
    const now = this.clock.now();
    const fresh: Tested[] = [];
    const findings = await Promise.all(
      zones.map(async (zone): Promise<[string, SelfTestFinding]> => {
        const last = known.get(getZoneKey(zone));
        if (last && last.goodUntil > now) return [getZoneKey(zone), last];
        const finding = await this.lookups.runSelfTest(zone, signal);
        fresh.push({ zone, finding });
        return [getZoneKey(zone), finding];
      }),
    );
    if (fresh.length > 0) await this.#saveSelfTests(fresh);
    return new Map(findings);
  }

  /** Returns the last self-tests by `getZoneKey`, for zones whose suffix and codes are unchanged. */
  async findLastSelfTests(zones: readonly BlacklistZone[]): Promise<Map<string, BlacklistZoneRecord>> {
    const fingerprints = new Map(zones.map((zone) => [getZoneKey(zone), getFingerprint(zone)]));
    const found = await this.records.find({ _id: { $in: [...fingerprints.keys()] } }).lean<BlacklistZoneRecord[]>();
    return new Map(
      found.filter((record) => fingerprints.get(record._id) === record.asked).map((one) => [one._id, one]),
    );
  }

  /** One bulk write: single writes would need too many database connections. */
  async #saveSelfTests(tested: readonly Tested[]): Promise<void> {
    const testedAt = this.clock.now();
    const operations = tested.map(({ zone, finding: { outcome, detail } }) => {
      const goodUntil = this.clock.in(GOOD_FOR_MS[outcome]);
      const found = { asked: getFingerprint(zone), outcome, detail, testedAt, goodUntil };
      return { updateOne: { filter: { _id: getZoneKey(zone) }, update: { $set: found }, upsert: true } };
    });
    // In a transaction, so that the loser of two concurrent first writes is rerun.
    await this.transactions.run(() =>
      rerunOnWriteConflict(() => this.records.bulkWrite(operations as never, { ordered: false })),
    );
  }
}

/** A hash, as the suffix may contain a key. */
function getFingerprint({ suffix, codes, testPoints }: BlacklistZone): string {
  return createHash('sha256')
    .update(JSON.stringify([suffix, codes, testPoints]))
    .digest('base64url')
    .slice(0, 16);
}
