import { type CrmValue } from '../port/crm-person';
import { type AttioRecord, listAttioRecords, type AttioValue, toAttioNote, toAttioPerson } from './attio-people';

const ID = '0a0b0c0d-0000-4000-8000-000000000001';
const MADE = '2026-01-02T03:04:05.061281000Z';
const value = (attribute_type: string, more: object, active_from = MADE): AttioValue => ({
  active_from,
  attribute_type,
  ...more,
});

const record = (values: AttioRecord['values']): AttioRecord => ({ id: { record_id: ID }, created_at: MADE, values });

describe('A person of Attio', () => {
  it('is read from a record', () => {
    const values = {
      email_addresses: [
        value('email-address', { email_address: 'ada@example.com' }),
        value('email-address', { email_address: 'second@example.com' }),
      ],
      owner: [value('actor-reference', { referenced_actor_type: 'workspace-member', referenced_actor_id: 'm1' })],
      job_title: [],
    };
    expect(toAttioPerson(record(values), ['job_title', 'elsewhere'])).toEqual({
      externalId: ID,
      emails: ['ada@example.com', 'second@example.com'],
      fields: { job_title: null, elsewhere: null },
      ownerId: 'm1',
      isOptedOut: null,
      createdAt: new Date('2026-01-02T03:04:05.061Z'),
      updatedAt: new Date('2026-01-02T03:04:05.061Z'),
    });
  });

  it('has the start time of its latest value as its update time', () => {
    const values = {
      a: [value('text', { value: 'x' }, '2026-03-01T00:00:00.000000000Z')],
      b: [value('text', { value: 'x' }), value('text', { value: 'x' }, '2026-05-01T00:00:00.000000000Z')],
      c: [value('text', { value: 'x' }, 'soon')],
    };
    expect(toAttioPerson(record(values), []).updatedAt).toEqual(new Date('2026-05-01T00:00:00Z'));
  });

  it.each<readonly [string, AttioValue[], CrmValue]>([
    ['f', [value('text', { value: 'CEO' })], 'CEO'],
    ['f', [value('number', { value: 7.5 })], 7.5],
    ['f', [value('rating', { value: 4 })], 4],
    ['f', [value('checkbox', { value: false })], false],
    ['f', [value('date', { value: '2026-01-02' })], '2026-01-02'],
    ['f', [value('timestamp', { value: '2026-01-02T03:04:05.678000000Z' })], '2026-01-02T03:04:05.678Z'],
    ['f', [value('timestamp', { value: 'never' })], 'never'],
    ['f', [value('currency', { currency_value: 12.5, currency_code: 'EUR' })], 12.5],
    ['f', [value('phone-number', { phone_number: '+491' }), value('phone-number', { phone_number: '+492' })], '+491'],
    ['f', [value('domain', { domain: 'example.com' })], 'example.com'],
    ['f', [value('select', { option: { title: 'Gold' } })], 'Gold'],
    [
      'f',
      [value('select', { option: { title: 'Go' } }), value('select', { option: { title: 'Chess' } })],
      ['Go', 'Chess'],
    ],
    ['f', [value('status', { status: { title: 'In Progress' } })], 'In Progress'],
    ['f', [value('record-reference', { target_object: 'companies', target_record_id: 'r1' })], 'r1'],
    ['f', [value('actor-reference', { referenced_actor_id: 'm1' })], 'm1'],
    ['f', [value('interaction', { interaction_type: 'email' })], null],
    ['f', [value('text', { value: { hostile: true } })], null],
    ['f.first_name', [value('personal-name', { first_name: 'Ada', full_name: 'Ada L' })], 'Ada'],
    ['f.locality', [value('location', { locality: null })], null],
    ['f', [value('personal-name', { first_name: 'Ada', full_name: 'Ada L' })], 'Ada L'],
  ])('has the %s of %j: %j', (field, values, wanted) => {
    expect(toAttioPerson(record({ f: values }), [field]).fields).toEqual({ [field]: wanted });
  });

  it('is not read from an invalid record', () => {
    const fine = record({});
    expect(listAttioRecords([fine, null, 'x', {}, { ...fine, id: {} }, { ...fine, values: { a: 'x' } }])).toEqual([
      fine,
    ]);
    expect(listAttioRecords(fine)).toEqual([]);
  });
});

describe('A note for Attio', () => {
  it('has the time of the event', () => {
    const at = new Date('2026-01-02T03:04:05Z');
    expect(
      toAttioNote({ key: 'k', externalId: ID, kind: 'email', direction: 'outgoing', at, title: 'Sent', body: 'Text' }),
    ).toEqual({
      parent_object: 'people',
      parent_record_id: ID,
      title: 'Sent',
      format: 'plaintext',
      content: 'Text',
      created_at: '2026-01-02T03:04:05.000Z',
    });
  });
});
