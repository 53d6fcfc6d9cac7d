import { type INestApplicationContext } from '@nestjs/common';
import { DnsPort } from '@adapters/dns';
import { MailboxWatcherService } from '@domain/mailboxes';
import { getConnectionToken } from '@nestjs/mongoose';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { Test, type TestingModuleBuilder } from '@nestjs/testing';
import { ClockPort } from '@platform/clock';
import { Config } from '@platform/config';
import { LogService, rootLogger } from '@platform/observability';
import { QueuesService, RedisClient, type ScheduleRow } from '@platform/queues';
import {
  ApiClient,
  drainQueues,
  emptyDatabase,
  eventually,
  FakeClock,
  returnDatabase,
  reuseConfig,
  MissingCollections,
  testConfigLike,
} from '@testing';
import { CollectionIndexService } from '@platform/database';
import { type Connection } from 'mongoose';
import { ZoneDnsDriver } from '../../libs/adapters/dns/testing';
import { ApiModule } from '../../apps/api/src/api.module';
import { setUpApi } from '../../apps/api/src/api-setup';
import { TickerService } from '../../apps/worker/src/jobs';
import { periodicTasks, sweeps } from '@domain/assembly';
import { WorkerModule } from '../../apps/worker/src/worker.module';
import { startWorker } from '../../apps/worker/src/start-worker';
import { HeardAnswers } from './answers';
import { Seed } from './seed';
import { expectDocumentedEventData } from './recorded-events';

export interface PlatformOptions {
  /** Settings that differ from the defaults of the tests, by environment variable. */
  env?: Record<string, string>;
  /** Also runs a worker; its ticker is run by hand (`tick`). */
  worker?: boolean;
}

/** The platform as in production, with its own database and queue prefix. */
export interface Platform {
  api: ApiClient;
  app: NestExpressApplication;
  worker: INestApplicationContext | undefined;
  clock: FakeClock;
  config: Config;
  log: LogService;
  seed: Seed;
  /** Log output of API and worker. */
  logged(): string;
  /** Waits until every job that is due has run. */
  drain(): Promise<void>;
  /**
   * One run of the worker's ticker: due schedules, then the sweeps. With a schedule name only that one, if it is due.
   */
  tick(schedule?: string): Promise<void>;
  /** The worker starts to watch the mailboxes that are connected now, and stops watching others. */
  listen(): Promise<void>;
  /** Ends all work, deletes all data and resets the clock, for the next file. @throws Error like `close` */
  renew(): Promise<void>;
  /** @throws Error when responses, recorded events or webhook messages violate their schemas */
  close(): Promise<void>;
}

export async function startPlatform(options: PlatformOptions = {}): Promise<Platform> {
  const config = reuseConfig({ LOG_LEVEL: 'debug', ...options.env }, 'platform');
  const clock = new FakeClock();
  let text = '';
  const log = new LogService(rootLogger({ level: config.logLevel, app: 'test', write: (line) => (text += line) }));
  const app = await startApi(config, clock, log);
  const answers = new HeardAnswers(app);
  const worker = options.worker ? await orClosed(app, startTestWorker({ config, clock, log })) : undefined;
  const expectAsDocumented = async () => {
    answers.expectAsDocumented();
    await expectDocumentedEventData(app);
  };
  return {
    api: new ApiClient(app.getHttpServer()),
    app,
    worker,
    clock,
    config,
    log,
    seed: new Seed(app),
    logged: () => text,
    drain: () => drainQueues(app.get(QueuesService)),
    tick: async (schedule) => {
      if (!worker) throw new Error('This platform runs without a worker');
      const ticker = worker.get(TickerService);
      if (schedule !== undefined) return ticker.runSchedules([getSchedule(schedule)]);
      await ticker.runSchedules(periodicTasks);
      await ticker.runSweeps(sweeps.map((sweep) => worker.get(sweep, { strict: false })));
    },
    listen: async () => {
      if (!worker) throw new Error('This platform runs without a worker');
      await worker.get(MailboxWatcherService, { strict: false }).divide();
    },
    renew: async () => {
      if (worker) await drainQueues(app.get(QueuesService));
      await expectAsDocumented();
      await app.get(QueuesService).obliterate();
      await emptyDatabase(config, app.get<Connection>(getConnectionToken()));
      clock.reset();
      text = '';
    },
    close: async () => {
      await worker?.close();
      try {
        await expectAsDocumented();
      } finally {
        // A test that cut Redis off has just restored it. A connection that was silenced counts as ready until its loss is noticed.
        await eventually('Redis answers', () => answersPing(app));
        await app.get(QueuesService).obliterate();
        await app.close();
        await returnDatabase(config);
      }
    },
  };
}

function answersPing(app: INestApplicationContext): Promise<boolean> {
  const ping = app.get(RedisClient).ping();
  return ping.then(
    () => true,
    () => false,
  );
}

function getSchedule(name: string): ScheduleRow {
  const row = periodicTasks.find((task) => task.name === name);
  if (!row) throw new Error(`There is no schedule ${name}`);
  return row;
}

async function startApi(config: Config, clock: ClockPort, log: LogService): Promise<NestExpressApplication> {
  const module = await withOwnDns(Test.createTestingModule({ imports: [ApiModule] }), config)
    .overrideProvider(Config)
    .useValue(config)
    .overrideProvider(ClockPort)
    .useValue(clock)
    .overrideProvider(LogService)
    .useValue(log)
    .overrideProvider(CollectionIndexService)
    .useClass(MissingCollections)
    .compile();
  const app = module.createNestApplication<NestExpressApplication>({ bodyParser: false });
  setUpApi(app);
  await orClosed(app, app.init());
  await app.listen(0, '127.0.0.1');
  return app;
}

/**
 * A worker beside a running platform, on its database and queues. With `consuming: false` it runs nothing on its own.
 * @param options settings that differ from the platform's
 */
export async function startTestWorker(
  { config, clock, log }: Pick<Platform, 'config' | 'clock' | 'log'>,
  options: { consuming: boolean; env?: Record<string, string> } = { consuming: true },
): Promise<INestApplicationContext> {
  const own = options.env ? testConfigLike(config, options.env) : config;
  const module = await withOwnDns(
    Test.createTestingModule({ imports: [WorkerModule.forQueues(own.workerQueues)] }),
    own,
  )
    .overrideProvider(Config)
    .useValue(own)
    .overrideProvider(ClockPort)
    .useValue(clock)
    .overrideProvider(LogService)
    .useValue(log)
    .overrideProvider(CollectionIndexService)
    .useClass(MissingCollections)
    .compile();
  const starting = async () => {
    await module.init();
    if (options.consuming) await startWorker(module, { ticking: false });
    return module;
  };
  return orClosed(module, starting());
}

/**
 * DNS without answers, unless the test provides servers: the answers and delays of this machine's resolvers must not
 * influence a test.
 */
function withOwnDns(builder: TestingModuleBuilder, { dnsServers }: Config): TestingModuleBuilder {
  if (dnsServers.length > 0) return builder;
  return builder.overrideProvider(DnsPort).useValue(new ZoneDnsDriver({ '*': 'servfail' }));
}

/** A failed start leaves nothing open: Jest would wait for its connections. */
async function orClosed<T>(app: INestApplicationContext, starting: Promise<T>): Promise<T> {
  try {
    return await starting;
  } catch (error) {
    await app.close();
    throw error;
  }
}
