import { type ComposedMessage, type MailAddress, type SendHandle, SmtpRelay, type SendOutcome } from '@adapters/mail';
import {
  DirectMails,
  type Limited,
  MailboxConnections,
  MailboxesAtWork,
  type MailboxRecord,
  sendingObstacle,
} from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Transactions } from '@platform/database';
import { type Model, type Types } from 'mongoose';
import { ReportSettingsRecord } from '../schemas/report-settings.record';
import { type SenderFacts } from './report.decision';

/** What sends the reports of a workspace: the mailbox that it chose, or the operator's server. */
export type ReportSender =
  | { readonly kind: 'mailbox'; readonly from: MailAddress; readonly mailbox: MailboxRecord }
  | { readonly kind: 'operator'; readonly from: MailAddress };

/** How a report is handed over. */
export interface ReportHandover {
  readonly deadline: AbortSignal;
  /** Aborting before the handover withholds the report. */
  readonly signal: AbortSignal;
  /** The last word before a server is given it; called in a transaction. */
  readonly mark: (mailboxId: Types.ObjectId | null, handle: SendHandle) => Promise<boolean>;
}

/** Who sends reports, and giving them one. */
@Injectable()
export class ReportSenders {
  constructor(
    @InjectModel(ReportSettingsRecord.name) private readonly settings: Model<ReportSettingsRecord>,
    private readonly mailboxes: MailboxesAtWork,
    private readonly mails: DirectMails,
    private readonly connections: MailboxConnections,
    private readonly relay: SmtpRelay,
    private readonly transactions: Transactions,
  ) {}

  /** null when there is none. */
  async of(workspaceId: Types.ObjectId): Promise<ReportSender | null> {
    const settings = await this.settings.findOne({ workspaceId }).lean<ReportSettingsRecord>();
    const chosen = settings?.mailboxId ?? null;
    const mailbox = chosen && (await this.mailboxes.find(workspaceId, chosen));
    if (mailbox) return { kind: 'mailbox', mailbox, from: { name: mailbox.displayName, address: mailbox.email } };
    const { from } = this.relay;
    return from === null ? null : { kind: 'operator', from: { name: '', address: from } };
  }

  /** What keeps it from sending now. */
  async factsOf(sender: ReportSender | null): Promise<SenderFacts> {
    if (sender?.kind !== 'mailbox') return { kind: sender?.kind ?? 'none' };
    const { mailbox } = sender;
    const obstacle = sendingObstacle(mailbox);
    const limited = await this.mails.limited({ workspaceId: mailbox.workspaceId.toHexString() }, mailbox);
    return {
      kind: 'mailbox',
      obstacle: obstacle && `${mailbox.email} ${obstacle.message}`,
      limitedUntil: limited?.until ?? null,
    };
  }

  /** One attempt. From a mailbox it counts against the day's limit as any other mail. */
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
    return this.mails.send({ workspaceId: mailbox.workspaceId.toHexString() }, mailbox, message, {
      deadline,
      signal,
      mark: (handle) => mark(mailbox._id, handle),
    });
  }

  /** A text of a failure, without the sender's secrets. */
  masked(sender: ReportSender, text: string): string {
    return sender.kind === 'mailbox' ? this.connections.maskOf(sender.mailbox)(text) : text;
  }
}
