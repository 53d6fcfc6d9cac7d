import { type KeyScope, permits, type Principal, type WorkspaceScope } from '@domain/access';
import { type AppError, forbidden } from '@platform/errors';
import { type KeyKind } from './key-secret';

type Asking = Pick<WorkspaceScope, 'role' | 'scopes'>;

/** The permissions, expiry and rate limit of a key. */
type Strength = Pick<Principal, 'scopes' | 'expiresAt' | 'rateLimit'>;

/**
 * Why the caller may not manage keys of this kind, or null. Keys of a workspace are managed by its owners and admins. A
 * platform key is managed by its user, whatever their role in the workspace, and only with a platform key.
 */
export function getKeyRefusal(asking: Asking, principal: Pick<Principal, 'kind'>, kind: KeyKind): AppError | null {
  if (kind === 'workspace') {
    return permits(asking.role, asking.scopes, 'admin')
      ? null
      : forbidden('Only owners and admins may manage the keys of the workspace');
  }
  if (principal.kind !== 'user') return forbidden('A workspace key has no permission to manage platform keys');
  return asking.scopes.includes('admin') ? null : forbidden('This key is missing the permission: admin');
}

/** Why a key with these scopes may not be issued: a new key never has more scopes than the calling key. */
export function getScopesRefusal(own: readonly KeyScope[], requested: readonly KeyScope[]): AppError | null {
  const beyond = requested.filter((scope) => !own.includes(scope));
  return beyond.length === 0 ? null : forbidden(`This key is missing the permission: ${beyond.join(', ')}`);
}

/**
 * Why the calling key may not rotate this key, or null: a caller never receives a key with more scopes, a later expiry
 * or a higher rate limit than its own. `usualRateLimit`: requests per window of a key without a limit of its own.
 */
export function getRotationRefusal(own: Strength, key: Strength, usualRateLimit: number): AppError | null {
  const scopes = getScopesRefusal(own.scopes, key.scopes);
  if (scopes) return scopes;
  if (own.expiresAt !== null && (key.expiresAt === null || key.expiresAt > own.expiresAt))
    return forbidden('This key has no permission to rotate a key that expires later than itself');
  if (own.rateLimit !== null && (key.rateLimit ?? usualRateLimit) > own.rateLimit)
    return forbidden('This key has no permission to rotate a key with a higher rate limit than its own');
  return null;
}
