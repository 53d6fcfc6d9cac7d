/** Roles of a member, strongest first. */
export const ROLES = ['owner', 'admin', 'member'] as const;
export type Role = (typeof ROLES)[number];

/** Scopes to which a key may be limited, weakest first. */
export const KEY_SCOPES = ['read', 'write', 'admin'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/**
 * The permission that a route requires. `read` and `write`: records of the workspace; `admin`: members, keys, webhooks,
 * integrations, credits, audit; `owner`: the existence of the workspace.
 */
export type Permission = KeyScope | 'owner';

const ROLE_GRANTS: Record<Role, readonly Permission[]> = {
  owner: ['read', 'write', 'admin', 'owner'],
  admin: ['read', 'write', 'admin'],
  member: ['read', 'write'],
};

/** Both must allow it: the role in which the key acts, and the scopes of the key. */
export function permits(role: Role, scopes: readonly KeyScope[], permission: Permission): boolean {
  const scope: KeyScope = permission === 'owner' ? 'admin' : permission;
  return ROLE_GRANTS[role].includes(permission) && scopes.includes(scope);
}
