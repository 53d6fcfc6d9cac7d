import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { parseId, rerunOnWriteConflict, TransactionService } from '@platform/database';
import { type Model, Types } from 'mongoose';
import { SendingAddressRecord } from '../schemas/sending-address.record';
import { addressSubject } from './public-address';

/** Addresses that are stored per mailbox: the newest. */
const MAX_ADDRESSES = 5;
/** Retention of an address after it was last seen. */
const RETENTION_MS = 30 * 86_400_000;

/** Sending addresses of mailboxes, learned from the headers of received mail. */
@Injectable()
export class SendingAddressRepository {
  constructor(
    @InjectModel(SendingAddressRecord.name) private readonly addresses: Model<SendingAddressRecord>,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Stores an address from which the mailbox's mail reached another server. Ignores text that is no public address, since headers
   * are not trustworthy.
   */
  async learn(workspaceId: string, mailboxId: string, address: string): Promise<void> {
    const subject = addressSubject(address);
    const [workspace, mailbox] = [parseId(workspaceId), parseId(mailboxId)];
    if (subject === null || subject === 'private' || !workspace || !mailbox) return;
    const key = { workspaceId: workspace, mailboxId: mailbox, address: subject.subject };
    const sighting = { seenAt: this.clock.now(), expiresAt: this.clock.in(RETENTION_MS) };
    await this.transactions.run(() =>
      rerunOnWriteConflict(() => this.addresses.updateOne(key, { $set: sighting }, { upsert: true })),
    );
    await this.#forgetOldest(workspace, mailbox);
  }

  /** Returns the addresses by mailbox id, newest first; mailboxes without one are missing. */
  async listByMailbox(
    workspaceId: Types.ObjectId,
    mailboxIds: readonly Types.ObjectId[],
  ): Promise<Map<string, string[]>> {
    const found = await this.addresses
      .find({ workspaceId, mailboxId: { $in: [...mailboxIds] }, expiresAt: { $gt: this.clock.now() } })
      .sort({ seenAt: -1, _id: -1 })
      .lean<SendingAddressRecord[]>();
    const byMailbox = new Map<string, string[]>();
    for (const { mailboxId, address } of found) {
      const known = byMailbox.get(mailboxId.toHexString()) ?? [];
      if (known.length < MAX_ADDRESSES) byMailbox.set(mailboxId.toHexString(), [...known, address]);
    }
    return byMailbox;
  }

  /** Joins the transaction that deletes the mailbox. */
  async forget(workspaceId: string, mailboxId: string): Promise<void> {
    await this.addresses.deleteMany({ workspaceId, mailboxId });
  }

  async #forgetOldest(workspaceId: Types.ObjectId, mailboxId: Types.ObjectId): Promise<void> {
    const oldest = await this.addresses
      .find({ workspaceId, mailboxId }, { _id: 1 })
      .sort({ seenAt: -1, _id: -1 })
      .skip(MAX_ADDRESSES)
      .lean<Pick<SendingAddressRecord, '_id'>[]>();
    if (oldest.length === 0) return;
    await this.addresses.deleteMany({ workspaceId, _id: { $in: oldest.map(({ _id }) => _id) } });
  }
}
