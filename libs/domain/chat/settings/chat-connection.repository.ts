import { type ChatError, type ChatTarget } from '@adapters/chat';
import { systemScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { EventsService } from '@domain/events';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { SecretBoxService } from '@platform/secrets';
import { type Model, type Types } from 'mongoose';
import { chatSecretOwner } from '../chat-secrets';
import { type PostOutcome } from '../delivery/post-outcome';
import { ChatConnectionRecord, type ChatProblem } from '../schemas/chat-connection.record';

type Id = Types.ObjectId | string;

/** What `GET /v1/integrations` says of the chat. */
export interface ChatConnectionStatus {
  readonly connected: boolean;
  readonly teamName: string;
}

/** Chats of workspaces as those see them who work with them. */
@Injectable()
export class ChatConnectionRepository {
  constructor(
    @InjectModel(ChatConnectionRecord.name) private readonly connections: Model<ChatConnectionRecord>,
    private readonly box: SecretBoxService,
    private readonly events: EventsService,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /** By what the vendor last said, not by what was set: one that refuses us is not connected. */
  async status(workspaceId: string): Promise<ChatConnectionStatus> {
    const found = await this.find(workspaceId);
    const connected = found?.status === 'connected';
    return { connected, teamName: connected ? found.teamName : '' };
  }

  /** The chat of a workspace; null when it has none. */
  async find(workspaceId: Id): Promise<ChatConnectionRecord | null> {
    return this.connections.findOne({ workspaceId }).lean<ChatConnectionRecord>();
  }

  /** Whether another workspace is let in by the same token: there is one for our app in a team. */
  async isTokenShared({ _id, teamId }: Pick<ChatConnectionRecord, '_id' | 'teamId'>): Promise<boolean> {
    const other = await this.connections
      .exists({ teamId: { $eq: teamId, $gt: '' }, way: 'consent', _id: { $ne: _id } })
      .setOptions({ allWorkspaces: 'two workspaces may be told things in the same team' });
    return other !== null;
  }

  /** The secret in plain. @throws SecretOpenError when the key is gone */
  secret({ _id, workspaceId, secret }: Pick<ChatConnectionRecord, '_id' | 'workspaceId' | 'secret'>): string {
    return this.box.open(secret, chatSecretOwner(workspaceId, _id));
  }

  /** Where messages go; null while no channel is chosen. */
  target(connection: ChatConnectionRecord): ChatTarget | null {
    const { way, channel } = connection;
    if (way === 'webhook') return { kind: 'webhook', url: this.secret(connection) };
    return channel && { kind: 'bot', token: this.secret(connection), channelId: channel.id };
  }

  /**
   * Writes down what a post met, in one transaction with what became of its messages.
   * @param alongside joins the transaction
   */
  async recordPost(
    connection: ChatConnectionRecord,
    outcome: PostOutcome,
    error: ChatError | null,
    alongside: () => Promise<void>,
  ): Promise<void> {
    await this.transactions.run(async () => {
      await alongside();
      if (error !== null && outcome.disconnects) await this.failed(connection, error);
      else await this.#met(connection, outcome, error);
    });
  }

  /**
   * The vendor does not let us in any more, or not into the channel: told once, by an event. What a person has changed meanwhile was
   * not met. Joins a running transaction.
   */
  async failed({ _id, workspaceId, revision }: ChatConnectionRecord, error: ChatError): Promise<void> {
    const now = this.clock.now();
    await this.transactions.run(async () => {
      const before = await this.connections
        .findOneAndUpdate(
          { _id, workspaceId, revision, status: 'connected' },
          { $set: { status: 'disconnected', checkedAt: now, lastError: problemOf(error, now) } },
          { returnDocument: 'before', timestamps: false },
        )
        .lean<ChatConnectionRecord>();
      if (!before) return;
      const workspace = systemScope(workspaceId.toHexString());
      const id = _id.toHexString();
      await this.audit.record(workspace, {
        action: 'integration.disconnected',
        target: { type: 'integration', id },
        changes: { status: { from: 'connected', to: 'disconnected' } },
      });
      await this.events.record(workspace, {
        type: 'integration.disconnected',
        dedupeKey: `integration.disconnected:${id}:${revision}`,
        about: {},
        data: { name: 'slack', code: error.code, reason: error.message },
      });
    });
  }

  /** The vendor was asked and lets us in. What a person has changed meanwhile was not asked. */
  async markAuthorized({ _id, workspaceId, revision }: ChatConnectionRecord): Promise<void> {
    const checkedAt = this.clock.now();
    await this.connections.updateOne({ _id, workspaceId, revision }, { $set: { checkedAt } }, { timestamps: false });
  }

  async #met({ _id, workspaceId, revision }: ChatConnectionRecord, outcome: PostOutcome, error: ChatError | null) {
    const now = this.clock.now();
    const posted = outcome.state === 'posted' ? { lastPostedAt: now, checkedAt: now } : {};
    const lastError = error && problemOf(error, now);
    const { failures, restMs } = outcome;
    // What a person has set anew meanwhile is tried at once.
    await this.connections.updateOne(
      { _id, workspaceId, revision },
      { $set: { restUntil: this.clock.in(restMs), failures, lastError, ...posted } },
      { timestamps: false },
    );
  }
}

function problemOf({ vendorCode: word, message }: ChatError, at: Date): ChatProblem {
  return { code: word, message, at };
}
