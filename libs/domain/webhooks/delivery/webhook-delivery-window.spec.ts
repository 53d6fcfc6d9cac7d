import { Types } from 'mongoose';
import { MAX_CONCURRENCY } from './delivery-concurrency';
import { type DueDelivery, type OpenReceiver } from './webhook-delivery.repository';
import { WebhookDeliveryWindow, type DeliveryBatch } from './webhook-delivery-window';
import { type SentAttempt } from './webhook-sender.service';

const RECEIVER = {} as OpenReceiver;
const MADE = { verdict: { hung: false } } as SentAttempt;

const delivery = (): DueDelivery => ({
  _id: new Types.ObjectId(),
  eventId: new Types.ObjectId(),
  body: '',
  attemptCount: 0,
  trigger: 'automatic',
});

/** Settles all pending promises. */
const settled = () => new Promise((done) => setImmediate(done));

/** A receiver and a database whose answers the test controls. */
class Scripted implements DeliveryBatch {
  readonly waiting: DueDelivery[];
  readonly sent: DueDelivery[] = [];
  asking = 0;
  mostAsking = 0;
  readonly writing: (() => void)[] = [];

  constructor(count: number) {
    this.waiting = Array.from({ length: count }, delivery);
  }

  receiver = () => Promise.resolve(RECEIVER);
  due = (_receiver: OpenReceiver, limit: number) => Promise.resolve(this.waiting.slice(0, limit));
  isOver = () => false;

  async send(_receiver: OpenReceiver, one: DueDelivery): Promise<SentAttempt> {
    this.sent.push(one);
    this.asking += 1;
    this.mostAsking = Math.max(this.mostAsking, this.asking);
    await settled();
    this.asking -= 1;
    return MADE;
  }

  async record(one: DueDelivery): Promise<void> {
    await new Promise<void>((written) => this.writing.push(written));
    this.waiting.splice(this.waiting.indexOf(one), 1);
  }

  /** Waits until nothing can proceed, then completes the pending writes; returns their number. */
  async write(): Promise<number> {
    for (let round = 0; round < 200; round += 1) await settled();
    const written = this.writing.splice(0);
    for (const done of written) done();
    return written.length;
  }
}

it('sends further requests while results are being recorded, up to 64 unrecorded attempts', async () => {
  const work = new Scripted(200);
  const run = new WebhookDeliveryWindow(work).run();
  expect(await work.write()).toBe(64);
  expect(await work.write()).toBe(64);
  while (work.waiting.length > 0) await work.write();
  await run;
  expect(work.mostAsking).toBe(MAX_CONCURRENCY);
  expect(new Set(work.sent).size).toBe(200);
  expect(work.sent).toHaveLength(200);
});

it('rejects with the error of a failed write after all started requests have ended', async () => {
  const work = new Scripted(5);
  const failure = new Error('no database');
  const written: DueDelivery[] = [];
  work.record = async (one) => {
    if (written.push(one) === 2) throw failure;
  };
  await expect(new WebhookDeliveryWindow(work).run()).rejects.toBe(failure);
  expect(written).toHaveLength(work.sent.length);
});
