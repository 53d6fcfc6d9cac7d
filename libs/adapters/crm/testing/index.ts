export { AttioServer } from './attio.server';
export { CrmStore, type NewPerson, type StoredActivity, type StoredPerson } from './crm.store';
export { type FakeCall, FakeCrm, FakeCrms, type FakeScript } from './fake.crm';
export { PIPEDRIVE_OWNERS, PipedriveServer } from './pipedrive.server';
export { PIPEDRIVE_KEYS } from './pipedrive.persons';
export { SALESFORCE_OWNERS, salesforceId, SalesforceServer } from './salesforce.server';
export { HUBSPOT_FAILURES, HubSpotServer } from './hubspot.server';
export { type Scripted, type Served, type ServerAnswer, VendorServer } from './vendor.server';
export { ZohoServer } from './zoho.server';
