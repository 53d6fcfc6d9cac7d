import { type Actor, systemActor } from './actor';
import { type KeyScope, type Role } from './permission';

/** The workspace in which something is done, and by whom: the first argument of every service method. */
export interface WorkspaceScope {
  workspaceId: string;
  role: Role;
  scopes: readonly KeyScope[];
  actor: Actor;
}

/** The platform or its operator acting in a workspace, with every right. */
export function systemScope(workspaceId: string, kind: 'operator' | 'system' = 'system'): WorkspaceScope {
  return { workspaceId, role: 'owner', scopes: ['read', 'write', 'admin'], actor: systemActor(kind) };
}
