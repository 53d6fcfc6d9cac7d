import { getCompanyDomain, isFreeMail } from './free-mail';

describe('isFreeMail', () => {
  it.each(['gmail.com', 'googlemail.com', 'yahoo.co.uk', 'gmx.de', 'web.de', 'qq.com', 'icloud.com', 'proton.me'])(
    'knows %s',
    (domain) => {
      expect(isFreeMail(domain)).toBe(true);
    },
  );

  it.each(['mail.gmail.com', 'poczta.onet.pl', 'x.y.yahoo.co.uk'])('recognizes %s by its parent domain', (domain) => {
    expect(isFreeMail(domain)).toBe(true);
  });

  it.each(['example.com', 'gmail.com.example.com', 'notgmail.com', 'gmail.co', 'com', 'co.uk', 'google.com', ''])(
    'treats %j as a company domain',
    (domain) => {
      expect(isFreeMail(domain)).toBe(false);
    },
  );
});

describe('companyDomainOf', () => {
  it.each([
    ['example.com', 'example.com'],
    ['mail.example.com', 'example.com'],
    ['a.b.c.example.com', 'example.com'],
    ['example.co.uk', 'example.co.uk'],
    ['sales.example.co.uk', 'example.co.uk'],
    ['sales.acme.github.io', 'acme.github.io'],
    ['acme.onmicrosoft.com', 'acme.onmicrosoft.com'],
    ['mail.acme.onmicrosoft.com', 'acme.onmicrosoft.com'],
    ['onmicrosoft.com', 'onmicrosoft.com'],
    ['acme.notonmicrosoft.com', 'notonmicrosoft.com'],
    ['mail.xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['b.a.xn--55qx5d.cn', 'a.xn--55qx5d.cn'],
    ['co.uk', 'co.uk'],
    ['github.io', 'github.io'],
    ['com', 'com'],
  ])('returns for %s the registered domain %s', (domain, registered) => {
    expect(getCompanyDomain(domain)).toBe(registered);
  });
});
