import fc from 'fast-check';
import { CrmError } from '../port/crm.errors';
import { type AttioAttribute } from './attio-fields';
import { type AttioRecord } from './attio-people';
import {
  getAttioConditions,
  formatAttioCursor,
  createAttioFindQuery,
  isAttioId,
  createPageQuery,
  parseAttioCursor,
  getLastPlace,
  createAttioReadQuery,
} from './attio-query';

const ID = '0a0b0c0d-0000-4000-8000-00000000000';
const AT = '2026-11-01T00:00:00.001000000Z';
const LATER = '2026-11-01T00:00:00.002000000Z';

const record = (n: number, created_at: string): AttioRecord => ({
  id: { record_id: `${ID}${n}` },
  created_at,
  values: {},
});

const attribute = (api_slug: string, type: string): AttioAttribute => ({ api_slug, type, title: api_slug });

describe('A position in the list of Attio', () => {
  it('survives conversion to text and back', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.uuid(), (before, id) => {
        const place = { at: AT, before, id };
        expect(parseAttioCursor(formatAttioCursor(place))).toEqual(place);
      }),
    );
  });

  it.each(['', 'x', `${AT}|0`, `${AT}|-1|${ID}1`, `${AT}|0|nobody`, `yesterday|0|${ID}1`, `${AT}|0|${ID}1|x`])(
    'is not in %j',
    (cursor) => {
      expect(() => parseAttioCursor(cursor)).toThrow(expect.objectContaining({ reason: 'cursor' }) as CrmError);
    },
  );

  it.each<readonly [string, AttioRecord[], string | null, number, unknown]>([
    ['no record', [], null, 0, null],
    ['one', [record(1, AT)], null, 0, { at: AT, before: 0, id: `${ID}1` }],
    ['two of one time', [record(1, AT), record(2, AT)], null, 0, { at: AT, before: 1, id: `${ID}2` }],
    ['the last of another time', [record(1, AT), record(2, LATER)], AT, 7, { at: LATER, before: 0, id: `${ID}2` }],
    ['more of the time of the page before', [record(1, AT), record(2, AT)], AT, 7, { at: AT, before: 8, id: `${ID}2` }],
  ])('follows %s', (_, records, since, offset, place) => {
    expect(getLastPlace(records, since, offset)).toEqual(place);
  });
});

describe('A query of Attio', () => {
  const sorts = [
    { attribute: 'created_at', direction: 'asc' },
    { attribute: 'record_id', direction: 'asc' },
  ];

  it('requests pages in the order of creation', () => {
    expect(createPageQuery([], null, 0)).toEqual({ sorts, limit: 500, offset: 0 });
    expect(createPageQuery([{ x: 1 }], AT, 3)).toEqual({
      filter: { $and: [{ created_at: { $gte: AT } }, { x: 1 }] },
      sorts,
      limit: 500,
      offset: 3,
    });
  });

  it('requests addresses in lower case, and ids', () => {
    expect(createAttioFindQuery(['A@Example.com', 'b@example.com'])).toMatchObject({
      filter: { $or: [{ email_addresses: 'a@example.com' }, { email_addresses: 'b@example.com' }] },
    });
    expect(createAttioReadQuery([`${ID}1`])).toMatchObject({ filter: { record_id: { $in: [`${ID}1`] } } });
    expect([isAttioId(`${ID}1`), isAttioId('../../x'), isAttioId(`${ID}1 `)]).toEqual([true, false, false]);
  });

  it.each<readonly [string, string, readonly string[], unknown]>([
    ['job_title', 'text', ['CEO', 'CTO'], [{ job_title: 'CEO' }, { job_title: 'CTO' }]],
    ['score', 'number', ['7'], [{ score: 7 }]],
    ['wants_mail', 'checkbox', ['true', 'false'], [{ wants_mail: true }, { wants_mail: false }]],
    ['name.last_name', 'personal-name', ["O'Hara"], [{ name: { last_name: "O'Hara" } }]],
  ])('compares %s, a %s, with %j', (field, type, values, either) => {
    const slug = field.split('.')[0] ?? '';
    expect(getAttioConditions({ fields: { [field]: values } }, [attribute(slug, type)])).toEqual([{ $or: either }]);
  });

  it('finds the owner in the account’s custom attribute', () => {
    expect(getAttioConditions({ ownerId: 'm1' }, [])).toEqual([
      { owner: { referenced_actor_type: 'workspace-member', referenced_actor_id: 'm1' } },
    ]);
  });

  it.each([
    [{ listId: '17' }, { reason: 'unsupported' }],
    [{ fields: { gone: ['x'] } }, { reason: 'unknown_field', field: 'gone' }],
  ])('refuses %j', (filter, wanted) => {
    expect(() => getAttioConditions(filter, [])).toThrow(expect.objectContaining(wanted) as CrmError);
  });
});
