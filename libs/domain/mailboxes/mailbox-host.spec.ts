import { parseMailHost } from './mailbox-host';

describe('the host of a mail server', () => {
  it.each([
    ['smtp.example.com', 'smtp.example.com'],
    ['SMTP.Example.COM', 'smtp.example.com'],
    ['smtp.example.com.', 'smtp.example.com'],
    ['smtp.münchen.example', 'smtp.xn--mnchen-3ya.example'],
    ['SMTP.MÜNCHEN.example', 'smtp.xn--mnchen-3ya.example'],
    ['mail_1.example.com', 'mail_1.example.com'],
    ['mailserver', 'mailserver'],
    ['192.0.2.7', '192.0.2.7'],
    ['2001:DB8:0:0::1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    // Spellings that some resolvers read as 127.0.0.1 are normalised to it.
    ['127.1', '127.0.0.1'],
    ['0x7f.0.0.1', '127.0.0.1'],
    ['2130706433', '127.0.0.1'],
    [`${'a'.repeat(63)}.example`, `${'a'.repeat(63)}.example`],
  ])('%s is stored as %s', (text, host) => {
    expect(parseMailHost(text)).toBe(host);
    expect(parseMailHost(host)).toBe(host);
  });

  it.each([
    '',
    '.',
    '..',
    ' ',
    'smtp example.com',
    'smtp.example.com ',
    'smtp.example.com\r\nRSET',
    'smtp.example.com\0',
    'smtp.example.com:587',
    'smtp://smtp.example.com',
    'smtp.example.com/path',
    'smtp.example.com\\path',
    'user@smtp.example.com',
    'smtp.example.com?x',
    'smtp.example.com#x',
    'smtp%2eexample.com',
    'a.example,b.example',
    'a.example;b.example',
    '-smtp.example.com',
    'smtp-.example.com',
    'smtp..example.com',
    '.example.com',
    '[smtp.example.com]',
    '[::1',
    '::1%eth0',
    '1.2.3.4.5:6',
    'xn--ü.example',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(127)}toolong`,
    'a'.repeat(100_000),
  ])('%j is invalid', (text) => {
    expect(parseMailHost(text)).toBeNull();
  });
});
