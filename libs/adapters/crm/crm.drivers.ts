import { HubSpotDriver } from './hubspot/hubspot.driver';
import { AttioDriver } from './attio/attio.driver';
import { PipedriveDriver } from './pipedrive/pipedrive.driver';
import { type CrmDriver, Crms } from './port/crm';
import { type CrmType } from './port/crm.type';
import { type CrmWay } from './rest/crm.rest';
import { SalesforceDriver } from './salesforce/salesforce.driver';
import { ZohoDriver } from './zoho/zoho.driver';

type Driven = (way: CrmWay) => CrmDriver;

/** One line for each vendor. */
const DRIVERS: Readonly<Partial<Record<CrmType, Driven>>> = {
  attio: (way) => new AttioDriver(way),
  zoho: (way) => new ZohoDriver(way),
  hubspot: (way) => new HubSpotDriver(way),
  pipedrive: (way) => new PipedriveDriver(way),
  salesforce: (way) => new SalesforceDriver(way),
};

/** The drivers of this installation. */
export class CrmDrivers extends Crms {
  readonly #drivers: ReadonlyMap<CrmType, CrmDriver>;

  constructor(way: CrmWay) {
    super();
    this.#drivers = new Map(Object.entries(DRIVERS).map(([type, driven]) => [type as CrmType, driven(way)]));
  }

  override driver(type: CrmType): CrmDriver {
    const driver = this.#drivers.get(type);
    if (!driver) throw new Error(`No driver for ${type}`);
    return driver;
  }
}
