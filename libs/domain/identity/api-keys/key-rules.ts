import { type KeyScope, permits, type Principal, type WorkspaceScope } from '@domain/access';
import { type AppError, forbidden } from '@platform/errors';
import { type KeyKind } from './key-secret';

type Asking = Pick<WorkspaceScope, 'role' | 'scopes'>;

/** What a key can do, for how long and how often. */
type Strength = Pick<Principal, 'scopes' | 'expiresAt' | 'rateLimit'>;

/**
 * Why the caller may not manage keys of this kind, or null. Keys of a workspace are for its owners and admins. A
 * platform key is for the user it belongs to, whatever their role is where they ask, and only with a platform key.
 */
export function keyRefusal(asking: Asking, principal: Pick<Principal, 'kind'>, kind: KeyKind): AppError | null {
  if (kind === 'workspace') {
    return permits(asking.role, asking.scopes, 'admin')
      ? null
      : forbidden('Only owners and admins may manage the keys of the workspace');
  }
  if (principal.kind !== 'user') return forbidden('A workspace key has no permission to manage platform keys');
  return asking.scopes.includes('admin') ? null : forbidden('This key is missing the permission: admin');
}

/** Why a key with these scopes may not be handed out: nobody gets a key that can do more than the one that asks. */
export function scopesRefusal(own: readonly KeyScope[], wanted: readonly KeyScope[]): AppError | null {
  const beyond = wanted.filter((scope) => !own.includes(scope));
  return beyond.length === 0 ? null : forbidden(`This key is missing the permission: ${beyond.join(', ')}`);
}

/**
 * Why the key that asks may not be handed a new secret of this one, or null: nobody gets a key that can do more, for
 * longer or more often than their own. `usualRateLimit`: requests per window of a key without a limit of its own.
 */
export function rotationRefusal(own: Strength, key: Strength, usualRateLimit: number): AppError | null {
  const scopes = scopesRefusal(own.scopes, key.scopes);
  if (scopes) return scopes;
  if (own.expiresAt !== null && (key.expiresAt === null || key.expiresAt > own.expiresAt))
    return forbidden('This key has no permission to rotate a key that ends later than itself');
  if (own.rateLimit !== null && (key.rateLimit ?? usualRateLimit) > own.rateLimit)
    return forbidden('This key has no permission to rotate a key with a higher rate limit than its own');
  return null;
}
