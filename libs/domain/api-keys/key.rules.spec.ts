import { KEY_SCOPES, type KeyScope, type Role } from '@domain/access';
import { keyRefusal, scopesRefusal } from './key.rules';
import { type KeyKind } from './key.secret';

describe('who manages keys', () => {
  it.each<[KeyKind, Role, readonly KeyScope[], KeyKind, boolean]>([
    ['workspace', 'owner', KEY_SCOPES, 'user', true],
    ['workspace', 'admin', KEY_SCOPES, 'user', true],
    ['workspace', 'admin', KEY_SCOPES, 'workspace', true],
    ['workspace', 'member', KEY_SCOPES, 'user', false],
    ['workspace', 'owner', ['read', 'write'], 'user', false],
    ['workspace', 'admin', ['read', 'write'], 'workspace', false],
    ['user', 'owner', KEY_SCOPES, 'user', true],
    ['user', 'member', KEY_SCOPES, 'user', true],
    ['user', 'member', ['read', 'write'], 'user', false],
    ['user', 'admin', KEY_SCOPES, 'workspace', false],
  ])('a %s key, asked for as %s with %j by a %s key: %s', (kind, role, scopes, by, allowed) => {
    expect(keyRefusal({ role, scopes }, { kind: by }, kind) === null).toBe(allowed);
  });

  it.each<[KeyScope[], KeyScope[], boolean]>([
    [['read', 'write', 'admin'], ['admin'], true],
    [['read', 'write'], ['read', 'write'], true],
    [['read'], ['read', 'write'], false],
    [['admin'], ['read'], false],
  ])('a key with %j hands out one with %j: %s', (own, wanted, allowed) => {
    expect(scopesRefusal(own, wanted) === null).toBe(allowed);
  });

  it('names the scopes that are missing', () => {
    expect(scopesRefusal(['read'], ['read', 'write', 'admin'])?.message).toContain('write, admin');
  });
});
