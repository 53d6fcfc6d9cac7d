import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { type Page, type PageRequest, PageService, parseId, TransactionService } from '@platform/database';
import { notFound } from '@platform/errors';
import { type Model } from 'mongoose';
import { type InvitationResponse, toInvitation } from './dto/invitation.dto';
import { type MessageResponse } from './dto/workspace.dto';
import { requireAdminNow } from './member-rules';
import { InvitationRecord } from './schemas/invitation.record';
import { WorkspaceRepository } from './workspace.repository';

/** The open invitations of a workspace. */
@Injectable()
export class InvitationsService {
  constructor(
    @InjectModel(InvitationRecord.name) private readonly invitations: Model<InvitationRecord>,
    private readonly claims: WorkspaceRepository,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly pages: PageService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Neither accepted nor revoked, newest first. Those that ran out are among them, marked `expired`: whether they are
   * changes by itself, and a list must not lose records between two of its pages.
   */
  async list(workspace: WorkspaceScope, page: PageRequest): Promise<Page<InvitationResponse>> {
    const { workspaceId } = workspace;
    const filter = { workspaceId: parseId(workspaceId), status: 'pending' };
    const now = this.clock.now();
    return this.pages.read(this.invitations, { scope: workspaceId, filter, page }, (record) =>
      toInvitation(record, now),
    );
  }

  /** The token is worth nothing from then on, and the seat is free. @throws NOT_FOUND for one that is not open */
  async revoke(workspace: WorkspaceScope, invitationId: string): Promise<MessageResponse> {
    const _id = parseId(invitationId);
    if (!_id) throw notFound('Invitation');
    return this.transactions.run(async () => {
      requireAdminNow(workspace, (await this.claims.claim(workspace.workspaceId)).members);
      const { modifiedCount } = await this.invitations.updateOne(
        { _id, workspaceId: workspace.workspaceId, status: 'pending' },
        { $set: { status: 'revoked' } },
      );
      if (modifiedCount === 0) throw notFound('Invitation');
      const target = { type: 'invitation', id: _id.toHexString() } as const;
      await this.audit.record(workspace, { action: 'invitation.revoked', target });
      return { message: 'Invitation revoked' };
    });
  }
}
