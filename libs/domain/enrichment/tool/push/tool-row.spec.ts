import { Types } from 'mongoose';
import { type LeadPerson } from '@domain/leads';
import { toItemPerson, getRow } from './tool-row';

const LEAD = new Types.ObjectId();
const item = (fields: object = {}) => ({
  _id: new Types.ObjectId('65f0c0ffee65f0c0ffee0001'),
  workspaceId: new Types.ObjectId(),
  jobId: new Types.ObjectId(),
  email: ' Ada@EXAMPLE.com ',
  leadId: LEAD,
  attempts: 0,
  createdAt: new Date(),
  ...fields,
});
const ada: LeadPerson = {
  _id: LEAD,
  email: 'ada@example.com',
  firstName: 'Ada',
  lastName: 'Lovelace',
  companyName: '',
  jobTitle: '',
  phone: '',
  website: '',
  linkedinUrl: '',
  city: 'London',
  country: '',
};
const known = (person: LeadPerson) => new Map([[LEAD.toHexString(), person]]);

describe('the row of an item', () => {
  it.each([
    ['a lead', item(), known(ada), { kind: 'person', email: 'ada@example.com', known: ada }],
    ['an address alone', item({ leadId: null }), known(ada), { kind: 'person', email: 'ada@example.com', known: null }],
    ['a lead that is gone', item(), new Map<string, LeadPerson>(), { kind: 'lead_gone' }],
    ['a lead that was erased', item(), known({ ...ada, email: 'erased-1@erased.invalid' }), { kind: 'lead_gone' }],
    ['no address', item({ email: 'ada at example' }), known(ada), { kind: 'invalid_address' }],
  ])('%s', (_what, of, leads, expected) => {
    expect(toItemPerson(of, leads)).toEqual(expected);
  });

  it('has the same columns for any known data of the person', () => {
    const url = 'https://outreach.example.com/enrichment/callback/x';
    const full = getRow(item(), { kind: 'person', email: ada.email, known: ada }, url);
    const bare = getRow(item(), { kind: 'person', email: ada.email, known: null }, url);
    expect(full).toMatchObject({ requestId: '65f0c0ffee65f0c0ffee0001', firstName: 'Ada', city: 'London', phone: '' });
    expect(bare).toMatchObject({ email: 'ada@example.com', firstName: '', callbackUrl: url });
    expect(Object.keys(bare)).toEqual(Object.keys(full));
    expect(Object.keys(full)).not.toContain('_id');
  });
});
