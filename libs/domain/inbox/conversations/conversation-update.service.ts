import { type WorkspaceScope } from '@domain/access';
import { AuditService, getChanges } from '@domain/audit';
import { MailboxMessageRepository } from '@domain/mailboxes';
import { UnsubscribeService } from '@domain/tracking';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { HookRegistry } from '@platform/hooks';
import { parseEmailAddress } from '@platform/validation';
import { type Model } from 'mongoose';
import { type ConversationResponse, toConversation } from '../dto/conversation.dto';
import { type UpdateConversationRequest } from '../dto/conversation-requests.dto';
import { LabelEffectService } from '../effects/label-effect.service';
import { type IntakeTask } from '../intake/intake-tasks';
import { MessageWriterService } from '../intake/message-writer.service';
import { type KnownMatch } from '../match/match';
import { ConversationRecord, type ReplyLabel } from '../schemas/conversation.record';
import { CONVERSATION_HOOKS } from './conversation-hooks';
import { ConversationLeadService } from './conversation-lead.service';
import { requireConversation } from './conversation-lookup';

/** Reading a conversation is not audited. */
const AUDITED = ['label', 'leadId'] as const;
const PERSON = 'A person says so';
const NO_LABEL = { label: null, labelledBy: null, labelReason: null };

/** Changes of conversations by members: read state, label and lead. */
@Injectable()
export class ConversationUpdateService {
  constructor(
    @InjectModel(ConversationRecord.name) private readonly conversations: Model<ConversationRecord>,
    private readonly leads: ConversationLeadService,
    private readonly labels: LabelEffectService,
    private readonly optOuts: UnsubscribeService,
    private readonly mail: MailboxMessageRepository,
    private readonly writer: MessageWriterService,
    private readonly hooks: HookRegistry,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Changes the given fields and returns once no email that the change forbids is submitted any more. Repeatable: after a
   * failure, a repetition completes the change.
   * @throws NOT_FOUND, and VALIDATION_ERROR and CONFLICT as `ConversationLeadService.attach`
   */
  async update(
    workspace: WorkspaceScope,
    conversationId: string,
    request: UpdateConversationRequest,
  ): Promise<ConversationResponse> {
    const tasks = await this.transactions.run(() => this.#update(workspace, conversationId, request));
    await this.writer.performTasks(workspace.workspaceId, tasks);
    return toConversation(await requireConversation(this.conversations, workspace, conversationId));
  }

  async #update(
    workspace: WorkspaceScope,
    conversationId: string,
    { unread, label, leadId }: UpdateConversationRequest,
  ): Promise<IntakeTask[]> {
    const read = () => requireConversation(this.conversations, workspace, conversationId);
    const before = await read();
    const { _id, workspaceId } = before;
    const tasks = leadId === undefined ? [] : await this.leads.attach(before, leadId);
    if (label !== undefined) tasks.push(...(await this.#setLabel(await read(), label)));
    if (label !== undefined || leadId !== undefined)
      await this.hooks.call(CONVERSATION_HOOKS, 'conversationChanged', before, { kind: 'labelled' });
    if (unread !== undefined) await this.conversations.updateOne({ _id, workspaceId }, { $set: { unread } });
    const changes = getChanges(toConversation(before), toConversation(await read()), AUDITED);
    if (changes) {
      const target = { type: 'conversation', id: _id.toHexString() } as const;
      await this.audit.record(workspace, { action: 'conversation.updated', target, changes });
    }
    return tasks;
  }

  /**
   * Overwrites any label; null removes it. `positive` writes its event and counts once per lead, and a later change does not
   * undo that. `unsubscribe_request` opts the other side out.
   * @returns the tasks to perform after the transaction
   */
  async #setLabel(conversation: ConversationRecord, label: ReplyLabel | null): Promise<IntakeTask[]> {
    const { _id, workspaceId, leadId } = conversation;
    const fields = label === null ? NO_LABEL : { label, labelledBy: 'person' as const, labelReason: null };
    await this.conversations.updateOne({ _id, workspaceId }, { $set: fields, $unset: { labelRequest: 1 } });
    if (label !== 'positive' && label !== 'unsubscribe_request') return [];
    const match = leadId ? await this.leads.findMatch(workspaceId, leadId) : null;
    if (label === 'unsubscribe_request') return this.#optOut(conversation, match);
    if (match)
      await this.labels.recordPositive(match, conversation, this.clock.now(), { label, by: 'person', reason: PERSON });
    return [];
  }

  async #optOut({ workspaceId, email }: ConversationRecord, match: KnownMatch | null): Promise<IntakeTask[]> {
    if (match?.send) await this.optOuts.record(match.send, 'reply', this.clock.now());
    const parsed = parseEmailAddress(match?.lead.email ?? email);
    // The workspace's own mailboxes cannot opt out.
    if (!parsed.ok || (await this.mail.isOwn(workspaceId, parsed.address))) return [];
    return [{ do: 'opt_out', address: parsed.address, sendId: match?.send?._id.toHexString() ?? null }];
  }
}
