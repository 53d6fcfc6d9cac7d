import { type Actor, systemActor } from './actor';
import { type KeyScope, type Role } from './permission';

/** The workspace and the actor of an operation: the first argument of every service method. */
export interface WorkspaceScope {
  workspaceId: string;
  role: Role;
  scopes: readonly KeyScope[];
  actor: Actor;
}

/** The platform or its operator acting in a workspace, with all permissions. */
export function systemScope(workspaceId: string, kind: 'operator' | 'system' = 'system'): WorkspaceScope {
  return { workspaceId, role: 'owner', scopes: ['read', 'write', 'admin'], actor: systemActor(kind) };
}
