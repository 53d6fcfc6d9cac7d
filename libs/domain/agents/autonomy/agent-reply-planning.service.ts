import { AnsweredThreadsRepository, type ConversationRecord, type ThreadMessage } from '@domain/inbox';
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

/** Of a reply that has only just been planned. */
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
 * Plans what agents answer by themselves: one reply for each message, and follow-ups to what was sent. Planning promises nothing:
 * before it is written and when it goes out it is looked at again. Joins the running transaction.
 */
@Injectable()
export class AgentReplyPlanningService {
  constructor(
    private readonly agents: AgentRepository,
    private readonly killSwitch: AgentKillSwitchService,
    private readonly threads: AnsweredThreadsRepository,
    private readonly eligibility: AgentReplyEligibilityService,
    private readonly repository: AgentReplyRepository,
    private readonly clock: ClockPort,
  ) {}

  /**
   * An answer to the latest message of a conversation, if the default agent of the workspace answers such.
   * @param isNew the message has just come: a label that a person gave is about another one, and this one is left to people
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

  /** The next follow-up to a reply that was sent; nothing when the agent writes none, or no more. */
  async planFollowup(reply: AgentReplyRecord, sentAt: Date): Promise<void> {
    const agent = await this.agents.peek(reply.workspaceId, reply.agentId);
    const turn = reply.turn + 1;
    const settings = agent?.followupSettings;
    if (!agent || !settings?.enabled || turn > settings.maxFollowups) return;
    const dueAt = getFollowupDueAt(sentAt, settings.delayDays, agent.autonomousMode.workingHours);
    if (!dueAt) return;
    const { workspaceId, agentId, conversationId, leadId, email, answeredId, answeredAt, label } = reply;
    const of = { workspaceId, agentId, conversationId, leadId, email, answeredId, answeredAt, label };
    const expiresAt = new Date(dueAt.getTime() + EXPIRES_AFTER_MS);
    await rerunOnWriteConflict(() =>
      this.repository.add({ ...FRESH, ...of, turn, state: 'planned', dueAt, expiresAt }),
    );
  }

  /** Somebody may still be waiting for an answer, and no person has given one. */
  async #isOpen(conversation: ConversationRecord, answered: ThreadMessage): Promise<boolean> {
    const age = this.clock.now().getTime() - answered.at.getTime();
    if (age > MAX_AGE_MS || !(await this.eligibility.isWithLead(conversation))) return false;
    if (await this.threads.isAnsweredByHand(conversation, answered)) return false;
    return !(await this.killSwitch.isOff(conversation.workspaceId));
  }

  async #add(agent: AgentRecord, conversation: ConversationRecord, answered: ThreadMessage): Promise<void> {
    const { workspaceId, leadId, label, email } = conversation;
    if (!leadId || !label) return;
    const of = { workspaceId, agentId: agent._id, conversationId: conversation._id, leadId, email, label, turn: 0 };
    const about = { answeredId: answered._id, answeredAt: answered.at };
    const planned = this.#begin(agent, answered);
    // Two copies of one message may come at once: the second one finds the first.
    await rerunOnWriteConflict(() => this.repository.add({ ...FRESH, ...of, ...about, ...planned }));
  }

  /** A label that had taken it back is chosen again. Whatever else ended it stays the end. */
  async #revive(reply: AgentReplyRecord, agent: AgentRecord, conversation: ConversationRecord): Promise<void> {
    const answered = await this.threads.lastAnswer(conversation);
    if (reply.state !== 'cancelled' || reply.cause !== 'label' || !answered || !conversation.label) return;
    const { label } = conversation;
    await this.repository.change(reply, { ...FRESH, agentId: agent._id, label, ...this.#begin(agent, answered) });
  }

  /** How it begins: what holds a stop word is left to people at once, and it can be seen why. */
  #begin({ autonomousMode }: AgentRecord, answered: ThreadMessage) {
    const now = this.clock.now();
    const stopWord = findStopWord(answered.text, autonomousMode.stopWords);
    const dueAt = getReplyDueAt(answered.at, now, autonomousMode);
    const expiresAt = new Date((dueAt ?? now).getTime() + EXPIRES_AFTER_MS);
    const over = (why: ReplyReason) => ({ state: 'cancelled' as const, ...why, dueAt: null, expiresAt });
    if (stopWord !== null) {
      return over({ cause: 'stop_word', reason: `The answer holds the stop word “${stopWord}”: it is left to people` });
    }
    return dueAt ? { state: 'planned' as const, dueAt, expiresAt } : over(NEVER_WORKS);
  }
}
