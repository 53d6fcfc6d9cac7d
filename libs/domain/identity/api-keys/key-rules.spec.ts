import { KEY_SCOPES, type KeyScope, type Role } from '@domain/access';
import { getKeyRefusal, getRotationRefusal, getScopesRefusal } from './key-rules';
import { type KeyKind } from './key-secret';

describe('the permission to manage keys', () => {
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
  ])('a %s key, requested as %s with %j by a %s key: %s', (kind, role, scopes, by, allowed) => {
    expect(getKeyRefusal({ role, scopes }, { kind: by }, kind) === null).toBe(allowed);
  });

  it.each<[KeyScope[], KeyScope[], boolean]>([
    [['read', 'write', 'admin'], ['admin'], true],
    [['read', 'write'], ['read', 'write'], true],
    [['read'], ['read', 'write'], false],
    [['admin'], ['read'], false],
  ])('a key with %j issues one with %j: %s', (own, wanted, allowed) => {
    expect(getScopesRefusal(own, wanted) === null).toBe(allowed);
  });

  it('names the missing scopes', () => {
    expect(getScopesRefusal(['read'], ['read', 'write', 'admin'])?.message).toContain('write, admin');
  });
});

describe('the permission of a key to rotate another', () => {
  const USUAL = 100;
  const [sooner, later] = [new Date(1_000), new Date(2_000)];
  const plain = { scopes: KEY_SCOPES, expiresAt: null, rateLimit: null };

  it.each([
    ['an equal one', plain, plain, true],
    ['one with a scope that it lacks', { ...plain, scopes: ['read'] as const }, plain, false],
    ['one that ends later', { ...plain, expiresAt: sooner }, { ...plain, expiresAt: later }, false],
    ['one that never ends, while it ends itself', { ...plain, expiresAt: sooner }, plain, false],
    ['one that ends with it', { ...plain, expiresAt: sooner }, { ...plain, expiresAt: sooner }, true],
    ['one that ends, while it never does', plain, { ...plain, expiresAt: later }, true],
    ['one with a higher limit', { ...plain, rateLimit: 5 }, { ...plain, rateLimit: 6 }, false],
    ['one with the usual limit, which is higher', { ...plain, rateLimit: 5 }, plain, false],
    ['one with the usual limit, which is lower', { ...plain, rateLimit: USUAL }, plain, true],
    ['one with the same limit', { ...plain, rateLimit: 5 }, { ...plain, rateLimit: 5 }, true],
    ['one with a raised limit, having none of its own', plain, { ...plain, rateLimit: 1_000 }, true],
  ])('%s: %#', (_title, own, key, allowed) => {
    expect(getRotationRefusal(own, key, USUAL) === null).toBe(allowed);
  });
});
