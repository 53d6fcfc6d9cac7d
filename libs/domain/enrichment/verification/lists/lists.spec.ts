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
  ])('contains %s', (domain) => {
    expect(isDisposable(domain)).toBe(true);
  });

  it.each(['inbox.mailinator.com', 'a.b.yopmail.com'])('matches %s by its listed parent domain', (domain) => {
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
  ])('does not match %j', (domain) => {
    expect(isDisposable(domain)).toBe(false);
  });

  it('uses only the list of the package, which has thousands of domains and no large free provider', () => {
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
    'contains %s',
    (local) => {
      expect(isRole(local)).toBe(true);
    },
  );

  it.each(['ada', 'information', 'ada+info', 'salesman', 'info.ada', '"info"', '', '+info'])(
    'treats %j as a person',
    (local) => {
      expect(isRole(local)).toBe(false);
    },
  );
});
