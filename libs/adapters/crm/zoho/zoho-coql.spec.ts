import fc from 'fast-check';
import { CrmError } from '../port/crm.errors';
import { type CrmFilter } from '../port/crm-session';
import { createZohoFindQuery, isZohoId, createZohoPullQuery, createZohoReadQuery, toZohoInstant } from './zoho-coql';

const OWN = 'id, Email, Secondary_Email, Owner, Email_Opt_Out, Created_Time, Modified_Time';

describe('A query of Zoho', () => {
  it('reads the first page from the beginning', () => {
    expect(createZohoPullQuery({}, ['First_Name'], null)).toBe(
      `select ${OWN}, First_Name from Contacts where id is not null order by id asc limit 2000`,
    );
  });

  it('reads the next page after the last id', () => {
    expect(createZohoPullQuery({}, [], '4876876000001036109')).toBe(
      `select ${OWN} from Contacts where id > '4876876000001036109' order by id asc limit 2000`,
    );
  });

  it.each<readonly [string, CrmFilter, string]>([
    [
      'changed since',
      { updatedSince: new Date('2026-01-02T03:04:05.999Z') },
      `where (id is not null and Modified_Time >= '2026-01-02T03:04:05+00:00') order`,
    ],
    [
      'of an owner',
      { ownerId: '4876876000000900134' },
      `where (id is not null and Owner = '4876876000000900134') order`,
    ],
    ['of one value', { fields: { Title: ['CEO'] } }, `where (id is not null and Title = 'CEO') order`],
    [
      'of several values',
      { fields: { Title: ['CEO', 'CTO'] } },
      `where (id is not null and Title in ('CEO', 'CTO')) order`,
    ],
    ['of no value: nobody', { fields: { Title: [] } }, `where (id is not null and id is null) order`],
    ['of a view', { listId: '4876876000000087501' }, `from 4876876000000087501 where id is not null order`],
    [
      'of all together, in pairs',
      { updatedSince: new Date(0), ownerId: '1', fields: { Title: ['CEO'] } },
      `where (id is not null and (Modified_Time >= '1970-01-01T00:00:00+00:00' and (Owner = '1' and Title = 'CEO'))) order`,
    ],
  ])('requests people %s', (_, filter, wanted) => {
    expect(createZohoPullQuery(filter, [], null)).toContain(wanted);
  });

  it('searches addresses in both fields', () => {
    expect(createZohoFindQuery(['a@example.com', 'b@example.com'], [], null)).toContain(
      `where (Email in ('a@example.com', 'b@example.com') or Secondary_Email in ('a@example.com', 'b@example.com')) order`,
    );
    expect(createZohoFindQuery(['a@example.com'], [], '7')).toContain(
      `where (id > '7' and (Email = 'a@example.com' or Secondary_Email = 'a@example.com')) order`,
    );
  });

  it('reads by ids, and omits invalid ones', () => {
    expect(createZohoReadQuery(['1', "2' or 1=1", '3'], [])).toContain(`where id in ('1', '3') limit`);
    expect(createZohoReadQuery(['nobody'], [])).toContain('where id is null limit');
  });

  it('requests a field once', () => {
    expect(createZohoPullQuery({}, ['Email', 'Title', 'Title'], null)).toContain(`select ${OWN}, Title from`);
  });

  it('quotes names that are reserved words or belong to another record', () => {
    expect(createZohoPullQuery({}, ['External', 'Account_Name.Account_Name'], null)).toContain(
      `${OWN}, 'External', 'Account_Name.Account_Name' from`,
    );
  });

  it.each(['', 'a b', 'Title, Phone', "Title'", 'Title)--', 'a.b.c.d', '1st', 'Ünicode'])(
    'does not accept %j as a field name',
    (name) => {
      const wanted = expect.objectContaining({ reason: 'unknown_field', field: name });
      expect(thrownBy(() => createZohoPullQuery({}, [name], null))).toEqual(wanted);
      expect(thrownBy(() => createZohoPullQuery({ fields: { [name]: ['x'] } }, [], null))).toEqual(wanted);
    },
  );

  it.each(['', 'abc', '1 or 1=1', "1'", '-1', '1.5', '1'.repeat(25)])('does not accept %j as a cursor', (cursor) => {
    expect(thrownBy(() => createZohoPullQuery({}, [], cursor))).toMatchObject({ reason: 'cursor' });
    expect(isZohoId(cursor)).toBe(false);
  });

  it('refuses a view id that is no number', () => {
    expect(thrownBy(() => createZohoPullQuery({ listId: 'Contacts; drop' }, [], null))).toMatchObject({
      reason: 'rejected',
    });
  });

  it('quotes every value safely', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        const query = createZohoPullQuery({ fields: { Title: [value] } }, [], null);
        const between = /Title = '(.*)'\) order by id asc limit 2000$/su.exec(query)?.[1];
        expect(between?.replaceAll("''", '')).not.toContain("'");
        // eslint-disable-next-line no-control-regex
        expect(query).not.toMatch(/[\u0000-\u001f]/);
      }),
    );
  });

  it('writes times in whole seconds', () => {
    expect(toZohoInstant(new Date('2026-07-01T12:34:56.789Z'))).toBe('2026-07-01T12:34:56+00:00');
  });
});

function thrownBy(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    expect(error).toBeInstanceOf(CrmError);
    return error;
  }
  return null;
}
