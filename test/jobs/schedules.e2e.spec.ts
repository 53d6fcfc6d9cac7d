import { getConnectionToken } from '@nestjs/mongoose';
import { QueuesService, RedisClient, ScheduleQueue, type ScheduleRow } from '@platform/queues';
import { type Connection } from 'mongoose';
import { type Platform, startPlatform } from '../harness';

const MINUTE = 60_000;
const AWAY = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:6379'), { code: 'ECONNREFUSED' });
const rows: readonly ScheduleRow[] = [
  { name: 'each-minute', interval: { everyMs: MINUTE }, attempts: 1 },
  { name: 'nightly', interval: { cron: '0 2 * * *', zone: 'Europe/Berlin' }, attempts: 3 },
];

describe('schedules', () => {
  let platform: Platform;
  let schedules: ScheduleQueue;

  beforeAll(async () => {
    platform = await startPlatform();
    schedules = platform.app.get(ScheduleQueue);
  });
  afterAll(() => platform.close());
  beforeEach(async () => {
    await platform.app.get<Connection>(getConnectionToken()).collection('schedules').deleteMany({});
    await platform.app.get(QueuesService).obliterate();
    platform.clock.freeze(new Date('2026-05-01T12:00:30Z'));
    await schedules.tick(rows);
  });

  const waiting = () => platform.app.get(QueuesService).get('periodic').getWaitingCount();

  it('run nothing when they are first seen, and then each at its time', async () => {
    expect(await waiting()).toBe(0);
    expect(await schedules.tick(rows)).toEqual([]);
    platform.clock.advance(MINUTE);
    expect(await schedules.tick(rows)).toEqual(['each-minute']);
    expect(await schedules.tick(rows)).toEqual([]);
    expect(await waiting()).toBe(1);
    platform.clock.freeze(new Date('2026-05-02T00:00:00Z'));
    expect(await schedules.tick(rows)).toEqual(['each-minute', 'nightly']);
  });

  it('make up for missed runs once', async () => {
    platform.clock.advance(60 * MINUTE);
    expect(await schedules.tick(rows)).toEqual(['each-minute']);
    expect(await waiting()).toBe(1);
  });

  it('add one job, however many workers run the ticker in parallel', async () => {
    platform.clock.advance(MINUTE);
    const ran = await Promise.all(Array.from({ length: 8 }, () => schedules.tick(rows)));
    expect(ran.flat()).toEqual(['each-minute']);
    expect(await waiting()).toBe(1);
  });

  it('continue after Redis was emptied', async () => {
    const { client } = platform.app.get(RedisClient);
    const keys = await client.keys(`*${platform.config.queuePrefix}*`);
    if (keys.length > 0) await client.del(...keys);
    platform.clock.advance(MINUTE);
    expect(await schedules.tick(rows)).toEqual(['each-minute']);
    expect(await waiting()).toBe(1);
  });

  it('follow a shortened interval at once', async () => {
    const yearly: ScheduleRow = {
      name: 'changed',
      interval: { cron: '0 0 1 1 *', zone: 'UTC' },
      attempts: 1,
    };
    await schedules.tick([yearly]);
    const faster: ScheduleRow = { ...yearly, interval: { everyMs: MINUTE } };
    await schedules.tick([faster]);
    platform.clock.advance(MINUTE);
    expect(await schedules.tick([faster])).toEqual(['changed']);
  });

  it('run although another one fails', async () => {
    platform.clock.freeze(new Date('2026-05-02T00:00:00Z'));
    const broken = jest.spyOn(platform.app.get(QueuesService).get('periodic'), 'add').mockRejectedValueOnce(AWAY);
    await expect(schedules.tick(rows)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    broken.mockRestore();
    const [job] = await platform.app.get(QueuesService).get('periodic').getWaiting();
    expect(job).toMatchObject({ name: 'nightly', data: { task: 'nightly' }, opts: { attempts: 3 } });
  });

  it('lose no run while Redis is unavailable', async () => {
    platform.clock.advance(MINUTE);
    const away = jest.spyOn(platform.app.get(QueuesService).get('periodic'), 'add').mockRejectedValue(AWAY);
    await expect(schedules.tick(rows)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    away.mockRestore();
    expect(await schedules.tick(rows)).toEqual(['each-minute']);
    expect(await waiting()).toBe(1);
  });
});
