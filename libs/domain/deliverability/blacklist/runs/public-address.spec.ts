import { addressSubject } from './public-address';

it.each([
  ['5.6.7.8', { subject: '5.6.7.8', kind: 'ipv4' }],
  ['2A00:1450:4001:0:0:0:0:1', { subject: '2a00:1450:4001::1', kind: 'ipv6' }],
  ['[2a00::1]', { subject: '2a00::1', kind: 'ipv6' }],
  ['::ffff:5.6.7.8', { subject: '5.6.7.8', kind: 'ipv4' }],
  ['10.1.2.3', 'private'],
  ['127.0.0.1', 'private'],
  ['169.254.169.254', 'private'],
  ['100.64.0.1', 'private'],
  ['192.0.2.1', 'private'],
  ['fd12::1', 'private'],
  ['::1', 'private'],
  ['smtp.example.com', null],
  ['5.6.7', null],
  ['84281096', null],
  ['fe80::1%eth0', null],
  ['5.6.7.8 (helo)', null],
  ['', null],
])('reads %j as %j', (text, expected) => {
  expect(addressSubject(text)).toEqual(expected);
});
