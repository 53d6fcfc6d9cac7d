import { AttioDriver } from './attio/attio.driver';
import { CloseDriver } from './close/close.driver';
import { HubSpotDriver } from './hubspot/hubspot.driver';
import { PipedriveDriver } from './pipedrive/pipedrive.driver';
import { type CrmDriver, CrmPort } from './port/crm.port';
import { type CrmType } from './port/crm-type';
import { type CrmWay } from './http/crm-http.client';
import { SalesforceDriver } from './salesforce/salesforce.driver';
import { ZohoDriver } from './zoho/zoho.driver';

/** Creates the CRM drivers of this installation. */
export class CrmDrivers extends CrmPort {
  readonly #drivers: Readonly<Record<CrmType, CrmDriver>>;

  constructor(way: CrmWay) {
    super();
    this.#drivers = {
      hubspot: new HubSpotDriver(way),
      salesforce: new SalesforceDriver(way),
      pipedrive: new PipedriveDriver(way),
      zoho: new ZohoDriver(way),
      close: new CloseDriver(way),
      attio: new AttioDriver(way),
    };
  }

  override driver(type: CrmType): CrmDriver {
    return this.#drivers[type];
  }
}
