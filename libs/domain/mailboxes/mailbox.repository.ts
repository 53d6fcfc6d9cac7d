import { WorkspaceRepository } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type Types } from 'mongoose';
import { MailboxRecord } from './schemas/mailbox.record';

/** A mailbox as it is stored, without its credentials. */
export type MailboxFacts = Omit<MailboxRecord, 'smtpCredentials' | 'imapCredentials' | 'oauthCredentials'>;

export type MailboxSendingState = Pick<MailboxRecord, '_id' | 'sendingEnabled' | 'status' | 'connection'>;

/** Mailboxes for whoever works with them by itself: as they are stored, credentials (sealed) included. */
@Injectable()
export class MailboxRepository {
  constructor(
    @InjectModel(MailboxRecord.name) private readonly mailboxes: Model<MailboxRecord>,
    private readonly workspaces: WorkspaceRepository,
  ) {}

  /** null when the mailbox is gone or its workspace is deleted: then nothing is done for it any more. */
  async find(workspaceId: Types.ObjectId, mailboxId: Types.ObjectId): Promise<MailboxRecord | null> {
    const [mailbox, alive] = await Promise.all([
      this.mailboxes.findOne({ _id: mailboxId, workspaceId }).lean<MailboxRecord>(),
      this.workspaces.filterAlive([workspaceId.toHexString()]),
    ]);
    return alive.size > 0 ? mailbox : null;
  }

  /** As `find` for each of several, by id. */
  async findAll(
    workspaceId: Types.ObjectId,
    mailboxIds: readonly Types.ObjectId[],
  ): Promise<Map<string, MailboxRecord>> {
    const [found, alive] = await Promise.all([
      this.mailboxes.find({ workspaceId, _id: { $in: [...mailboxIds] } }).lean<MailboxRecord[]>(),
      this.workspaces.filterAlive([workspaceId.toHexString()]),
    ]);
    return new Map(alive.size > 0 ? found.map((mailbox) => [mailbox._id.toHexString(), mailbox]) : []);
  }

  /** Whether these mailboxes may send now, by id; one that is gone, or whose workspace is, is not among them. */
  async standing(
    workspaceId: Types.ObjectId,
    mailboxIds: readonly Types.ObjectId[],
  ): Promise<Map<string, MailboxSendingState>> {
    const [found, alive] = await Promise.all([
      this.mailboxes
        .find({ workspaceId, _id: { $in: [...mailboxIds] } }, { sendingEnabled: 1, status: 1, connection: 1 })
        .lean<MailboxSendingState[]>(),
      this.workspaces.filterAlive([workspaceId.toHexString()]),
    ]);
    return new Map(alive.size > 0 ? found.map((mailbox) => [mailbox._id.toHexString(), mailbox]) : []);
  }

  /** Those of the mailboxes that there are, in the order of the ids, without their credentials. */
  async all(workspaceId: Types.ObjectId, mailboxIds: readonly Types.ObjectId[]): Promise<MailboxFacts[]> {
    const found = await this.mailboxes
      .find(
        { workspaceId, _id: { $in: [...mailboxIds] } },
        { smtpCredentials: 0, imapCredentials: 0, oauthCredentials: 0 },
      )
      .lean<MailboxFacts[]>();
    const byId = new Map(found.map((mailbox) => [mailbox._id.toHexString(), mailbox]));
    return mailboxIds.flatMap((id) => byId.get(id.toHexString()) ?? []);
  }

  /** Their addresses by id, without those that are gone; one query by primary key. Joins a running transaction. */
  async addresses(mailboxIds: readonly Types.ObjectId[]): Promise<Map<string, string>> {
    if (mailboxIds.length === 0) return new Map();
    const found = await this.mailboxes
      .find({ _id: { $in: [...mailboxIds] } }, { email: 1 })
      .setOptions({ allWorkspaces: 'the ids are those of records that name their workspaces' })
      .lean<Pick<MailboxRecord, '_id' | 'email'>[]>();
    return new Map(found.map(({ _id, email }) => [_id.toHexString(), email]));
  }

  /** Ids of the mailboxes at a domain, in lower case. It reads the addresses of the workspace: for rare occasions. */
  async atDomain(workspaceId: Types.ObjectId, domain: string): Promise<string[]> {
    const found = await this.mailboxes
      .find({ workspaceId }, { email: 1 })
      .lean<Pick<MailboxRecord, '_id' | 'email'>[]>();
    return found.filter(({ email }) => email.endsWith(`@${domain}`)).map(({ _id }) => _id.toHexString());
  }
}
