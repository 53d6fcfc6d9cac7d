import {
  EmailField,
  FlagField,
  NameField,
  OneOfListField,
  PageQuery,
  SearchPageQuery,
  TimeZoneField,
  UrlField,
} from '@platform/validation';
import { Type } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import { requestValidation } from './request-validation';

class Settings {
  @FlagField({ optional: true })
  enabled?: boolean;
}

class Body {
  @NameField()
  name!: string;

  @OneOfListField(['read', 'write'], { optional: true })
  scopes?: string[];

  @ValidateNested()
  @Type(() => Settings)
  settings?: Settings;
}

class Address {
  @EmailField()
  email!: string;
}

class Place {
  @TimeZoneField({ optional: true })
  timezone?: string;

  @UrlField({ max: 40, optional: true })
  homepage?: string;
}

const pipe = requestValidation();

function read(metatype: new () => unknown, value: unknown, type: 'body' | 'query' = 'body'): Promise<unknown> {
  return pipe.transform(value, { type, metatype });
}

async function fieldsRefused(
  metatype: new () => unknown,
  value: unknown,
  type: 'body' | 'query' = 'body',
): Promise<string[]> {
  try {
    await read(metatype, value, type);
    return [];
  } catch (error) {
    return ((error as { details?: { field: string }[] }).details ?? []).map(({ field }) => field);
  }
}

describe('the limit of a list', () => {
  it.each([
    ['1', 1],
    ['25', 25],
    ['100', 100],
  ])('accepts %s', async (text, limit) => {
    expect(await read(PageQuery, { limit: text }, 'query')).toMatchObject({ limit });
  });

  it.each([
    '0',
    '101',
    '-1',
    '+5',
    '1e2',
    '0x10',
    '5.5',
    '',
    ' 5',
    '5 ',
    '05',
    '٥',
    'NaN',
    '1,000',
    ['5', '6'],
    '99999999999',
  ])('rejects %j', async (limit) => {
    expect(await fieldsRefused(PageQuery, { limit }, 'query')).toEqual(['limit']);
  });

  it('is 25 by default', async () => {
    expect(await read(PageQuery, {}, 'query')).toEqual({ limit: 25 });
  });
});

