export { AttioServer } from './attio-server';
export { CloseServer } from './close-server';
export { FakeCrm, FakeCrms, type FakeScript } from './fake-crm';
export { PIPEDRIVE_KEYS } from './pipedrive-persons';
export { PipedriveServer } from './pipedrive-server';
export { SalesforceServer } from './salesforce-server';
export { HubSpotServer } from './hubspot-server';
export { ZohoServer } from './zoho-server';
export { type ServerAnswer } from './vendor-server';
