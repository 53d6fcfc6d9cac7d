import { type ConversationRecord, InboxReplyRecord } from '@domain/inbox';
import { MailboxSenderService, SendingModule } from '@domain/sending';
import { MailboxLeaseService, SendRecord } from '@domain/sends';
import { ModelServer } from '../../../../adapters/llm/testing';
import { InboxFixture, mail, type Written } from '../../../inbox/testing';
import { AgentsModule } from '../../agents.module';
import { AgentReplyRecord } from '../../schemas/agent-reply.record';
import { AgentTextRecord } from '../../schemas/agent-text.record';
import { AgentRecord } from '../../schemas/agent.record';
import { AgentReplyJobService } from '../agent-reply-job.service';
import { AgentReplyRepository } from '../agent-reply.repository';
import { type AutonomousAgentFields, newAutonomousAgent } from './autonomous-agent';
import { ADA, ANSWER, INTERESTED, says } from './model-answers';

/** The inbox, sending and agents on a separate database, with in-memory mailboxes and a scripted model. */
export class AutonomyFixture {
  private constructor(
    readonly inbox: InboxFixture,
    readonly model: ModelServer,
  ) {}

  static async open(settings: Record<string, string> = {}): Promise<AutonomyFixture> {
    const model = await ModelServer.start();
    const llm = { LLM_BASE_URL: model.baseUrl, LLM_API_KEY: 'sk-canary-key', LLM_MODEL: 'test-model' };
    const limits = { LLM_TIMEOUT_MS: '2500', LLM_INPUT_PRICE: '2', LLM_OUTPUT_PRICE: '8' };
    const modules = [SendingModule, AgentsModule];
    return new AutonomyFixture(await InboxFixture.open({ ...llm, ...limits, ...settings }, modules), model);
  }

  async close(): Promise<void> {
    await this.inbox.close();
    await this.model.close();
  }

  /** Creates a workspace with a mailbox, and a model that answers. */
  async fresh(): Promise<void> {
    await this.inbox.fresh();
    this.model.asked.length = 0;
    this.model.otherwise = says(ANSWER);
  }

  get<T>(service: abstract new (...args: never[]) => T): T {
    return this.inbox.get(service);
  }

  get clock() {
    return this.inbox.clock;
  }

  get workspace() {
    return this.inbox.workspace;
  }

  /** Creates the default agent of the workspace, which answers positive messages at once. */
  async agent(fields: AutonomousAgentFields = {}): Promise<AgentRecord> {
    const made = await this.inbox
      .model<AgentRecord>(AgentRecord)
      .create(newAutonomousAgent(this.inbox.workspaceId, fields));
    return made.toObject<AgentRecord>();
  }

  /** A contacted lead answers. @returns its conversation */
  async answered(text = INTERESTED, email = ADA): Promise<ConversationRecord> {
    const written = await this.inbox.written(email);
    await this.says(written, text, email);
    const conversations = await this.inbox.conversations();
    const found = conversations.find((conversation) => conversation.email === email);
    if (!found) throw new Error('There is no conversation');
    return found;
  }

  /** The email of the campaign that the conversation answers. */
  async send(): Promise<SendRecord> {
    const { workspaceId } = this.inbox;
    return this.inbox.model<SendRecord>(SendRecord).findOne({ workspaceId }).orFail().lean<SendRecord>();
  }

  /** The contacted person writes again. */
  async says({ send }: Pick<Written, 'send'>, text: string, email = ADA): Promise<void> {
    await this.inbox.arrives(mail({ from: `Ada <${email}>`, inReplyTo: send.messageId, text }));
  }

  /** All replies of agents, oldest first. */
  async replies(): Promise<AgentReplyRecord[]> {
    const { workspaceId } = this.inbox;
    return this.inbox
      .model<AgentReplyRecord>(AgentReplyRecord)
      .find({ workspaceId })
      .sort({ createdAt: 1, position: 1 })
      .lean<AgentReplyRecord[]>();
  }

  /** The only reply. */
  async reply(): Promise<AgentReplyRecord> {
    const [reply, ...more] = await this.replies();
    if (!reply || more.length > 0) throw new Error(`There are ${more.length + (reply ? 1 : 0)} replies`);
    return reply;
  }

  async texts(): Promise<AgentTextRecord[]> {
    const { workspaceId } = this.inbox;
    const texts = this.inbox.model<AgentTextRecord>(AgentTextRecord);
    return texts.find({ workspaceId }).sort({ _id: 1 }).lean<AgentTextRecord[]>();
  }

  /** The replies of the inbox. */
  async queued(): Promise<InboxReplyRecord[]> {
    const { workspaceId } = this.inbox;
    return this.inbox
      .model<InboxReplyRecord>(InboxReplyRecord)
      .find({ workspaceId })
      .sort({ createdAt: 1 })
      .lean<InboxReplyRecord[]>();
  }

  /** Runs the due jobs of the worker. */
  async work(): Promise<void> {
    const due = await this.get(AgentReplyRepository).listDue(this.inbox.mailbox.workspaceId, this.clock.now(), 100);
    for (const reply of due) {
      const payload = { workspaceId: this.inbox.workspaceId, agentReplyId: reply._id.toHexString() };
      await this.get(AgentReplyJobService).run(payload, AbortSignal.timeout(30_000));
    }
  }

  /** Runs the mailbox sender. */
  async runMailbox(): Promise<void> {
    const names = { workspaceId: this.inbox.workspaceId, mailboxId: this.inbox.mailbox._id.toHexString() };
    await this.get(MailboxLeaseService).scheduleNow(names.workspaceId, [names.mailboxId]);
    await this.get(MailboxSenderService).run(names, AbortSignal.timeout(30_000));
  }

  /** The texts that the mailbox's server received. */
  given(): string[] {
    return this.inbox.box.sent.map(({ raw }) => raw.toString());
  }

  /** Runs everything until nothing is due. */
  async settle(): Promise<void> {
    await this.work();
    await this.runMailbox();
    this.clock.advance(10_000);
    await this.work();
  }
}
