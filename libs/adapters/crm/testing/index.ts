export { AttioServer } from './attio.server';
export { FakeCrm, FakeCrms, type FakeScript } from './fake.crm';
export { PipedriveServer } from './pipedrive.server';
export { SalesforceServer } from './salesforce.server';
export { HubSpotServer } from './hubspot.server';
export { ZohoServer } from './zoho.server';
export { type ServerAnswer } from './vendor.server';
