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
/** How long a finding is believed: what works goes on working for a while, what failed may be mended soon. */
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

/** The zones as users see them: what tests ask, and whether it can be believed. */
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
   * Whether the zones can be believed, by `getZoneKey`; those of which it is not known are tested now, all at once.
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

  /** The last findings by `getZoneKey`, for zones that are asked as they were then. */
  async findLastSelfTests(zones: readonly BlacklistZone[]): Promise<Map<string, BlacklistZoneRecord>> {
    const asked = new Map(zones.map((zone) => [getZoneKey(zone), getFingerprint(zone)]));
    const found = await this.records.find({ _id: { $in: [...asked.keys()] } }).lean<BlacklistZoneRecord[]>();
    return new Map(found.filter((record) => asked.get(record._id) === record.asked).map((one) => [one._id, one]));
  }

  /** All together: one by one they would want more connections to the database than there are. */
  async #saveSelfTests(tested: readonly Tested[]): Promise<void> {
    const testedAt = this.clock.now();
    const operations = tested.map(({ zone, finding: { outcome, detail } }) => {
      const goodUntil = this.clock.in(GOOD_FOR_MS[outcome]);
      const found = { asked: getFingerprint(zone), outcome, detail, testedAt, goodUntil };
      return { updateOne: { filter: { _id: getZoneKey(zone) }, update: { $set: found }, upsert: true } };
    });
    // In a transaction for its second run: of two workers that write the first one at once, one loses.
    await this.transactions.run(() =>
      rerunOnWriteConflict(() => this.records.bulkWrite(operations as never, { ordered: false })),
    );
  }
}

/** A hash, as a suffix may have a key in it. */
function getFingerprint({ suffix, codes, testPoints }: BlacklistZone): string {
  return createHash('sha256')
    .update(JSON.stringify([suffix, codes, testPoints]))
    .digest('base64url')
    .slice(0, 16);
}
