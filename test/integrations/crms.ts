import { CRM_TYPES } from '@adapters/crm';
import { HubSpotServer, PipedriveServer, SalesforceServer } from '../../libs/adapters/crm/testing';
import { ConsentServer } from '../../libs/domain/crm/testing';

/** A token server for all vendors, and three of their APIs, which accept its tokens. */
export class CrmVendors {
  private constructor(
    readonly consents: ConsentServer,
    readonly hubspot: HubSpotServer,
    readonly pipedrive: PipedriveServer,
    readonly salesforce: SalesforceServer,
  ) {
    consents.tokens = hubspot.tokens;
  }

  static async start(): Promise<CrmVendors> {
    const consents = await ConsentServer.start();
    const [hubspot, pipedrive, salesforce] = await Promise.all([
      new HubSpotServer().listen(),
      new PipedriveServer().listen(),
      new SalesforceServer().listen(),
    ]);
    return new CrmVendors(consents, hubspot, pipedrive, salesforce);
  }

  /** Settings of an installation that knows them. */
  get env(): Record<string, string> {
    return {
      ...this.consents.env(CRM_TYPES, this.hubspot.baseUrl),
      PIPEDRIVE_API_URL: this.pipedrive.baseUrl,
      SALESFORCE_API_URL: this.salesforce.baseUrl,
    };
  }

  async close(): Promise<void> {
    const servers = [this.consents, this.hubspot, this.pipedrive, this.salesforce];
    await Promise.all(servers.map((server) => server.close()));
  }
}
