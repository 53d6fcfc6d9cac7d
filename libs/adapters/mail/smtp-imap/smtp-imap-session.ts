import { type ImapMailbox } from '../imap/imap-mailbox';
import { type MessageRef, type SyncBatch, type SyncRequest } from '../port/changes';
import { type MailFolder } from '../port/folder';
import { type ComposedMessage, type SendOptions, type SendOutcome, type SentLookup } from '../port/send';
import { type Attachment, type AttachmentContent, type MailCheck, type MailSession } from '../port/session';
import { type SmtpSender } from '../smtp/smtp-sender';

/** A mailbox with SMTP for sending and IMAP for everything else. */
export class SmtpImapSession implements MailSession {
  constructor(
    private readonly smtp: SmtpSender,
    private readonly imap: ImapMailbox,
  ) {}

  async verify(signal?: AbortSignal): Promise<MailCheck> {
    const [outgoing, incoming] = await Promise.all([this.smtp.verify(signal), this.imap.verify(signal)]);
    return { outgoing, incoming };
  }

  send(message: ComposedMessage, options: SendOptions): Promise<SendOutcome> {
    return this.smtp.send(message, options);
  }

  findSent(messageId: string): Promise<SentLookup> {
    return this.imap.findSent(messageId);
  }

  sync(request: SyncRequest): Promise<SyncBatch> {
    return this.imap.sync(request);
  }

  waitForChange(options: { atMostMs: number; signal: AbortSignal }): Promise<boolean> {
    return this.imap.waitForChange(options);
  }

  fetchRaw(ref: MessageRef, options: { maxBytes: number }): Promise<Buffer> {
    return this.imap.fetchRaw(ref, options);
  }

  listAttachments(ref: MessageRef): Promise<readonly Attachment[]> {
    return this.imap.listAttachments(ref);
  }

  fetchAttachment(ref: MessageRef, index: number): Promise<AttachmentContent> {
    return this.imap.fetchAttachment(ref, index);
  }

  move(ref: MessageRef, folder: string): Promise<MessageRef> {
    return this.imap.move(ref, folder);
  }

  append(folder: string, raw: Buffer, flags?: { seen?: boolean }): Promise<MessageRef> {
    return this.imap.append(folder, raw, flags);
  }

  markRead(ref: MessageRef, read: boolean): Promise<void> {
    return this.imap.markRead(ref, read);
  }

  listFolders(): Promise<readonly MailFolder[]> {
    return this.imap.listFolders();
  }

  ensureFolder(name: string): Promise<MailFolder> {
    return this.imap.ensureFolder(name);
  }

  async close(): Promise<void> {
    await Promise.all([this.smtp.close(), this.imap.close()]);
  }
}
