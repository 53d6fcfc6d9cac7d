import { readFileSync } from 'node:fs';
import { defaultZones } from './default-zones';
import { type BlacklistZone, type ZoneKind } from './zone';
import { ZonesFileError, zonesOf } from './zones.file';

/** The zones that this installation asks. */
export class ZoneCatalogue {
  constructor(readonly zones: readonly BlacklistZone[]) {}

  /**
   * @param path the operator's file (`zonesOf`); empty: the default zones
   * @throws ZonesFileError
   */
  static load(path: string): ZoneCatalogue {
    return new ZoneCatalogue(path === '' ? defaultZones.value : zonesOf(contentOf(path), defaultZones.value));
  }

  of(kind: ZoneKind): readonly BlacklistZone[] {
    return this.zones.filter((zone) => zone.kind === kind);
  }
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ZonesFileError([`it cannot be read: ${error instanceof Error ? error.message : String(error)}`]);
  }
}
