import { permits, type Role, type WorkspaceScope } from '@domain/access';
import { type AppError, conflict, forbidden } from '@platform/errors';
import { type InvitedRole, type Member, type WorkspaceSettings } from './schemas/workspace.record';

type Asking = Pick<WorkspaceScope, 'role' | 'scopes'>;

/**
 * The current role of the caller, read from the workspace record: a role may have changed since authentication, and of
 * two concurrent transfers of ownership only one still has an owner as caller.
 * @throws FORBIDDEN when the caller is no longer a member
 */
export function getCurrentRole({ actor, role, scopes }: WorkspaceScope, members: readonly Member[]): Asking {
  if (actor.kind !== 'user') return { role, scopes };
  const member = members.find(({ userId }) => userId.toHexString() === actor.userId);
  if (!member) throw forbidden('This key has no permission in this workspace');
  return { role: member.role, scopes };
}

/** @throws FORBIDDEN unless the caller may still administer the workspace */
export function requireAdminNow(workspace: WorkspaceScope, members: readonly Member[]): void {
  if (getDecidingRole(getCurrentRole(workspace, members)) === 'member')
    throw forbidden('This key is missing the permission: admin');
}

/**
 * The role in which the caller decides about members. A key without the admin scope counts as a member at most,
 * whatever the role of its user.
 */
export function getDecidingRole({ role, scopes }: Asking): Role {
  if (permits(role, scopes, 'owner')) return 'owner';
  return permits(role, scopes, 'admin') ? 'admin' : 'member';
}

/**
 * The role that an invitation gives, or why it is refused. Owners and admins invite in either role; a member invites
 * members only, if the settings of the workspace allow it. The default is the default role of the settings, lowered to
 * the role of the inviter.
 */
export function decideInvitedRole(
  asking: Asking,
  settings: WorkspaceSettings,
  requested: InvitedRole | undefined,
): InvitedRole | AppError {
  const own = getDecidingRole(asking);
  if (own !== 'member') return requested ?? settings.defaultRole;
  if (!settings.allowMemberInvites) return forbidden('Only owners and admins may invite to this workspace');
  return requested === 'admin' ? forbidden('Nobody may give a role higher than their own') : 'member';
}

/**
 * The effect of a role change, or why it is refused. Admins manage members and other admins, never the owner. `owner`
 * transfers the ownership, which only the owner may do; the owner's role changes in no other way.
 */
export function decideRoleChange(
  asking: Asking,
  current: Role,
  requested: Role,
): 'nothing' | 'change' | 'transfer' | AppError {
  const own = getDecidingRole(asking);
  if (own === 'member') return forbidden('Only owners and admins may change roles');
  if (requested === 'owner' && own !== 'owner') return forbidden('Only the owner may transfer the ownership');
  if (requested === current) return 'nothing';
  if (current === 'owner') return conflict("The owner's role cannot be changed; transfer the ownership first");
  return requested === 'owner' ? 'transfer' : 'change';
}

/** null when the member may be removed: never the owner, always oneself, others by owners and admins. */
export function getRemovalRefusal(asking: Asking, member: { role: Role; isSelf: boolean }): AppError | null {
  if (!member.isSelf && getDecidingRole(asking) === 'member')
    return forbidden('Only owners and admins may remove members');
  if (member.role !== 'owner') return null;
  return conflict(
    member.isSelf
      ? 'The owner cannot leave the workspace; transfer the ownership first'
      : 'The owner cannot be removed; the ownership must be transferred first',
  );
}
