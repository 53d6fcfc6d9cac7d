import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';

/** A durable write with the native driver. */
type Session = mongoose.mongo.ClientSession | undefined;

/** The denominators' database work: as many commands of the same kinds as the platform makes, on records of usual size. */
export class BareWrites {
  readonly #client = new mongoose.mongo.MongoClient(process.env['MONGODB_URI'] ?? '', {
    writeConcern: { w: 'majority' },
  });
  readonly #records = this.#client.db().collection<{ _id: string }>('bare_records');
  readonly #prefix = randomUUID();
  #serial = 0;

  /** Inserts records with one command. */
  async insert(count: number, session?: Session): Promise<void> {
    const [at, text] = [new Date(), 'some text of a record. '.repeat(20)];
    const ids = Array.from({ length: count }, () => `${this.#prefix}.${++this.#serial}`);
    const records = ids.map((_id) => ({ _id, place: _id, state: 'open', text, at, n: 0 }));
    await this.#records.insertMany(records, session && { session });
  }

  /** Updates this number of the newest records, with a command each or with one for all. */
  async update(count: number, { session, inOne = false }: { session?: Session; inOne?: boolean } = {}): Promise<void> {
    const operations = Array.from({ length: count }, (_, n) => {
      const update = { $set: { state: 'done', at: new Date() }, $inc: { n: 1 } };
      return { updateOne: { filter: { _id: `${this.#prefix}.${this.#serial - n}` }, update } };
    });
    for (const batch of inOne ? [operations] : operations.map((one) => [one])) {
      await this.#records.bulkWrite(batch, session && { session });
    }
  }

  async atomic(work: (session: Session) => Promise<void>): Promise<void> {
    await this.#client.withSession((session) => session.withTransaction(() => work(session)));
  }
}
