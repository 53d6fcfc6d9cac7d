import { LONG } from '@testing';
import { readFileSync } from 'node:fs';
import { systemScope } from '@domain/access';
import { EventsService, type NewEvent } from '@domain/events';
import { WebhookWorkPartitionService } from '@domain/webhooks';
import { getConnectionToken } from '@nestjs/mongoose';
import { QueuesService } from '@platform/queues';
import { type Connection, Types } from 'mongoose';
import { type Answer, accepts, answers, hangs, TestReceiver } from '../../libs/domain/webhooks/testing';
import { type Platform, startPlatform } from '../harness';
import { isEventually } from '../harness/sending';
import { Fleet } from './cluster';
import { Chance, SEED, tell } from './seeded';

const EVENTS = LONG ? 20_000 : 600;
const HEALTHY = LONG ? 7 : 3;
const KILLS = LONG ? 3 : 2;
const WORKERS = 2;
const WITHIN_MS = LONG ? 1_500_000 : 120_000;
const AT_ONCE = 500;
/** How long the workers wait for an answer: of receivers that work, and of those that are broken. */
const PATIENCE_MS = 30_000;
const IMPATIENCE_MS = 1_000;

/** Takes the request and breaks the connection in the middle of its answer. */
const breaks: Answer = (response) => {
  response.writeHead(200, { 'content-length': '1000' }).write('so');
  response.destroy();
};

interface Subscribed {
  readonly receiver: TestReceiver;
  readonly id: string;
  readonly secret: string;
}

function happening(serial: number): NewEvent {
  const data = { email: `m${serial}@sender.test`, provider: 'custom', connectionType: 'smtp' } as const;
  return { type: 'mailbox.connected', dedupeKey: `fault:${serial}`, about: {}, data };
}

/**
 * Workers as in production, each a process of its own, deliver to webhooks of which some are broken, and are killed while
 * they do it.
 */
describe(`webhooks and workers that are killed (seed ${SEED})`, () => {
  const chance = new Chance(SEED);
  let platform: Platform;
  let fleet: Fleet;
  let key: string;
  let workspaceId: string;
  let receivers: TestReceiver[];

  beforeAll(async () => {
    platform = await startPlatform();
    ({ workspaceId, key } = await platform.seed.workspace());
    fleet = await Fleet.of(
      platform,
      Array.from({ length: WORKERS }, () => ({})),
    );
    receivers = await Promise.all(Array.from({ length: HEALTHY + 3 }, () => TestReceiver.start()));
  });
  afterAll(async () => {
    await fleet.killAll();
    await Promise.all(receivers.map((receiver) => receiver.close()));
    await platform.close();
  });

  async function subscribed(receiver: TestReceiver, answer: Answer): Promise<Subscribed> {
    receiver.answer = answer;
    // One that works may be slow where it has to share its processor with this test: it would be tried again in five minutes.
    const timeoutMs = answer === accepts ? PATIENCE_MS : IMPATIENCE_MS;
    const webhook = { name: 'Receiver', url: receiver.url, events: ['mailbox.connected'], timeoutMs };
    const { body, status } = await platform.api.as(key).post('/v1/webhooks').send(webhook);
    expect(status).toBe(201);
    const { _id, secret } = (body as { data: { _id: string; secret: string } }).data;
    return { receiver, id: _id, secret };
  }

  const stored = (name: string) => platform.app.get<Connection>(getConnectionToken()).collection(name);

  const forgotten = () => platform.app.get(QueuesService).obliterate();

  /** One worker, whose leases run out by themselves; in the short form all of them, and their leases do at once. Redis forgets all. */
  async function kill(): Promise<void> {
    if (LONG) {
      await fleet.killOne(chance);
      await forgotten();
      return;
    }
    await fleet.killAll();
    await forgotten();
    await stored('webhook_work_partitions').updateMany({}, { $set: { leaseUntil: new Date(0) } });
    await fleet.start();
    await platform.app.get(WebhookWorkPartitionService).sweep();
  }

  it(
    `of ${EVENTS} events each is delivered to every receiver that works, whoever is killed`,
    async () => {
      const broken = [hangs, answers(500), breaks];
      const all = await Promise.all(
        receivers.map((receiver, at) => subscribed(receiver, broken[at - HEALTHY] ?? accepts)),
      );
      const healthy = all.slice(0, HEALTHY);
      await fleet.start();
      const events = platform.app.get(EventsService);
      for (let from = 0; from < EVENTS; from += AT_ONCE) {
        const some = Array.from({ length: Math.min(AT_ONCE, EVENTS - from) }, (_, at) => happening(from + at));
        await events.recordAll(systemScope(workspaceId), some);
      }
      const arrived = () => Math.min(...healthy.map(({ receiver }) => new Set(receiver.ids).size));
      const memory: string[] = [];
      for (let killed = 0; killed < KILLS; killed += 1) {
        const due = (EVENTS / (KILLS + 1)) * (killed + 1);
        expect(await isEventually(() => Promise.resolve(arrived() >= due), WITHIN_MS)).toBe(true);
        memory.push(fleet.pids.map(residentMib).join('+'));
        await kill();
      }
      expect(await isEventually(() => Promise.resolve(arrived() >= EVENTS), WITHIN_MS)).toBe(true);
      memory.push(fleet.pids.map(residentMib).join('+'));

      const recorded = await stored('events').find({ type: 'mailbox.connected' }).project({ _id: 1 }).toArray();
      const ids = recorded.map(({ _id }) => String(_id)).toSorted();
      let twice = 0;
      for (const { receiver, secret } of healthy) {
        expect([...new Set(receiver.ids)].toSorted()).toEqual(ids);
        twice += receiver.received.length - ids.length;
        requireConstant(receiver, secret);
      }
      await requireFigures(healthy);
      tell(SEED, { events: EVENTS, healthy: HEALTHY, kills: fleet.kills, twice, 'MiB at each kill': memory.join(' ') });
    },
    4 * WITHIN_MS,
  );

  /** Signatures hold, and whatever came twice is the same to the byte. */
  function requireConstant(receiver: TestReceiver, secret: string): void {
    const bodies = new Map<string, string>();
    for (const received of receiver.received) {
      expect(bodies.get(received.id) ?? received.body).toBe(received.body);
      bodies.set(received.id, received.body);
      const { 'webhook-timestamp': timestamp, 'webhook-signature': signature } = received.headers;
      expect(receiver.signature(received, String(timestamp), secret)).toBe(signature);
      expect((JSON.parse(received.body) as { id: string }).id).toBe(received.id);
    }
  }

  /** Each event is one delivery, counted once. */
  async function requireFigures(healthy: readonly Subscribed[]): Promise<void> {
    const settled = async ({ id }: Subscribed) => {
      const webhook = await stored('webhooks').findOne({ _id: new Types.ObjectId(id) });
      return (webhook?.['stats'] as { totalDelivered: number } | undefined)?.totalDelivered === EVENTS;
    };
    for (const one of healthy) {
      expect(await isEventually(() => settled(one), WITHIN_MS)).toBe(true);
      const webhookId = new Types.ObjectId(one.id);
      expect(await stored('webhook_deliveries').countDocuments({ webhookId })).toBe(EVENTS);
      expect(await stored('webhook_deliveries').countDocuments({ webhookId, state: 'delivered' })).toBe(EVENTS);
    }
  }
});

/** Of a process that runs; 0 of one that does not. */
function residentMib(pid: number): number {
  try {
    const [, kib = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Math.round(Number(kib) / 1024);
  } catch {
    return 0;
  }
}
