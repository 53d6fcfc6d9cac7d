export { CLOSE_FAILURES, CloseServer } from './close.server';
export { AttioServer } from './attio.server';
export { CrmStore, type NewPerson, type StoredActivity, type StoredPerson } from './crm.store';
export { type FakeCall, FakeCrm, FakeCrms, type FakeScript } from './fake.crm';
export { PipedriveServer } from './pipedrive.server';
export { SalesforceServer } from './salesforce.server';
export { HUBSPOT_FAILURES, HubSpotServer } from './hubspot.server';
export { type Scripted, type Served, type ServerAnswer, VendorServer } from './vendor.server';
export { ZohoServer } from './zoho.server';
