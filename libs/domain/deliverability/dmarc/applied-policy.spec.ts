import { getAppliedPolicy, type PolicyScope } from './applied-policy';
import { readDmarcRecord } from './dmarc-record';

const applied = (tags: string, scope: PolicyScope) => getAppliedPolicy(readDmarcRecord(`v=DMARC1; ${tags}`), scope);

describe('the policy that applies (RFC 9989, section 4.10.1)', () => {
  it.each<[string, PolicyScope, string]>([
    ['p=reject; sp=quarantine; np=none', 'own', 'reject'],
    ['p=reject; sp=quarantine; np=none', 'subdomain', 'quarantine'],
    ['p=reject; sp=quarantine; np=none', 'absent_subdomain', 'none'],
    ['p=reject; np=none', 'subdomain', 'reject'],
    ['p=reject; sp=quarantine', 'absent_subdomain', 'quarantine'],
    ['p=reject', 'subdomain', 'reject'],
    ['p=reject', 'absent_subdomain', 'reject'],
  ])('%s, for its %s name, is %s', (tags, scope, requested) => {
    expect(applied(tags, scope).policy).toEqual({ requested, effective: requested, testing: false });
  });

  it.each([
    ['reject', 'quarantine'],
    ['quarantine', 'none'],
    ['none', 'none'],
  ])('%s in test mode is %s', (requested, effective) => {
    expect(applied(`p=${requested}; t=y`, 'own').policy).toEqual({ requested, effective, testing: true });
  });

  it.each(['sp=none', 'p=x', 'p=reject; sp=x', 'p=reject; np=x'])(
    'without a valid one (%s) is "none" for report senders',
    (tags) => {
      expect(applied(`${tags}; rua=mailto:a@example.com`, 'own').policy).toMatchObject({ requested: 'none' });
      expect(applied(`${tags}; rua=https://example.com`, 'own').policy).toMatchObject({ requested: 'none' });
      expect(applied(`${tags}; rua=a@example.com`, 'own').policy).toBeNull();
      expect(applied(tags, 'own').policy).toBeNull();
    },
  );
});
