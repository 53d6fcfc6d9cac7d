import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { isSigned, getSignature } from './callback-signature';

const SECRET = 'a-secret-of-two-sides';
const BODY = Buffer.from('{"title":"CEO"}');

describe('the signature of a result', () => {
  it('can be computed by any holder of the secret', () => {
    const hex = createHmac('sha256', SECRET).update(BODY).digest('hex');
    expect(getSignature(BODY, SECRET)).toBe(`sha256=${hex}`);
    expect(isSigned(BODY, `sha256=${hex}`, SECRET)).toBe(true);
  });

  it.each([
    ['none', undefined],
    ['an empty one', ''],
    ['that of another body', getSignature(Buffer.from('{}'), SECRET)],
    ['that of another secret', getSignature(BODY, 'another-secret-of-two')],
    ['one that is cut', getSignature(BODY, SECRET).slice(0, -1)],
    ['one with extra characters', `${getSignature(BODY, SECRET)}0`],
    ['one without its method', getSignature(BODY, SECRET).slice('sha256='.length)],
  ])('is not %s', (_what, given) => {
    expect(isSigned(BODY, given, SECRET)).toBe(false);
  });

  it('is not required without a secret', () => {
    expect(isSigned(BODY, undefined, null)).toBe(true);
    expect(isSigned(BODY, 'sha256=whatever', null)).toBe(true);
  });

  it('matches only the exact signed bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.uint8Array(), (one, other) => {
        const [body, another] = [Buffer.from(one), Buffer.from(other)];
        expect(isSigned(another, getSignature(body, SECRET), SECRET)).toBe(body.equals(another));
      }),
    );
  });
});
