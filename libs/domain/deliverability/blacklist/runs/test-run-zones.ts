import { type Subject } from '../lookups/listing-name';
import { type SelfTestFinding } from '../lookups/zone-self-check';
import { type ZoneCheck } from '../schemas/blacklist-finding.record';
import { type BlacklistZone, getZoneKey } from '../zones/zone';
import { type ZoneAnswer } from '../zones/zone-lookups.service';

/** Consecutive failures after which a zone is skipped in this run. */
const MAX_FAILURES = 5;

type Ask = (zone: BlacklistZone, subject: Subject, signal: AbortSignal) => Promise<ZoneAnswer>;

/**
 * The zones of one run. Zones that failed their self-test are skipped. A zone that stops answering is skipped too: waiting for it
 * for every subject would take hours.
 */
export class TestRunZones {
  readonly #failures = new Map<string, number>();

  /**
   * @param selfTests by `getZoneKey`
   * @param ask throws the signal's reason
   */
  constructor(
    private readonly selfTests: ReadonlyMap<string, SelfTestFinding>,
    private readonly ask: Ask,
  ) {}

  /** @throws the signal's reason */
  async check(zone: BlacklistZone, subject: Subject, signal: AbortSignal): Promise<ZoneCheck> {
    const key = getZoneKey(zone);
    const tested = this.selfTests.get(key) ?? { outcome: 'silent', detail: 'It was not tested' };
    if (tested.outcome !== 'works') {
      return toSkippedCheck(zone, tested.outcome === 'broken' ? 'zone_broken' : 'unknown', tested.detail);
    }
    if ((this.#failures.get(key) ?? 0) >= MAX_FAILURES)
      return toSkippedCheck(
        zone,
        'unknown',
        `Not queried any more: it failed or refused ${MAX_FAILURES} times in a row`,
      );
    const answer = await this.ask(zone, subject, signal);
    const hasFailed = answer.cause === 'silent' || answer.cause === 'refused';
    this.#failures.set(key, hasFailed ? (this.#failures.get(key) ?? 0) + 1 : 0);
    return toCheck(zone, answer);
  }
}

function toCheck(zone: BlacklistZone, { result, listing, codes, meaning, reason }: ZoneAnswer): ZoneCheck {
  const removalUrl = result === 'listed' ? zone.removalUrl : null;
  return { zone: zone.zone, result, listing, codes: [...codes], meaning, reason, weight: zone.weight, removalUrl };
}

function toSkippedCheck(zone: BlacklistZone, result: 'unknown' | 'zone_broken', meaning: string | null): ZoneCheck {
  const { zone: name, weight } = zone;
  return { zone: name, result, listing: null, codes: [], meaning, reason: null, weight, removalUrl: null };
}
