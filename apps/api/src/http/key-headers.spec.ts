import { type Request } from 'express';
import { getPresentedKey } from './key-headers';

function request(headers: Record<string, string>): Request {
  return { get: (name: string) => headers[name.toLowerCase()] } as unknown as Request;
}

describe('presentedKey', () => {
  it.each([
    ['no key', {}, false, undefined],
    ['an empty key', { 'x-api-key': '' }, false, undefined],
    ['an empty key and bearer', { 'x-api-key': '', authorization: 'Bearer ' }, true, undefined],
    ['a key', { 'x-api-key': 'sk_1' }, false, 'sk_1'],
    ['a bearer alone', { authorization: 'Bearer sk_1' }, false, undefined],
    ['a key where a bearer is also required', { 'x-api-key': 'sk_1' }, true, undefined],
    ['a bearer alone where both are required', { authorization: 'Bearer sk_1' }, true, undefined],
    ['both, equal', { 'x-api-key': 'sk_1', authorization: 'Bearer sk_1' }, true, 'sk_1'],
    ['both, the scheme in lower case', { 'x-api-key': 'sk_1', authorization: 'bearer  sk_1' }, true, 'sk_1'],
    ['both, different', { 'x-api-key': 'sk_1', authorization: 'Bearer sk_2' }, true, undefined],
    ['both, one a prefix of the other', { 'x-api-key': 'sk_12', authorization: 'Bearer sk_1' }, true, undefined],
    ['another scheme', { 'x-api-key': 'sk_1', authorization: 'Basic sk_1' }, true, undefined],
  ])('%s', (_name, headers, bearerRequired, expected) => {
    expect(getPresentedKey(request(headers as Record<string, string>), bearerRequired)).toBe(expected);
  });
});
