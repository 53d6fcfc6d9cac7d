export { CrmStore, type NewPerson, type StoredActivity, type StoredPerson } from './crm.store';
export { type Scripted, type Served, type ServerAnswer, VendorServer } from './vendor.server';
