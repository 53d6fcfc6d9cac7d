import { hasToken } from './operator-token';

const TOKEN = 'a-token-with:colons-and=signs';
const basic = (pair: string): string => `Basic ${Buffer.from(pair).toString('base64')}`;

describe('the token of the operator', () => {
  it.each([
    basic(`operator:${TOKEN}`),
    basic(`:${TOKEN}`),
    basic(`anybody:${TOKEN}`).replace('Basic', 'bASIC'),
    `Bearer ${TOKEN}`,
    `bearer  ${TOKEN}`,
  ])('is present in %s', (authorization) => {
    expect(hasToken(authorization, TOKEN)).toBe(true);
  });

  it.each([
    undefined,
    '',
    'Basic',
    'Basic ',
    'Bearer ',
    TOKEN,
    `Token ${TOKEN}`,
    basic(TOKEN.replaceAll(':', ';')),
    basic(`${TOKEN}:`),
    basic('operator:'),
    basic(`operator:${TOKEN} `),
    basic(`operator:${TOKEN.slice(0, -1)}`),
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.toUpperCase()}`,
  ])('is absent from %j', (authorization) => {
    expect(hasToken(authorization, TOKEN)).toBe(false);
  });
});
