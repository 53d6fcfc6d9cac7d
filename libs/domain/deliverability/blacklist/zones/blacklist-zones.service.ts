import { Injectable } from '@nestjs/common';
import { type BlacklistZoneResponse, toBlacklistZone } from '../dto/blacklist-zone.dto';
import { ZoneSelfTestsService } from './zone-self-tests.service';
import { zoneKey } from './zone';
import { ZoneCatalogue } from './zone-catalogue';

/** The zones as users see them: what tests ask, and whether it can be believed. */
@Injectable()
export class BlacklistZonesService {
  constructor(
    private readonly catalogue: ZoneCatalogue,
    private readonly selfTests: ZoneSelfTestsService,
  ) {}

  async list(): Promise<BlacklistZoneResponse[]> {
    const { zones } = this.catalogue;
    const tested = await this.selfTests.findLastSelfTests(zones);
    return zones.map((zone) => toBlacklistZone(zone, tested.get(zoneKey(zone))));
  }
}
