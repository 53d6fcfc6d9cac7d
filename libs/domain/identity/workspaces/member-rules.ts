import { permits, type Role, type WorkspaceScope } from '@domain/access';
import { type AppError, conflict, forbidden } from '@platform/errors';
import { type InvitedRole, type Member, type WorkspaceSettings } from './schemas/workspace.record';

type Asking = Pick<WorkspaceScope, 'role' | 'scopes'>;

/**
 * As what somebody asks by the workspace as it is now: a role may have changed since they came in, and of two who hand
 * over the same ownership only one still has it.
 * @throws FORBIDDEN when they are no member any more
 */
export function currentRole({ actor, role, scopes }: WorkspaceScope, members: readonly Member[]): Asking {
  if (actor.kind !== 'user') return { role, scopes };
  const member = members.find(({ userId }) => userId.toHexString() === actor.userId);
  if (!member) throw forbidden('This key has no permission in this workspace');
  return { role: member.role, scopes };
}

/** @throws FORBIDDEN unless the one who asks may still administer the workspace as it is now */
export function requireAdminNow(workspace: WorkspaceScope, members: readonly Member[]): void {
  if (decidingRole(currentRole(workspace, members)) === 'member')
    throw forbidden('This key is missing the permission: admin');
}

/**
 * The role in which somebody decides about members. A key without the admin scope is a member at most, whoever holds it.
 */
export function decidingRole({ role, scopes }: Asking): Role {
  if (permits(role, scopes, 'owner')) return 'owner';
  return permits(role, scopes, 'admin') ? 'admin' : 'member';
}

/**
 * The role that an invitation gives, or why it may not be made. Owners and admins invite either; a member invites
 * members, and only if the workspace's settings allow it. Without a wish it is the settings' default role, lowered to
 * the inviter's own.
 */
export function invitedRole(
  asking: Asking,
  settings: WorkspaceSettings,
  wish: InvitedRole | undefined,
): InvitedRole | AppError {
  const own = decidingRole(asking);
  if (own !== 'member') return wish ?? settings.defaultRole;
  if (!settings.allowMemberInvites) return forbidden('Only owners and admins may invite to this workspace');
  return wish === 'admin' ? forbidden('Nobody may give a role above their own') : 'member';
}

/**
 * What a change of role does, or why it is refused. Admins manage members and each other, never the owner. `owner` hands
 * the ownership over, which only the owner does; the role of the owner changes in no other way.
 */
export function roleChange(asking: Asking, current: Role, wanted: Role): 'nothing' | 'change' | 'transfer' | AppError {
  const own = decidingRole(asking);
  if (own === 'member') return forbidden('Only owners and admins may change roles');
  if (wanted === 'owner' && own !== 'owner') return forbidden('Only the owner may hand over the ownership');
  if (wanted === current) return 'nothing';
  if (current === 'owner') return conflict("The owner's role cannot be changed; hand over the ownership first");
  return wanted === 'owner' ? 'transfer' : 'change';
}

/** null when the member may be taken out; the owner never, oneself always, others by owners and admins. */
export function removalRefusal(asking: Asking, member: { role: Role; isSelf: boolean }): AppError | null {
  if (!member.isSelf && decidingRole(asking) === 'member')
    return forbidden('Only owners and admins may remove members');
  if (member.role !== 'owner') return null;
  return conflict(
    member.isSelf
      ? 'The owner cannot leave the workspace; hand over the ownership first'
      : 'The owner cannot be removed; the ownership must be handed over first',
  );
}
