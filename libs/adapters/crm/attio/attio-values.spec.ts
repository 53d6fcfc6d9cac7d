import { type CrmValue } from '../port/crm-person';
import { type CrmWrite } from '../port/crm-session';
import { type AttioAttribute } from './attio-fields';
import { isNameHalf, isReplacing, NO_NAME, findUnknownField, toValues } from './attio-values';

const attribute = (api_slug: string, type: string, is_multiselect = false): [string, AttioAttribute] => [
  api_slug,
  { api_slug, type, title: api_slug, is_multiselect, is_writable: true },
];
const ATTRIBUTES = new Map([
  attribute('name', 'personal-name'),
  attribute('email_addresses', 'email-address', true),
  attribute('phone_numbers', 'phone-number', true),
  attribute('job_title', 'text'),
  attribute('interests', 'select', true),
  attribute('manager', 'actor-reference'),
]);
const MADE: CrmWrite = { key: 'k', externalId: null, email: 'ada@example.com', fields: {} };
const CHANGED: CrmWrite = { ...MADE, externalId: 'r1' };

describe('Values for Attio', () => {
  it('have the address only for a new person, as in the input', () => {
    const fields = { email_addresses: 'other@example.com' };
    expect(toValues({ ...MADE, fields }, ATTRIBUTES, NO_NAME)).toEqual({ email_addresses: ['ada@example.com'] });
    expect(toValues(CHANGED, ATTRIBUTES, NO_NAME)).toEqual({});
    expect(toValues({ ...CHANGED, fields }, ATTRIBUTES, NO_NAME)).toEqual({ email_addresses: ['other@example.com'] });
  });

  it('have an owner only when one is given', () => {
    expect(toValues({ ...CHANGED, ownerId: 'm1' }, ATTRIBUTES, NO_NAME)).toEqual({
      owner: { referenced_actor_type: 'workspace-member', referenced_actor_id: 'm1' },
    });
  });

  it.each<readonly [CrmWrite['fields'], object]>([
    [
      { 'name.first_name': 'Ada', 'name.last_name': 'Lovelace' },
      { first_name: 'Ada', last_name: 'Lovelace', full_name: 'Ada Lovelace' },
    ],
    [{ 'name.first_name': 'Zoë' }, { first_name: 'Zoë', last_name: 'Known', full_name: 'Zoë Known' }],
    [{ 'name.last_name': null }, { first_name: 'Is', last_name: '', full_name: 'Is' }],
  ])('contain all parts of a name for %j', (fields, name) => {
    expect(toValues({ ...CHANGED, fields }, ATTRIBUTES, { first: 'Is', last: 'Known' })).toEqual({ name });
  });

  it.each<readonly [string, CrmValue, unknown]>([
    ['job_title', 'CEO', 'CEO'],
    ['job_title', null, null],
    ['phone_numbers', '+491', ['+491']],
    ['phone_numbers', null, []],
    ['interests', ['Go', 'Chess'], ['Go', 'Chess']],
    ['manager', 'm1', { referenced_actor_type: 'workspace-member', referenced_actor_id: 'm1' }],
  ])('have %s %j as %j', (field, given, wanted) => {
    expect(toValues({ ...CHANGED, fields: { [field]: given } }, ATTRIBUTES, NO_NAME)).toEqual({ [field]: wanted });
  });

  it.each<readonly [CrmWrite['fields'], boolean]>([
    [{}, false],
    [{ phone_numbers: '+491', score: 7, wants_mail: false }, false],
    [{ job_title: null }, true],
    [{ interests: ['Go'] }, true],
  ])('replace the existing value for %j: %s', (fields, replaces) => {
    expect(isReplacing({ ...CHANGED, fields })).toBe(replaces);
  });

  it.each<readonly [CrmWrite['fields'], boolean]>([
    [{}, false],
    [{ 'name.first_name': 'Ada' }, true],
    [{ 'name.last_name': 'Lovelace' }, true],
    [{ 'name.first_name': 'Ada', 'name.last_name': null }, false],
  ])('contain half a name for %j: %s', (fields, isHalf) => {
    expect(isNameHalf({ ...CHANGED, fields })).toBe(isHalf);
  });

  it.each<readonly [Partial<CrmWrite>, string | null]>([
    [{ fields: { job_title: 'x', 'name.first_name': 'y' } }, null],
    [{ fields: { job_title: 'x', gone: 'y' } }, 'gone'],
    [{ fields: { 'name.middle_name': 'x' } }, 'name.middle_name'],
    [{ fields: { name: 'x' } }, 'name'],
    [{ ownerId: 'm1' }, 'owner'],
  ])('do not map %j: %j is no field', (more, unknown) => {
    expect(findUnknownField({ ...CHANGED, ...more }, ATTRIBUTES)).toBe(unknown);
  });
});
