import { ConversationRepository, type ConversationRecord, type ThreadMessage } from '@domain/inbox';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { rerunOnWriteConflict } from '@platform/database';
import { AgentRepository } from '../agent.repository';
import { AgentKillSwitchService } from '../kill-switch/agent-kill-switch.service';
import { type AgentReplyRecord } from '../schemas/agent-reply.record';
import { type AgentRecord } from '../schemas/agent.record';
import { AgentReplyEligibilityService } from './agent-reply-eligibility.service';
import { type ReplyReason } from './agent-reply-states';
import { AgentReplyRepository } from './agent-reply.repository';
import { isChosen } from './decide/reply-eligibility';
import { EXPIRES_AFTER_MS, getFollowupDueAt, getReplyDueAt, MAX_AGE_MS } from './decide/reply-schedule';
import { findStopWord } from './decide/stop-words';

/** Initial fields of a planned reply. */
const FRESH = {
  cause: null,
  reason: null,
  attempts: 0,
  text: null,
  textId: null,
  model: null,
  promptVersion: null,
  cost: 0,
  decidedBy: null,
  decidedAt: null,
  replyId: null,
  handedAt: null,
  handedDay: null,
  sentAt: null,
} as const;

const NEVER_WORKS: ReplyReason = { cause: 'hours', reason: 'The agent has no working hours' };

/**
 * Plans the replies of agents: one for each message, and follow-ups to sent replies. A planned reply is evaluated again
 * before it is written and before it is sent. Joins the running transaction.
 */
@Injectable()
export class AgentReplyPlanningService {
  constructor(
    private readonly agents: AgentRepository,
    private readonly killSwitch: AgentKillSwitchService,
    private readonly threads: ConversationRepository,
    private readonly eligibility: AgentReplyEligibilityService,
    private readonly repository: AgentReplyRepository,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Plans a reply to the latest message of a conversation, if the default agent of the workspace answers its label.
   * @param isNew the message has just arrived: a label set by a person concerns an earlier message, and people answer
   *   this one
   */
  async plan({ _id, workspaceId }: Pick<ConversationRecord, '_id' | 'workspaceId'>, isNew: boolean): Promise<void> {
    const agent = await this.agents.findDefault(workspaceId);
    if (!agent?.isActive || !agent.autonomousMode.enabled) return;
    const conversation = await this.threads.find(workspaceId, _id);
    const label = conversation?.label;
    if (!conversation || !label || !isChosen(label, agent.autonomousMode.labels)) return;
    if (isNew && conversation.labelledBy === 'person') return;
    const answered = await this.threads.lastAnswer(conversation);
    if (!answered || !(await this.#isOpen(conversation, answered))) return;
    const existing = await this.repository.findAnswerTo(workspaceId, answered._id);
    if (existing) await this.#revive(existing, agent, conversation);
    else await this.#add(agent, conversation, answered);
  }

  /** Plans the next follow-up to a sent reply, if the agent writes another one. */
  async planFollowup(reply: AgentReplyRecord, sentAt: Date): Promise<void> {
    const agent = await this.agents.peek(reply.workspaceId, reply.agentId);
    const position = reply.position + 1;
    const settings = agent?.followupSettings;
    if (!agent || !settings?.enabled || position > settings.maxFollowups) return;
    const dueAt = getFollowupDueAt(sentAt, settings.delayDays, agent.autonomousMode.workingHours);
    if (!dueAt) return;
    const { workspaceId, agentId, conversationId, leadId, email, answeredId, answeredAt, label } = reply;
    const of = { workspaceId, agentId, conversationId, leadId, email, answeredId, answeredAt, label };
    const expiresAt = new Date(dueAt.getTime() + EXPIRES_AFTER_MS);
    await rerunOnWriteConflict(() =>
      this.repository.add({ ...FRESH, ...of, position, state: 'planned', dueAt, expiresAt }),
    );
  }

  /** Whether the message is recent, without a reply by a person, and from a lead that may be contacted. */
  async #isOpen(conversation: ConversationRecord, answered: ThreadMessage): Promise<boolean> {
    const age = this.clock.now().getTime() - answered.at.getTime();
    if (age > MAX_AGE_MS || !(await this.eligibility.isWithLead(conversation))) return false;
    if (await this.threads.isAnsweredByHand(conversation, answered)) return false;
    return !(await this.killSwitch.isOff(conversation.workspaceId));
  }

  async #add(agent: AgentRecord, conversation: ConversationRecord, answered: ThreadMessage): Promise<void> {
    const { workspaceId, leadId, label, email } = conversation;
    if (!leadId || !label) return;
    const of = { workspaceId, agentId: agent._id, conversationId: conversation._id, leadId, email, label, position: 0 };
    const about = { answeredId: answered._id, answeredAt: answered.at };
    const planned = this.#begin(agent, answered);
    // Of two concurrent copies of one message, the second finds the reply to the first.
    await rerunOnWriteConflict(() => this.repository.add({ ...FRESH, ...of, ...about, ...planned }));
  }

  /** Plans a reply again that was withdrawn for its label, when the label is chosen again. Any other end is final. */
  async #revive(reply: AgentReplyRecord, agent: AgentRecord, conversation: ConversationRecord): Promise<void> {
    const answered = await this.threads.lastAnswer(conversation);
    if (reply.state !== 'cancelled' || reply.cause !== 'label' || !answered || !conversation.label) return;
    const { label } = conversation;
    await this.repository.change(reply, { ...FRESH, agentId: agent._id, label, ...this.#begin(agent, answered) });
  }

  /** The initial state: a message with a stop word gets a cancelled reply, so that people see why. */
  #begin({ autonomousMode }: AgentRecord, answered: ThreadMessage) {
    const now = this.clock.now();
    const stopWord = findStopWord(answered.text, autonomousMode.stopWords);
    const dueAt = getReplyDueAt(answered.at, now, autonomousMode);
    const expiresAt = new Date((dueAt ?? now).getTime() + EXPIRES_AFTER_MS);
    const over = (why: ReplyReason) => ({ state: 'cancelled' as const, ...why, dueAt: null, expiresAt });
    if (stopWord !== null) {
      return over({
        cause: 'stop_word',
        reason: `The message contains the stop word “${stopWord}”: it is left to people`,
      });
    }
    return dueAt ? { state: 'planned' as const, dueAt, expiresAt } : over(NEVER_WORKS);
  }
}