describe('request validation', () => {
  it.each([
    ['an unknown field', { name: 'x', workspaceId: 'y' }, ['workspaceId']],
    ['an unknown nested field', { name: 'x', settings: { admin: true } }, ['settings.admin']],
    ['a wrong nested field', { name: 'x', settings: { enabled: 'yes' } }, ['settings.enabled']],
    ['a scalar instead of an object', { name: 'x', settings: 'on' }, ['settings']],
    ['an operator instead of a string', { name: { $ne: null } }, ['name']],
    ['an array instead of a string', { name: ['x'] }, ['name']],
    ['a missing field', {}, ['name']],
    ['a blank field', { name: '  ' }, ['name']],
    ['null', { name: null }, ['name']],
    ['an empty list', { name: 'x', scopes: [] }, ['scopes']],
    ['a repeated entry', { name: 'x', scopes: ['read', 'read'] }, ['scopes']],
    ['a list of another type', { name: 'x', scopes: [{ $gt: '' }] }, ['scopes']],
    ['several wrong fields at once', { name: 7, scopes: 'read', other: 1 }, ['other', 'name', 'scopes']],
    ['an invisible name', { name: '\u200b' }, ['name']],
    ['a control character', { name: 'a\u0007b' }, ['name']],
    ['a line break in a name', { name: 'a\nb' }, ['name']],
    ['a null character', { name: 'a\u0000b' }, ['name']],
    ['half a surrogate pair', { name: 'a\ud800b' }, ['name']],
    ['text with a direction override', { name: 'a\u202eb' }, ['name']],
    ['a text that is too long', { name: 'x'.repeat(201) }, ['name']],
  ])('rejects %s and names it', async (_name, body, fields) => {
    expect(await fieldsRefused(Body, body)).toEqual(fields);
  });

  it('rejects a disguised prototype', async () => {
    const body: unknown = JSON.parse(
      '{"name":"x","__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}',
    );
    await read(Body, body).catch(() => {});
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
    expect((await read(Body, JSON.parse('{"name":"x"}'))) as { admin?: boolean }).not.toHaveProperty('admin');
  });

  it.each(['Zoë & Søn GmbH', '株式会社', 'a👩‍👩‍👧b', '-'])('accepts the name %s', async (name) => {
    expect(await read(Body, { name })).toEqual({ name });
  });

  it.each(['a', 'a@b', 'a\ud800@x.com', 'a\u200bb@x.com', 'a@x.com\u0000', 'a@x.com, b@x.com', {}, 5, null])(
    'rejects %j as an address',
    async (email) => {
      expect(await fieldsRefused(Address, { email })).toEqual(['email']);
    },
  );

  it.each([
    ['"ada"@example.com', 'in quotes'],
    ['ada\u202e@example.com', 'invisible'],
    ['jürgen@example.com', 'SMTPUTF8'],
    ['Ada <ada@example.com>', 'address alone'],
  ])('explains what is wrong with the address %j', async (email, words) => {
    await expect(read(Address, { email })).rejects.toMatchObject({
      details: [
        { field: 'email', message: expect.stringMatching(`^email must be an e-mail address: .*${words}`) as unknown },
      ],
    });
  });

  it('converts an address in a non-ASCII domain to its normal form', async () => {
    expect(await read(Address, { email: 'Info@Bücher.example' })).toEqual({ email: 'info@xn--bcher-kva.example' });
  });

  it('accepts an address, trims it and converts it to lower case', async () => {
    expect(await read(Address, { email: ' Ada.Lovelace+x@Example.COM ' })).toEqual({
      email: 'ada.lovelace+x@example.com',
    });
  });

  it.each([
    ['utc', 'UTC'],
    ['Etc/UTC', 'Etc/UTC'],
    ['europe/berlin', 'Europe/Berlin'],
    ['ASIA/CALCUTTA', 'Asia/Calcutta'],
    ['asia/kolkata', 'Asia/Kolkata'],
    ['america/port-au-prince', 'America/Port-au-Prince'],
    ['etc/gmt+5', 'Etc/GMT+5'],
    ['us/pacific', 'US/Pacific'],
  ])('converts the zone %s to %s', async (timezone, spelled) => {
    expect(await read(Place, { timezone })).toEqual({ timezone: spelled });
  });

  it.each(['', 'Mars/Olympus', '+02:00', 'UTC+1', ' UTC', '2026-01-01T00:00Z[UTC]', 5, null, ['UTC']])(
    'rejects the zone %j',
    async (timezone) => {
      expect(await fieldsRefused(Place, { timezone })).toEqual(['timezone']);
    },
  );

  it('accepts a URL, trimmed and otherwise unchanged', async () => {
    expect(await read(Place, { homepage: ' https://Example.com/a?b=%20#c ' })).toEqual({
      homepage: 'https://Example.com/a?b=%20#c',
    });
  });

  it.each([
    'http://localhost:1/\r\nX: y',
    'http://localhost/a\tb',
    'http://localhost/a b',
    'http://localhost/a\0',
    'http://localhost/a\u202eb',
    'http://localhost/a\u2028b',
    'localhost',
    '',
    'http://',
    `http://localhost/${'x'.repeat(24)}`,
    ['http://localhost/'],
    5,
    null,
  ])('rejects the URL %j', async (homepage) => {
    expect(await fieldsRefused(Place, { homepage })).toEqual(['homepage']);
  });

  it('trims text and leaves absent fields absent', async () => {
    expect(await read(Body, { name: '  Ada ' })).toEqual({ name: 'Ada' });
  });

  it.each(['search[$ne]', 'limit[]', '$where'])('rejects the query parameter %s', async (name) => {
    expect(await fieldsRefused(SearchPageQuery, { [name]: '1' }, 'query')).toEqual([name]);
  });
});
