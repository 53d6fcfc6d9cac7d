import {
  type ComposedMessage,
  type MailAddress,
  type MailStage,
  type NotAccepted,
  type SendHandle,
  SmtpRelayClient,
  type SendOutcome,
} from '@adapters/mail';
import {
  MailboxConnectionService,
  MailboxRepository,
  type MailboxFacts,
  type MailboxRecord,
  findSendingObstacle,
} from '@domain/mailboxes';
import { DirectMailService, type Limited } from '@domain/sending';
import { MailboxLeaseService } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { TransactionService } from '@platform/database';
import { type Model, type Types } from 'mongoose';
import { ReportSettingsRecord } from '../schemas/report-settings.record';
import { type SenderFacts } from './report-decision';

/** The sender of a workspace's reports: its chosen mailbox, or the operator's server. */
export type ReportSender =
  | { readonly kind: 'mailbox'; readonly from: MailAddress; readonly mailbox: MailboxRecord }
  | { readonly kind: 'operator'; readonly from: MailAddress };

/** Options of a handover. */
export interface ReportHandover {
  readonly deadline: AbortSignal;
  /** Aborting before the handover withholds the report. */
  readonly signal: AbortSignal;
  /** Called last before the handover, in a transaction. */
  readonly mark: (mailboxId: Types.ObjectId | null, handle: SendHandle) => Promise<boolean>;
}

/** Stages at which a server's reply concerns the message, not the operator's settings. */
const OF_MESSAGE: ReadonlySet<MailStage> = new Set(['recipient', 'data', 'handover']);

/** Senders of reports, and sending from them. */
@Injectable()
export class ReportSenderService {
  constructor(
    @InjectModel(ReportSettingsRecord.name) private readonly settings: Model<ReportSettingsRecord>,
    private readonly mailboxes: MailboxRepository,
    private readonly mails: DirectMailService,
    private readonly connections: MailboxConnectionService,
    private readonly relay: SmtpRelayClient,
    private readonly leases: MailboxLeaseService,
    private readonly transactions: TransactionService,
  ) {}

  /** Returns null without a sender. */
  async find(workspaceId: Types.ObjectId): Promise<ReportSender | null> {
    const settings = await this.settings.findOne({ workspaceId }).lean<ReportSettingsRecord>();
    const chosen = settings?.mailboxId ?? null;
    const mailbox = chosen && (await this.mailboxes.find(workspaceId, chosen));
    if (mailbox) return { kind: 'mailbox', mailbox, from: { name: mailbox.displayName, address: mailbox.email } };
    const { from } = this.relay;
    return from === null ? null : { kind: 'operator', from: { name: '', address: from } };
  }

  /** Facts about the sender that may delay a report. */
  async getFacts(sender: ReportSender | null): Promise<SenderFacts> {
    if (sender?.kind !== 'mailbox') return { kind: sender?.kind ?? 'none' };
    const { mailbox } = sender;
    const limited = await this.mails.findLimit({ workspaceId: mailbox.workspaceId.toHexString() }, mailbox);
    return {
      kind: 'mailbox',
      obstacle: await this.#findObstacle(mailbox),
      limitedUntil: limited?.until ?? null,
    };
  }

  /** Makes one attempt. From a mailbox it counts against the daily limit. */
  async send(
    sender: ReportSender,
    message: ComposedMessage,
    { deadline, signal, mark }: ReportHandover,
  ): Promise<SendOutcome | Limited> {
    if (sender.kind === 'operator') {
      const beforeHandover = (handle: SendHandle) => this.transactions.run(() => mark(null, handle));
      return this.relay.send(message, { beforeHandover, deadline, signal });
    }
    const { mailbox } = sender;
    return this.mails.send(mailbox, message, {
      deadline,
      signal,
      // Composing takes seconds: a pause since then has written to the same record as the count, so the transactions
      // conflict.
      mark: async (handle) => (await this.#maySend(mailbox)) && mark(mailbox._id, handle),
    });
  }

  /** The server's reply without the sender's secrets; for the operator's server nothing about its address. */
  getReason(sender: ReportSender, { stage, message, lastReply }: NotAccepted): string {
    const reply = lastReply?.response ?? message;
    if (sender.kind === 'mailbox') return this.connections.createSecretMask(sender.mailbox)(reply);
    return lastReply && OF_MESSAGE.has(stage)
      ? reply
      : 'The operator’s mail server does not accept messages at the moment';
  }

  /** In sequence: it joins a transaction. */
  async #maySend({ _id, workspaceId }: MailboxRecord): Promise<boolean> {
    const [present] = await this.mailboxes.listAll(workspaceId, [_id]);
    return present !== undefined && (await this.#findObstacle(present)) === null;
  }

  /** Returns why the mailbox sends nothing; null without an obstacle. */
  async #findObstacle(mailbox: MailboxFacts): Promise<string | null> {
    const obstacle = findSendingObstacle(mailbox);
    if (obstacle) return `${mailbox.email} ${obstacle.message}`;
    const id = mailbox._id.toHexString();
    const states = await this.leases.findStates(mailbox.workspaceId.toHexString(), [id]);
    const stopped = states.get(id)?.stopped;
    return stopped ? `${mailbox.email} was stopped until a person resumes it: ${stopped.message}` : null;
  }
}
