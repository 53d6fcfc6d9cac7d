import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import { Webhook } from 'standardwebhooks';
import { Agent, request } from 'undici';
import { BareWrites } from './bare.mts';
import type { Serve } from './child.mts';
import { alternate, heading, ratio, requireEffects, sample, showGoals, until } from './measure.mts';
import type { Goal, Stage } from './measure.mts';

const { ObjectId } = mongoose.mongo;
const LIMIT_MS = 600_000;
/** Events of an outbox entry. */
const BATCH = 500;
const TRUST = { OUTBOUND_ALLOW_PRIVATE: 'true' };
const DATA = { email: 'person@example.com', subject: 'An offer that you might like', step: 1, messageId: '<1@x>' };

/** Measures the delivery of the events in the outbox to one local receiver. */
export async function webhooks({ fixture, short, rounds }: Stage): Promise<Goal[]> {
  const count = short ? 200 : 10_000;
  heading(`Webhooks: ${count} events to a local receiver, against undici and the same writes with the bare driver`);
  const sink = await fixture.child('webhooks', 'serveSink');
  const api = await fixture.app('api', TRUST);
  const { workspaceId, key } = await fixture.workspace('webhooks');
  const input = { name: 'Bench', url: `${sink.url}/platform`, events: ['email.sent'] };
  const { _id } = await api.call<{ _id: string }>(key, 'POST', '/v1/webhooks', input);
  const requireAll = async (path: string, expected: number) =>
    requireEffects('messages', await sink.read(path), { different: expected, all: expected });
  let happened = 0;
  const samples = await alternate(Math.min(rounds, 3), 'events', {
    'bare loop': async () => {
      const path = `/${randomUUID()}`;
      const child = await fixture.child('webhooks', 'serveBareLoop', {
        RECEIVER: sink.url + path,
        COUNT: String(count),
      });
      const result = await sample(count, child, () => child.read('/'));
      await child.stop();
      await requireAll(path, count);
      return result;
    },
    /** A worker that finds all events at its start: from its readiness until the last is recorded. */
    platform: async () => {
      const [now, about] = [new Date(), { mailboxId: null, campaignId: null, leadId: null }];
      const workspace = new ObjectId(workspaceId);
      // In the form of `EventsService`: each outbox entry is a batch of the relay.
      const events = Array.from({ length: count }, () => {
        const ids = { _id: new ObjectId(), workspaceId: workspace, dedupeKey: `bench:${(happened += 1)}`, ...about };
        return { ...ids, type: 'email.sent', at: now, data: DATA, createdAt: now };
      });
      await fixture.database.collection('events').insertMany(events);
      const outbox = fixture.database.collection<{ _id: string; eventIds: unknown[] }>('event_outbox');
      const entry = { workspaceId: workspace, recordedAt: now, attempts: 0 };
      for (let from = 0; from < count; from += BATCH) {
        const eventIds = events.slice(from, from + BATCH).map(({ _id: eventId }) => eventId);
        await outbox.insertOne({ _id: `00:${workspaceId}:${new ObjectId().toHexString()}`, ...entry, eventIds });
      }
      const worker = await fixture.app('worker', TRUST);
      const delivered = { _id: new ObjectId(_id), 'stats.totalDelivered': happened };
      const recorded = () => fixture.database.collection('webhooks').countDocuments(delivered);
      const result = await sample(count, worker, () => until('events recorded', 1, LIMIT_MS, recorded));
      await worker.stop();
      await requireAll('/platform', happened);
      return result;
    },
  });
  await Promise.all([sink.stop(), api.stop()]);
  const value = ratio(samples.platform, samples['bare loop']);
  return showGoals([{ what: 'events/s of the platform / bare loop', value, bound: { atLeast: 0.6 } }]);
}

/** The receiver; a GET returns the number of messages to its path. */
export async function serveSink(): Promise<Serve> {
  const came = new Map<string, string[]>();
  return async ({ pathname }, { method, headers }) => {
    const ids = came.get(pathname) ?? [];
    if (method === 'GET') return { different: new Set(ids).size, all: ids.length };
    ids.push(String(headers['webhook-id']));
    came.set(pathname, ids);
    return {};
  };
}

/** The denominator: signs and POSTs COUNT events, with as many durable writes as the platform. */
export async function serveBareLoop(): Promise<Serve> {
  const { COUNT, RECEIVER = '' } = process.env;
  const secret = `whsec_${Buffer.from('secret'.repeat(5)).toString('base64')}`;
  const [writes, signer, dispatcher] = [new BareWrites(), new Webhook(secret), new Agent({ pipelining: 1 })];
  const post = async (): Promise<void> => {
    const [id, at] = [randomUUID(), new Date()];
    const body = JSON.stringify({ id, type: 'email.sent', timestamp: at.toISOString(), workspaceId: id, data: DATA });
    const timestamp = String(Math.floor(at.getTime() / 1_000));
    const signed = { 'webhook-timestamp': timestamp, 'webhook-signature': signer.sign(id, at, body) };
    const headers = { 'content-type': 'application/json', 'webhook-id': id, ...signed };
    await (await request(RECEIVER, { dispatcher, method: 'POST', headers, body })).body.dump();
  };
  const write = (inserted: number, updated: number) =>
    writes.atomic(async (session) => {
      if (inserted > 0) await writes.insert(inserted, session);
      await writes.update(updated, { session, inOne: true });
      await writes.update(1, { session });
    });
  return async () => {
    // Batch size and concurrency of the platform.
    for (let left = Number(COUNT); left > 0; left -= BATCH) {
      const batch = Math.min(BATCH, left);
      await write(batch, batch);
      for (let posted = 0; posted < batch; posted += 16) {
        const some = Math.min(16, batch - posted);
        await Promise.all(Array.from({ length: some }, post));
        await write(0, some);
      }
    }
    return {};
  };
}
