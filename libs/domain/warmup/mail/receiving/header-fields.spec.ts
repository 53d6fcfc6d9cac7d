import { listHeaderFields } from './header-fields';

const raw = (text: string) => Buffer.from(text.replaceAll('\n', '\r\n'));

describe('headerFields', () => {
  it('returns all fields with the name in order, unfolded, in any case', () => {
    const mail = raw(
      'DKIM-Signature: v=1; d=a.test;\n\ts=one; b=x\n y\nTo: ann@a.test\ndkim-signature: d=b.test; s=two\n\nHi',
    );
    expect(listHeaderFields(mail, 'DKIM-Signature')).toEqual(['v=1; d=a.test;\ts=one; b=x y', 'd=b.test; s=two']);
  });

  it('does not read the body', () => {
    expect(listHeaderFields(raw('To: ann@a.test\n\nDKIM-Signature: d=a.test; s=one\n'), 'dkim-signature')).toEqual([]);
  });

  it('does not match a prefix of another name', () => {
    expect(listHeaderFields(raw('X-Warmup: 1\nX: 2\n\n'), 'x')).toEqual(['2']);
  });
});
