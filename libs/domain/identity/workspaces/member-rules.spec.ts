import { KEY_SCOPES, type KeyScope, type Role, type WorkspaceScope } from '@domain/access';
import { AppError } from '@platform/errors';
import { Types } from 'mongoose';
import {
  getDecidingRole,
  decideInvitedRole,
  getRemovalRefusal,
  requireAdminNow,
  decideRoleChange,
} from './member-rules';

const asking = (role: Role, scopes: readonly KeyScope[] = KEY_SCOPES) => ({ role, scopes });
const outcome = (result: unknown): unknown => (result instanceof AppError ? result.code : result);

describe('the permission to manage members', () => {
  it.each<[Role, readonly KeyScope[], Role]>([
    ['owner', KEY_SCOPES, 'owner'],
    ['admin', KEY_SCOPES, 'admin'],
    ['member', KEY_SCOPES, 'member'],
    ['owner', ['read', 'write'], 'member'],
    ['admin', ['write'], 'member'],
    ['admin', ['admin'], 'admin'],
  ])('a key of the %s with the scopes %j acts as %s', (role, scopes, expected) => {
    expect(getDecidingRole(asking(role, scopes))).toBe(expected);
  });
});

describe('the role of an invitation', () => {
  const closed = { allowMemberInvites: false, defaultRole: 'member' } as const;
  const open = { allowMemberInvites: true, defaultRole: 'admin' } as const;

  it.each([
    ['an owner gives what they wish', asking('owner'), closed, 'admin', 'admin'],
    ['an admin gives up to their own role', asking('admin'), closed, 'admin', 'admin'],
    ['an admin may give less', asking('admin'), open, 'member', 'member'],
    ['without a wish it is the default role', asking('admin'), open, undefined, 'admin'],
    ['a member may not invite unless the settings allow it', asking('member'), closed, 'member', 'FORBIDDEN'],
    ['a member may invite members where allowed', asking('member'), open, 'member', 'member'],
    ['a member may not make an admin', asking('member'), open, 'admin', 'FORBIDDEN'],
    ["a member's invitation lowers the default role to their own", asking('member'), open, undefined, 'member'],
    [
      'an owner with a weak key invites like a member',
      asking('owner', ['read', 'write']),
      closed,
      'member',
      'FORBIDDEN',
    ],
    ['an owner with a weak key may not make an admin', asking('owner', ['write']), open, 'admin', 'FORBIDDEN'],
  ] as const)('%s', (_title, who, settings, wish, expected) => {
    expect(outcome(decideInvitedRole(who, settings, wish))).toBe(expected);
  });
});

describe('a change of role', () => {
  it.each<[Role, Role, Role, string]>([
    ['owner', 'member', 'admin', 'change'],
    ['owner', 'admin', 'member', 'change'],
    ['owner', 'admin', 'owner', 'transfer'],
    ['owner', 'member', 'owner', 'transfer'],
    ['owner', 'owner', 'owner', 'nothing'],
    ['owner', 'owner', 'admin', 'CONFLICT'],
    ['owner', 'owner', 'member', 'CONFLICT'],
    ['admin', 'member', 'admin', 'change'],
    ['admin', 'admin', 'member', 'change'],
    ['admin', 'member', 'member', 'nothing'],
    ['admin', 'owner', 'admin', 'CONFLICT'],
    ['admin', 'member', 'owner', 'FORBIDDEN'],
    ['admin', 'owner', 'owner', 'FORBIDDEN'],
    ['member', 'member', 'admin', 'FORBIDDEN'],
    ['member', 'admin', 'member', 'FORBIDDEN'],
  ])('by the %s from %s to %s: %s', (by, current, wanted, expected) => {
    expect(outcome(decideRoleChange(asking(by), current, wanted))).toBe(expected);
  });

  it('refuses to transfer ownership for an owner whose key lacks the admin scope', () => {
    expect(outcome(decideRoleChange(asking('owner', ['read', 'write']), 'member', 'owner'))).toBe('FORBIDDEN');
  });
});

describe('removing a member', () => {
  it.each<[Role, Role, boolean, string | null]>([
    ['owner', 'admin', false, null],
    ['owner', 'member', false, null],
    ['owner', 'owner', true, 'CONFLICT'],
    ['admin', 'member', false, null],
    ['admin', 'admin', false, null],
    ['admin', 'admin', true, null],
    ['admin', 'owner', false, 'CONFLICT'],
    ['member', 'member', false, 'FORBIDDEN'],
    ['member', 'owner', false, 'FORBIDDEN'],
    ['member', 'member', true, null],
  ])('by the %s of the %s (themselves: %s): %s', (by, role, isSelf, expected) => {
    expect(outcome(getRemovalRefusal(asking(by), { role, isSelf }))).toBe(expected);
  });
});

describe('the permission of an administrator at the time of the write', () => {
  const userId = new Types.ObjectId();
  const cameIn = (scopes: readonly KeyScope[] = KEY_SCOPES): WorkspaceScope => ({
    workspaceId: 'w',
    role: 'admin', // The role at the time of the request.
    scopes,
    actor: { kind: 'user', userId: userId.toHexString(), keyId: 'k' },
  });
  const members = (role: Role) => [{ userId, role, joinedAt: new Date() }];

  it.each(['owner', 'admin'] as const)('allows an %s', (role) => {
    expect(() => requireAdminNow(cameIn(), members(role))).not.toThrow();
  });

  it('refuses a user who was demoted to member or removed meanwhile, or whose key lacks the scope', () => {
    expect(() => requireAdminNow(cameIn(), members('member'))).toThrow(/permission/);
    expect(() => requireAdminNow(cameIn(), [])).toThrow(/permission/);
    expect(() => requireAdminNow(cameIn(['read', 'write']), members('admin'))).toThrow(/permission/);
  });
});
