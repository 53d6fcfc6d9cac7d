import { join } from 'node:path';
import { AssetSet, AssetValueError, loadAsset } from '@platform/config';
import { type BlacklistZone } from './zone';
import { parseZones } from './zones-file';
import { ZonesFileError } from './zones-file.errors';

/** Default zones from `assets/blacklist-zones.yaml`. */
export const defaultZones = new AssetSet<readonly BlacklistZone[]>('deliverability/blacklist-zones', () =>
  loadAsset({
    folder: join(__dirname, '..', '..', 'assets'),
    file: 'blacklist-zones.yaml',
    schema: 'blacklist-zones.schema.json',
    compile: toZones,
  }),
);

function toZones(file: Readonly<Record<string, unknown>>): readonly BlacklistZone[] {
  try {
    return parseZones(file, []);
  } catch (error) {
    if (error instanceof ZonesFileError) throw new AssetValueError(error.problems.join('; '));
    throw error;
  }
}
