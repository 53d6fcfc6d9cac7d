import { getDeltaPath, getLinkPath, quoteText, getQuery } from './graph-links';

const API = 'https://graph.microsoft.com/v1.0';

describe('pathOfLink', () => {
  it('keeps the part after the API’s URL', () => {
    expect(getLinkPath(API, `${API}/me/messages?$skip=10`)).toBe('/me/messages?$skip=10');
    expect(getLinkPath(`${API}/`, `${API}/me/messages?$skip=10`)).toBe('/me/messages?$skip=10');
    expect(getLinkPath('http://127.0.0.1:1', 'http://127.0.0.1:1/me?a=b')).toBe('/me?a=b');
  });

  it.each([
    ['another host', 'https://graph.microsoft.com.evil.test/v1.0/me'],
    ['another port', 'https://graph.microsoft.com:8443/v1.0/me'],
    ['plain text', 'http://graph.microsoft.com/v1.0/me'],
    ['credentials', 'https://a:b@graph.microsoft.com/v1.0/me'],
    ['another version', 'https://graph.microsoft.com/beta/me'],
    ['a way out of the version', 'https://graph.microsoft.com/v1.0/../beta/me'],
    ['an encoded way out', 'https://graph.microsoft.com/v1.0/%2e%2e/beta/me'],
    ['a name that only begins alike', 'https://graph.microsoft.com/v1.0evil/me'],
    ['no address at all', 'me/messages'],
    ['a host without a scheme', '//evil.test/v1.0/me'],
  ])('refuses %s', (_what, link) => {
    expect(getLinkPath(API, link)).toBeNull();
  });
});

describe('deltaPath', () => {
  it.each([
    '/me/mailFolders/inbox/messages/delta?$skiptoken=x',
    "/me/mailfolders('AQMk%3D')/messages/delta?$deltatoken=x",
    "/users('a@b.test')/mailFolders('A')/messages/microsoft.graph.delta()?$deltatoken=x",
  ])('accepts %s', (path) => {
    expect(getDeltaPath(API, path)).toBe(path);
  });

  it.each([
    '/me/messages/AAA/send',
    '/me/sendMail?/messages/delta?',
    '@evil.test/me/mailFolders/inbox/messages/delta?x',
    'https://evil.test/me/mailFolders/inbox/messages/delta?x',
    '/../beta/me/mailFolders/inbox/messages/delta?x',
    '//evil.test/messages/delta?x',
  ])('refuses %s', (path) => {
    expect(getDeltaPath(API, path)).toBeNull();
  });
});

describe('the parts of a query', () => {
  it('cannot be escaped by a Message-ID', () => {
    const hostile = "<a'b&$top=999#x@y>";
    expect(getQuery({ $filter: `internetMessageId eq ${quoteText(hostile)}` })).toBe(
      `?$filter=${encodeURIComponent("internetMessageId eq '<a''b&$top=999#x@y>'")}`,
    );
  });
});
