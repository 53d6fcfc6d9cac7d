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
/** Timeouts of the workers: for working receivers, and for broken ones. */
const PATIENCE_MS = 30_000;
const IMPATIENCE_MS = 1_000;

/** Accepts the request and breaks the connection during its response. */
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

/** Worker processes, as in production, deliver to webhooks, some of them broken, and are killed meanwhile. */
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
    // A working receiver may be slow on a shared processor: a timeout would delay its delivery by five minutes.
    const timeoutMs = answer === accepts ? PATIENCE_MS : IMPATIENCE_MS;
    const webhook = { name: 'Receiver', url: receiver.url, events: ['mailbox.connected'], timeoutMs };
    const { body, status } = await platform.api.as(key).post('/v1/webhooks').send(webhook);
    expect(status).toBe(201);
    const { _id, secret } = (body as { data: { _id: string; secret: string } }).data;
    return { receiver, id: _id, secret };
  }

  const stored = (name: string) => platform.app.get<Connection>(getConnectionToken()).collection(name);

  const emptyRedis = () => platform.app.get(QueuesService).obliterate();

  /**
   * Kills one worker and lets its leases expire; in the short form kills all and expires their leases at once.
   * Empties Redis.
   */
  async function kill(): Promise<void> {
    if (LONG) {
      await fleet.killOne(chance);
      await emptyRedis();
      return;
    }
    await fleet.killAll();
    await emptyRedis();
    await stored('webhook_work_partitions').updateMany({}, { $set: { leaseUntil: new Date(0) } });
    await fleet.start();
    await platform.app.get(WebhookWorkPartitionService).sweep();
  }

  it(
    `delivers each of ${EVENTS} events to every working receiver, whichever worker is killed`,
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

  /** Signatures are valid, and repeated deliveries are equal to the byte. */
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

/** Of a running process; 0 for a stopped one. */
function residentMib(pid: number): number {
  try {
    const [, kib = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Math.round(Number(kib) / 1024);
  } catch {
    return 0;
  }
}
