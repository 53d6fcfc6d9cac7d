import { AppError } from '@platform/errors';
import { parseSuppressions, getSuppressors } from './suppression-values';

function refusalOf(work: () => unknown): { message: string; fields: string[] } {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError && error.code === 'VALIDATION_ERROR') {
      return { message: error.message, fields: (error.details ?? []).map(({ field }) => field) };
    }
    throw error;
  }
  throw new Error('nothing was refused');
}

const addresses = (count: number) => Array.from({ length: count }, (_, index) => `a${index}@example.com`);
const domains = (count: number) => Array.from({ length: count }, (_, index) => `d${index}.example`);

describe('parseSuppressions', () => {
  it('normalizes addresses and domains and removes duplicates', () => {
    expect(
      parseSuppressions({
        addresses: [' Ada@Example.COM ', 'ada@example.com', 'bob@bücher.example'],
        domains: ['Example.COM', '@example.com', ' sub.example.com', 'bücher.example'],
      }),
    ).toEqual([
      { kind: 'address', value: 'ada@example.com' },
      { kind: 'address', value: 'bob@xn--bcher-kva.example' },
      { kind: 'domain', value: 'example.com' },
      { kind: 'domain', value: 'sub.example.com' },
      { kind: 'domain', value: 'xn--bcher-kva.example' },
    ]);
  });

  it('accepts a thousand entries of both kinds together, and no more', () => {
    expect(parseSuppressions({ addresses: addresses(400), domains: domains(600) })).toHaveLength(1_000);
    for (const given of [{ addresses: addresses(1_001) }, { addresses: addresses(401), domains: domains(600) }]) {
      expect(refusalOf(() => parseSuppressions(given)).fields).toEqual(['addresses']);
    }
  });

  it.each([[{}], [{ addresses: [] }], [{ domains: [] }], [{ addresses: [], domains: [] }]])('rejects %j', (given) => {
    expect(refusalOf(() => parseSuppressions(given)).fields).toEqual(['addresses']);
  });

  it.each([
    '',
    ' ',
    '@',
    'com',
    'localhost',
    '*.example.com',
    'https://example.com',
    'example.com/x',
    'ada@example.com',
    '@@example.com',
    'example.com.',
    '.example.com',
    'example..com',
    '127.0.0.1',
    '[127.0.0.1]',
    'exa mple.com',
    'example.com,example.org',
    'ex\u202eample.com',
    'example.com\0',
    `${'x'.repeat(64)}.com`,
    `${'x.'.repeat(130)}com`,
  ])('rejects %j as a domain', (text) => {
    expect(refusalOf(() => parseSuppressions({ domains: ['example.com', text] })).fields).toEqual(['domains.1']);
  });

  it('names each invalid entry by its index, with the reason and without its value', () => {
    const { message, fields } = refusalOf(() =>
      parseSuppressions({ addresses: ['ada@example.com', 'canary', 'x@'], domains: ['canary'] }),
    );
    expect(fields).toEqual(['addresses.1', 'addresses.2', 'domains.0']);
    expect(message).toBe('addresses.1 must be an e-mail address: there is no @ in it; and 2 more');
  });
});

describe('suppressorsOf', () => {
  it('lists the address, its domain and each parent domain below the top-level one', () => {
    expect(getSuppressors('ada@mail.eu.example.co.uk')).toEqual([
      'ada@mail.eu.example.co.uk',
      'mail.eu.example.co.uk',
      'eu.example.co.uk',
      'example.co.uk',
      'co.uk',
    ]);
    expect(getSuppressors('ada@example.com')).toEqual(['ada@example.com', 'example.com']);
  });
});
