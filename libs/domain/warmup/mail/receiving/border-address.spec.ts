import { findBorderAddress } from './border-address';

const from = (...fields: string[]) =>
  findBorderAddress(Buffer.from([...fields, 'To: ann@a.test', '', 'Hi'].join('\r\n')));

describe('borderAddress', () => {
  it('is the newest server outside the receiver’s own network', () => {
    expect(
      from(
        'Received: by 2002:a05:6402:3514:b0:5f8:aaaa:bbbb with SMTP id x1; Wed, 25 Nov 2026 03:59:00 -0800',
        'Received: from filter.a.test (filter.a.test [10.0.0.7])\r\n\tby store.a.test with LMTP; Wed, 25 Nov 2026 11:59:00 +0000',
        'Received: from out.b.test (out.b.test [8.8.4.4]) by mx.a.test with ESMTPS; Wed, 25 Nov 2026 11:58:59 +0000',
        'Received: from laptop (home.b.test [9.9.9.9]) by out.b.test with ESMTPSA; Wed, 25 Nov 2026 11:58:58 +0000',
      ),
    ).toBe('8.8.4.4');
  });

  it('is the address of the SPF check when the receiver’s server reports it', () => {
    expect(
      from(
        'Received: from AM1.prod.example (2603:10a6:10:1b4::12) by DB9.prod.example with HTTPS',
        'Received-SPF: Pass (protection.example: domain of b.test designates\r\n 8.8.4.4 as permitted sender) receiver=x; client-ip=8.8.4.4; helo=out.b.test',
        'Received: from other.b.test (other.b.test [9.9.9.9]) by out.b.test with ESMTPS',
      ),
    ).toBe('8.8.4.4');
  });

  it.each([
    ['IPv6', 'Received: from out.b.test (out.b.test [IPv6:2001:4860:4860::8888]) by mx.a.test', '2001:4860:4860::8888'],
    ['a private address', 'Received: from out.b.test (out.b.test [192.168.1.5]) by mx.a.test', null],
    ['the address of the server itself', 'Received: from out.b.test by mx.a.test (mx.a.test [8.8.4.4])', null],
    ['no address', 'Received: from out.b.test ([300.1.1.1]) by mx.a.test', null],
  ])('reads %s', (_what, field, address) => {
    expect(from(field)).toBe(address);
  });

  it('is unknown for a message without server headers', () => {
    expect(from('Subject: [8.8.4.4]')).toBeNull();
  });
});
