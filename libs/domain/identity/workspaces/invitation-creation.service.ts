import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { UsersService } from '../users/users.service';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { Config } from '@platform/config';
import { TransactionService } from '@platform/database';
import { AppError, conflict } from '@platform/errors';
import { type Model } from 'mongoose';
import { type InviteMemberRequest, type NewInvitationResponse, toNewInvitation } from './dto/invitation.dto';
import { newInvitationToken } from './invitation-token';
import { currentRole, invitedRole } from './member-rules';
import { InvitationRecord } from './schemas/invitation.record';
import { type InvitedRole, type WorkspaceRecord } from './schemas/workspace.record';
import { WorkspaceRepository } from './workspace.repository';
import { requireRoom } from './workspace-limits.service';

const DAY_MS = 86_400_000;

/** Asking somebody in. The platform sends no mail of its own: the inviter hands the token over. */
@Injectable()
export class InvitationCreationService {
  constructor(
    @InjectModel(InvitationRecord.name) private readonly invitations: Model<InvitationRecord>,
    private readonly claims: WorkspaceRepository,
    private readonly users: UsersService,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
    private readonly config: Config,
  ) {}

  /**
   * An invitation with its token, which is shown this once. It holds a seat until it runs out.
   * @throws NOT_FOUND, FORBIDDEN, CONFLICT for a member or an address that is invited already, LIMIT_EXCEEDED
   */
  async invite(workspace: WorkspaceScope, input: InviteMemberRequest): Promise<NewInvitationResponse> {
    return this.transactions.run(async () => {
      const record = await this.claims.claim(workspace.workspaceId);
      const role = invitedRole(currentRole(workspace, record.members), record.settings, input.role);
      if (role instanceof AppError) throw role;
      await this.#ensureNoMember(record, input.email);
      await this.#ensureSeat(record, input.email);
      return this.#write(workspace, record, input.email, role);
    });
  }

  async #ensureNoMember({ members }: WorkspaceRecord, email: string): Promise<void> {
    const people = await this.users.namesOf(members.map(({ userId }) => userId.toHexString()));
    if ([...people.values()].some((person) => person.email === email))
      throw conflict('This person is a member of the workspace already');
  }

  /** Invitations that ran out hold no seat; the one of this address gives way to the new one. */
  async #ensureSeat({ _id: workspaceId, members, limits }: WorkspaceRecord, email: string): Promise<void> {
    const now = this.clock.now();
    await this.invitations.deleteMany({ workspaceId, email, status: 'pending', expiresAt: { $lte: now } });
    const pending = await this.invitations
      .find({ workspaceId, status: 'pending', expiresAt: { $gt: now } }, { email: 1 })
      .lean();
    if (pending.some((invitation) => invitation.email === email)) {
      throw conflict('This address is invited already; revoke that invitation first');
    }
    requireRoom(limits, 'maxMembers', members.length + pending.length);
  }

  async #write(
    workspace: WorkspaceScope,
    record: WorkspaceRecord,
    email: string,
    role: InvitedRole,
  ): Promise<NewInvitationResponse> {
    const { token, tokenHash } = newInvitationToken();
    const invitation = await this.invitations.create({
      workspaceId: record._id,
      email,
      role,
      tokenHash,
      invitedBy: workspace.actor,
      status: 'pending',
      expiresAt: this.clock.in(this.config.invitationDays * DAY_MS),
    });
    const target = { type: 'invitation', id: invitation._id.toHexString() } as const;
    const changes = { email: { from: null, to: email }, role: { from: null, to: role } };
    await this.audit.record(workspace, { action: 'member.invited', target, changes });
    return toNewInvitation(invitation, this.clock.now(), token);
  }
}
