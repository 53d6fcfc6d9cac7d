import { disposableEmailBlocklist } from 'disposable-email-domains-js';
import { isFreeMail } from '@platform/validation';
import { isDisposable } from './disposable';
import { isRole } from './role';

describe('isDisposable', () => {
  it.each([
    'mailinator.com',
    'guerrillamail.com',
    '10minutemail.com',
    'yopmail.com',
    'sharklasers.com',
    'temp-mail.org',
  ])('knows %s', (domain) => {
    expect(isDisposable(domain)).toBe(true);
  });

  it.each(['inbox.mailinator.com', 'a.b.yopmail.com'])('knows %s by the listed domain above it', (domain) => {
    expect(isDisposable(domain)).toBe(true);
  });

  it.each([
    'gmail.com',
    'example.com',
    'com',
    'company-mailinator.com',
    'mailinator.com.example.org',
    'co.uk',
    'github.io',
    '',
  ])('has nothing against %j', (domain) => {
    expect(isDisposable(domain)).toBe(false);
  });

  it('looks at no more than the list of the package, which has thousands and no free provider of many users', () => {
    const listed = disposableEmailBlocklist();
    expect(listed.length).toBeGreaterThan(3_000);
    expect(listed.every(isDisposable)).toBe(true);
    for (const provider of [
      'gmail.com',
      'outlook.com',
      'yahoo.com',
      'icloud.com',
      'proton.me',
      'gmx.de',
      'web.de',
      'qq.com',
    ]) {
      expect([provider, isFreeMail(provider), isDisposable(provider)]).toEqual([provider, true, false]);
    }
  });
});

describe('isRole', () => {
  it.each(['postmaster', 'abuse', 'info', 'sales', 'support', 'no-reply', 'info+spring', 'datenschutz'])(
    'knows %s',
    (local) => {
      expect(isRole(local)).toBe(true);
    },
  );

  it.each(['ada', 'information', 'ada+info', 'salesman', 'info.ada', '"info"', '', '+info'])(
    'takes %j for a person',
    (local) => {
      expect(isRole(local)).toBe(false);
    },
  );
});
