/** Roles of a member, strongest first. */
export const ROLES = ['owner', 'admin', 'member'] as const;
export type Role = (typeof ROLES)[number];

/** What a key may be limited to, weakest first. */
export const KEY_SCOPES = ['read', 'write', 'admin'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/**
 * What a route asks for. `read` and `write`: the workspace's records; `admin`: members, keys, webhooks, integrations,
 * credits, audit; `owner`: the workspace's own existence.
 */
export type Permission = KeyScope | 'owner';

const ROLE_GRANTS: Record<Role, readonly Permission[]> = {
  owner: ['read', 'write', 'admin', 'owner'],
  admin: ['read', 'write', 'admin'],
  member: ['read', 'write'],
};

/** Both must allow it: the role that the key acts in, and the scopes that the key was created with. */
export function permits(role: Role, scopes: readonly KeyScope[], wanted: Permission): boolean {
  const scope: KeyScope = wanted === 'owner' ? 'admin' : wanted;
  return ROLE_GRANTS[role].includes(wanted) && scopes.includes(scope);
}
