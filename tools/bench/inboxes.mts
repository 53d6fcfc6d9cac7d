import mongoose from 'mongoose';
import type { Delivered } from './mail.mts';

type Collection = mongoose.mongo.Collection;

/** Reads what the platform has stored of the mailboxes of one workspace. */
export class Inboxes {
  readonly #workspace: { workspaceId: mongoose.mongo.ObjectId };
  readonly #mailboxes: Collection;
  readonly #syncs: Collection;
  readonly #messages: Collection;
  readonly #delivered: Delivered[] = [];

  constructor(database: mongoose.mongo.Db, workspaceId: string) {
    this.#workspace = { workspaceId: new mongoose.mongo.ObjectId(workspaceId) };
    this.#mailboxes = database.collection('mailboxes');
    this.#syncs = database.collection('mailbox_syncs');
    this.#messages = database.collection('mailbox_messages');
  }

  /** Number of connected mailboxes. */
  async connected(): Promise<number> {
    return this.#mailboxes.countDocuments({ ...this.#workspace, 'connection.state': 'connected' });
  }

  /** Number of mailboxes that were read completely since this time. */
  async readSince(date: Date): Promise<number> {
    return this.#syncs.countDocuments({ ...this.#workspace, syncedAt: { $gte: date } });
  }

  async messages(): Promise<number> {
    return this.#messages.countDocuments(this.#workspace);
  }

  expects(delivered: readonly Delivered[]): number {
    this.#delivered.push(...delivered);
    return this.#delivered.length;
  }

  /**
   * Returns for each message the time from the start of its delivery until it was stored, in milliseconds.
   * @throws unless every delivered message is stored once, in its mailbox, and nothing else
   */
  async waitsFor(delivered: readonly Delivered[]): Promise<number[]> {
    const emails = new Map<string, string>();
    for await (const { _id, email } of this.#mailboxes.find(this.#workspace, { projection: { email: 1 } })) {
      emails.set(String(_id), String(email));
    }
    const kept = new Map<string, number>();
    const projection = { mailboxId: 1, messageId: 1, createdAt: 1 };
    for await (const { mailboxId, messageId, createdAt } of this.#messages.find(this.#workspace, { projection })) {
      const place = `${messageId} in ${emails.get(String(mailboxId))}`;
      if (kept.has(place)) throw new Error(`${place} was stored twice`);
      kept.set(place, (createdAt as Date).getTime());
    }
    const at = ({ messageId, email }: Delivered): number => kept.get(`${messageId} in ${email}`) ?? Number.NaN;
    const missing = this.#delivered.filter((one) => Number.isNaN(at(one))).length;
    if (missing > 0 || kept.size !== this.#delivered.length) {
      throw new Error(`${kept.size} messages stored of ${this.#delivered.length} delivered; ${missing} are missing`);
    }
    return delivered.map((one) => at(one) - one.at);
  }
}
