import { readFileSync } from 'node:fs';
import { defaultZones } from './default-zones';
import { type BlacklistZone, type ZoneKind } from './zone';
import { toZones } from './zones-file';
import { ZonesFileError } from './zones-file.errors';

/** The zones of this installation. */
export class ZoneCatalogue {
  constructor(readonly zones: readonly BlacklistZone[]) {}

  /**
   * @param path the operator's file (`parseZones`); empty: the default zones
   * @throws ZonesFileError
   */
  static load(path: string): ZoneCatalogue {
    return new ZoneCatalogue(path === '' ? defaultZones.value : toZones(readContent(path), defaultZones.value));
  }

  listByKind(kind: ZoneKind): readonly BlacklistZone[] {
    return this.zones.filter((zone) => zone.kind === kind);
  }
}

function readContent(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ZonesFileError([`it cannot be read: ${error instanceof Error ? error.message : String(error)}`]);
  }
}
