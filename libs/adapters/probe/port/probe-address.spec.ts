import { toProbeAddress } from './probe-address';

describe('probedAddress', () => {
  it.each([
    ['ada@example.com', 'example.com', false],
    ['Ada.L+x@Example.COM', 'example.com', false],
    ['"ada \\" @ l"@example.com', 'example.com', false],
    ['grün@xn--grn-hoa.example', 'xn--grn-hoa.example', true],
    [`${'a'.repeat(64)}@example.com`, 'example.com', false],
  ])('accepts %j', (address, domain, isUtf8) => {
    expect(toProbeAddress(address)).toEqual({ address, domain, isUtf8 });
  });

  it.each([
    '',
    '@example.com',
    'ada',
    'ada@',
    'ada@grün.example',
    'ada@[192.0.2.1]',
    'a b@example.com',
    'a<b@example.com',
    '"a"b"@example.com',
    'ada@example.com>\r\nDATA',
    '"a\r\nb"@example.com',
    'a\u0000@example.com',
    'a\u2028@example.com',
    `${'ü'.repeat(130)}@example.com`,
  ])('refuses %j', (address) => {
    expect(() => toProbeAddress(address)).toThrow(TypeError);
  });
});
