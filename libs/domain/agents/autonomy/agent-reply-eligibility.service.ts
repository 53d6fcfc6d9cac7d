import { type MailAddress } from '@adapters/mail';
import { ConversationRepository, type ConversationRecord, type MessageKind, type ThreadMessage } from '@domain/inbox';
import { type LeadRecord, LeadRepository } from '@domain/leads';
import { SuppressionsService } from '@domain/suppressions';
import { Injectable } from '@nestjs/common';
import { parseEmailAddress } from '@platform/validation';
import { type Types } from 'mongoose';
import { AgentRepository } from '../agent.repository';
import { AgentKillSwitchService } from '../kill-switch/agent-kill-switch.service';
import { type AgentReplyRecord } from '../schemas/agent-reply.record';
import { type AgentRecord } from '../schemas/agent.record';
import { AgentReplyRepository } from './agent-reply.repository';
import { decideReplyEligibility, type ReplyEligibility } from './decide/reply-eligibility';

/** Messages that end each reply; an automatic reply ends follow-ups, too. */
const ENDING_KINDS: readonly MessageKind[] = ['bounce', 'complaint'];
const FOLLOWUP_ENDING_KINDS: readonly MessageKind[] = [...ENDING_KINDS, 'auto_reply'];
/** Stop reasons of leads that must not be contacted. */
const OUT_OF_BOUNDS: ReadonlySet<LeadRecord['stopReason']> = new Set(['unsubscribed', 'complained', 'bounced_hard']);

/** The evaluation of a reply, with its facts. */
export interface ReplyEligibilityCheck {
  readonly eligibility: ReplyEligibility;
  readonly agent: AgentRecord | null;
  readonly conversation: ConversationRecord | null;
}

type About = Pick<AgentReplyRecord, 'workspaceId' | 'agentId' | 'conversationId' | 'answeredId' | 'position' | 'label'>;

/** Evaluates whether an agent may reply now. Reads all facts again; in a transaction, as of its beginning. */
@Injectable()
export class AgentReplyEligibilityService {
  constructor(
    private readonly agents: AgentRepository,
    private readonly killSwitch: AgentKillSwitchService,
    private readonly threads: ConversationRepository,
    private readonly leads: LeadRepository,
    private readonly suppressions: SuppressionsService,
    private readonly repository: AgentReplyRepository,
  ) {}

  async evaluate(reply: About): Promise<ReplyEligibilityCheck> {
    const { workspaceId, agentId, conversationId, answeredId, position, label } = reply;
    const isOff = await this.killSwitch.isOff(workspaceId);
    const agent = await this.agents.peek(workspaceId, agentId);
    const conversation = await this.threads.find(workspaceId, conversationId);
    const last = conversation && (await this.threads.lastAnswer(conversation));
    const answered = last?._id.equals(answeredId) ? last : null;
    const said = conversation && answered ? await this.#since(conversation, answered, position) : SILENCE;
    const eligibility = decideReplyEligibility({
      ...said,
      isOff,
      agent,
      position,
      plannedFor: label,
      label: conversation?.label ?? null,
      isLabelling: Boolean(conversation?.labelRequest),
      answered,
      isSuppressed: conversation !== null && (await this.#isSuppressed(workspaceId, conversation, last)),
      isWithLead: conversation !== null && (await this.isWithLead(conversation)),
      inThread: await this.repository.countInThread(workspaceId, conversationId),
    });
    return { eligibility, agent, conversation };
  }

  /** Whether the conversation is with a lead that may be contacted. */
  async isWithLead({ workspaceId, tracked, leadId }: ConversationRecord): Promise<boolean> {
    const lead = tracked && leadId ? await this.leads.find(workspaceId, leadId) : null;
    return lead !== null && lead.status !== 'removed' && !OUT_OF_BOUNDS.has(lead.stopReason);
  }

  async #since(conversation: ConversationRecord, answered: ThreadMessage, position: number) {
    return {
      hasNewer: await this.threads.hasNewer(
        conversation,
        answered,
        position === 0 ? ENDING_KINDS : FOLLOWUP_ENDING_KINDS,
      ),
      isAnsweredByHand: await this.threads.isAnsweredByHand(conversation, answered),
      hasForeignReplyTo: hasForeignReplyTo(conversation, answered),
    };
  }

  async #isSuppressed(
    workspaceId: Types.ObjectId,
    { email }: ConversationRecord,
    last: ThreadMessage | null,
  ): Promise<boolean> {
    const emails = [email, ...(last?.from ? [last.from.address] : [])];
    return (await this.suppressions.matching(workspaceId.toHexString(), emails)).size > 0;
  }
}

const SILENCE = { hasNewer: false, isAnsweredByHand: false, hasForeignReplyTo: false };

/** Whether Reply-To (RFC 5322, 3.6.2) names another address than the lead and the sender. */
function hasForeignReplyTo({ email }: ConversationRecord, { from, replyTo }: ThreadMessage): boolean {
  const taking = new Set([email, toNormalAddress(from)]);
  return replyTo.map(toNormalAddress).some((address) => address !== null && !taking.has(address));
}

/** null for an invalid address. */
function toNormalAddress(input: MailAddress | null): string | null {
  const parsed = parseEmailAddress(input?.address ?? '');
  return parsed.ok ? parsed.address : null;
}
