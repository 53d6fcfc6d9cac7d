/**
 * The denominator of the webhook benchmark: reads the events of WORKSPACE from the outbox, signs and POSTs each with undici, and
 * makes the platform's durable writes with the native driver, and nothing else. With WRITES=none it only signs and
 * POSTs. GET / returns its progress.
 */
import { createServer } from 'node:http';
import mongoose from 'mongoose';
import { Webhook } from 'standardwebhooks';
import { Agent, request } from 'undici';

const { ObjectId } = mongoose.mongo;
type Id = mongoose.mongo.ObjectId;

const { PORT = '0', MONGODB_URI = '', WORKSPACE = '', WEBHOOK = '', URL: address = '', SECRET = '' } = process.env;
const writes = process.env['WRITES'] !== 'none';
/** Concurrency of the platform. */
const WIDTH = 16;

interface Delivery {
  _id: Id;
  eventId: string;
  body: string;
}

const client = new mongoose.mongo.MongoClient(MONGODB_URI, { writeConcern: { w: 'majority' } });
const db = client.db();
const workspaceId = new ObjectId(WORKSPACE);
const webhookId = new ObjectId(WEBHOOK);
const signer = new Webhook(SECRET);
const dispatcher = new Agent({ pipelining: 1 });
let [done, started, ended] = [0, 0, 0];

createServer((_request, response) => {
  response.end(JSON.stringify({ done, ms: (ended || performance.now()) - started }));
}).listen(Number(PORT), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));

interface Entry {
  _id: string;
  workspaceId: Id;
  eventIds: Id[];
}

/** Creates the deliveries of an outbox entry's events, and deletes the entry. */
async function taken({ _id: entryId, eventIds }: Entry): Promise<Delivery[]> {
  const events = await db
    .collection('events')
    .find({ workspaceId, _id: { $in: eventIds } })
    .toArray();
  const deliveries = events.map(({ _id: event, type, at, data }) => {
    const eventId = event.toHexString();
    const message = { id: eventId, type, timestamp: (at as Date).toISOString(), workspaceId: WORKSPACE, data };
    return { _id: new ObjectId(), eventId, body: JSON.stringify(message) };
  });
  if (!writes) return deliveries;
  const now = new Date();
  const records = deliveries.map(({ _id, eventId, body }) => {
    const of = { _id, workspaceId, webhookId, eventId: new ObjectId(eventId), type: 'email.sent', leadId: null, body };
    return {
      ...of,
      state: 'pending',
      attemptsMade: 0,
      attemptCount: 0,
      nextAttemptAt: now,
      attempts: [],
      createdAt: now,
    };
  });
  await client.withSession((session) =>
    session.withTransaction(async () => {
      await db.collection<Entry>('event_outbox').deleteOne({ _id: entryId }, { session });
      await db.collection('webhook_deliveries').insertMany(records, { session });
      const partitions = db.collection('webhook_work_partitions');
      await partitions.updateOne({ _id: webhookId }, { $min: { nextAt: now } }, { session, upsert: true });
    }),
  );
  return deliveries;
}

async function post({ eventId, body }: Delivery): Promise<number> {
  const at = new Date();
  const headers = {
    'content-type': 'application/json',
    'webhook-id': eventId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': signer.sign(eventId, at, body),
  };
  const answer = await request(address, { dispatcher, method: 'POST', headers, body });
  await answer.body.dump();
  return answer.statusCode;
}

/** Records the outcomes of deliveries, with the statistics of the webhook. */
async function record(made: readonly { delivery: Delivery; status: number }[]): Promise<void> {
  const at = new Date();
  await client.withSession((session) =>
    session.withTransaction(async () => {
      const operations = made.map(({ delivery: { _id }, status }) => ({
        updateOne: {
          filter: { _id, workspaceId },
          update: {
            $set: { state: 'delivered', attemptsMade: 1, deliveredAt: at, countedAs: 'delivered' },
            $unset: { nextAttemptAt: 1 },
            $inc: { attemptCount: 1 },
            $push: { attempts: { at, trigger: 'automatic', durationMs: 1, status, error: null, response: '' } },
          },
        },
      }));
      await db.collection('webhook_deliveries').bulkWrite(operations as never, { session });
      const stats = { $inc: { 'stats.totalDelivered': made.length }, $max: { 'stats.lastDeliveredAt': at } };
      await db.collection('webhooks').updateOne({ _id: webhookId }, stats, { session });
    }),
  );
}

async function deliver(deliveries: readonly Delivery[]): Promise<void> {
  for (let from = 0; from < deliveries.length; from += WIDTH) {
    const some = deliveries.slice(from, from + WIDTH);
    const made = await Promise.all(some.map(async (delivery) => ({ delivery, status: await post(delivery) })));
    if (writes) await record(made);
    done += made.length;
  }
}

await client.connect();
started = performance.now();
const entries = await db.collection<Entry>('event_outbox').find({ workspaceId }).sort({ _id: 1 }).toArray();
for (const entry of entries) await deliver(await taken(entry));
ended = performance.now();
