import { type WorkspaceScope } from '@domain/access';
import { AuditService, getChanges } from '@domain/audit';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { TransactionService } from '@platform/database';
import { type Model } from 'mongoose';
import { type ConversationResponse, toConversation } from '../dto/conversation.dto';
import { type UpdateConversationRequest } from '../dto/conversation-requests.dto';
import { IntakeFollowUpsService } from '../intake/intake-follow-ups.service';
import { type IntakeTask } from '../intake/intake-tasks';
import { ConversationRecord } from '../schemas/conversation.record';
import { ConversationLeadService } from './conversation-lead.service';
import { ConversationLabellingService } from './conversation-labelling.service';
import { findConversation } from './conversation-lookup';
import { ConversationHookRegistry } from './conversation-hook.registry';

/** Who has looked at what is nobody's business. */
const AUDITED = ['label', 'leadId'] as const;

/** What people do with conversations. */
@Injectable()
export class ConversationUpdateService {
  constructor(
    @InjectModel(ConversationRecord.name) private readonly conversations: Model<ConversationRecord>,
    private readonly attaching: ConversationLeadService,
    private readonly labelling: ConversationLabellingService,
    private readonly followUps: IntakeFollowUpsService,
    private readonly watches: ConversationHookRegistry,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * Changes what is given, and returns when nothing more is given to a mail server that this forbids. After a failure, repeat
   * it: it finishes what was begun.
   * @throws NOT_FOUND, VALIDATION_ERROR and CONFLICT as `ConversationLeadService.attach`
   */
  async update(
    workspace: WorkspaceScope,
    conversationId: string,
    request: UpdateConversationRequest,
  ): Promise<ConversationResponse> {
    const tasks = await this.transactions.run(() => this.#update(workspace, conversationId, request));
    await this.followUps.perform(workspace.workspaceId, tasks);
    return toConversation(await findConversation(this.conversations, workspace, conversationId));
  }

  async #update(
    workspace: WorkspaceScope,
    conversationId: string,
    { unread, label, leadId }: UpdateConversationRequest,
  ): Promise<IntakeTask[]> {
    const find = () => findConversation(this.conversations, workspace, conversationId);
    const before = await find();
    const { _id, workspaceId } = before;
    const tasks = leadId === undefined ? [] : await this.attaching.attach(before, leadId);
    if (label !== undefined) tasks.push(...(await this.labelling.write(await find(), label)));
    if (label !== undefined || leadId !== undefined)
      await this.watches.conversationChanged(before, { kind: 'labelled' });
    if (unread !== undefined) await this.conversations.updateOne({ _id, workspaceId }, { $set: { unread } });
    const changes = getChanges(toConversation(before), toConversation(await find()), AUDITED);
    if (changes) {
      const target = { type: 'conversation', id: _id.toHexString() } as const;
      await this.audit.record(workspace, { action: 'conversation.updated', target, changes });
    }
    return tasks;
  }
}
