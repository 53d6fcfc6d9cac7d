import { type KeyScope, permits, type Principal, type WorkspaceScope } from '@domain/access';
import { type AppError, forbidden } from '@platform/errors';
import { type KeyKind } from './key.secret';

type Asking = Pick<WorkspaceScope, 'role' | 'scopes'>;

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
