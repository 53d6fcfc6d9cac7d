/** @jest-environment node */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { envExample, VERSION } from '@platform/config';
import { getProcessorName, QUEUE_NAMES, queueTable } from '@platform/queues';
import { ApiModule } from '../apps/api/src/api.module';
import { controllers } from '../apps/api/src/controllers';
import { CliModule } from '../apps/cli/src/cli.module';
import { ACCESS_RULE } from '../apps/api/src/http/access.decorator';
import { getQueueName } from '../apps/worker/src/jobs';
import { periodicTasks } from '@domain/assembly';
import { selectProcessors } from '../apps/worker/src/processors';
import { WorkerModule } from '../apps/worker/src/worker.module';
import { measure } from '../tools/structure/structure.mts';

const ROOT = join(__dirname, '..');

/** Every source file under the folders: path from the root, and text. */
function sources(...folders: string[]): { path: string; text: string }[] {
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.m?ts$/.test(name))
      .map((name) => ({ path: join(folder, name), text: readFileSync(join(ROOT, folder, name), 'utf8') })),
  );
}

const code = sources('apps', 'libs');
const production = code.filter(({ path }) => !/\.spec\.ts$|\/testing\//.test(path));

/** Paths of the files in which the pattern occurs. */
function where(pattern: RegExp, files = production): string[] {
  return files.filter(({ text }) => pattern.test(text)).map(({ path }) => path);
}

/** Whether the file can access a queue: code that adds a job must first get the queue object. */
function touchesQueues(text: string): boolean {
  return (
    /import[^;]*\bQueuesService\b[^;]*from/.test(text) || // also with an alias, as a type, or over several lines
    /export[^;]*\bQueuesService\b[^;]*from/.test(text) ||
    /\bclass QueuesService\b/.test(text) ||
    /\* as \w+ from '(@platform\/queues|bullmq)'/.test(text) ||
    /(import|require)\(\s*['"](@platform\/queues|bullmq)/.test(text) ||
    /from '(bullmq|(\.{1,2}\/)+queues(\/.*)?)'/.test(text)
  );
}

/**
 * Whether the file adds jobs, whatever the queue is called and wherever the line breaks. A job has a name and data:
 * `set.add(one)` adds none.
 */
function addsJobs(text: string): boolean {
  const calls = /(\?\.|\.|\[['"])(add|addBulk|upsertJobScheduler)(['"]\])?(<[^()]*>)?\((?![\w.#]+\))/;
  return calls.test(text.replaceAll(/\s+/g, ''));
}

/** Whether the file calls `fetch`, or imports more than types and status names from modules that open sockets. */
function opensSockets(text: string): boolean {
  const modules = String.raw`['"](?:undici|(?:node:)?(?:net|tls|dgram|http|https|http2))['"]`;
  const imported = [...text.matchAll(new RegExp(String.raw`^import ([^;]*?) from ${modules}`, 'gms'))];
  const values = imported.filter(([, what = '']) => !what.startsWith('type ') && !onlyTypes(what));
  const late = new RegExp(String.raw`(?:import|require)\(\s*${modules}`).test(text);
  return values.length > 0 || late || /(?<![\w.])fetch\(/.test(text);
}

const isHarmless = (name: string): boolean => name === '' || name === 'STATUS_CODES' || name.startsWith('type ');

function onlyTypes(specifiers: string): boolean {
  const [, named] = /^\{([^}]*)\}$/s.exec(specifiers.trim()) ?? [];
  if (named === undefined) return false;
  return named.split(',').every((name) => isHarmless(name.trim()));
}

describe('names and structure', () => {
  it('follow the rules of docs/glossary.md', () => {
    expect(measure(ROOT).breaches).toEqual([]);
  });
});

describe('the code base', () => {
  it('reads the environment only in the config library', () => {
    const elsewhere = where(/process\.env/).filter((path) => !path.startsWith('libs/platform/config/'));
    expect(elsewhere).toEqual([]);
  });

  it('uses queues only in *.queue.ts files, except code that runs and measures jobs', () => {
    const elsewhere = production.filter(({ path, text }) => !path.endsWith('.queue.ts') && touchesQueues(text));
    expect(elsewhere.map(({ path }) => path).toSorted()).toEqual([
      'apps/worker/src/jobs/job-decorator.service.ts', // the steps of every job
      'apps/worker/src/jobs/job-failure.service.ts', // decides whether BullMQ tries again
      'apps/worker/src/jobs/job-worker.service.ts', // starts the workers, and deletes renamed queues
      'apps/worker/src/jobs/job.processor.ts', // the type of a job
      'apps/worker/src/jobs/queue-metrics.listener.ts', // reads queue depths
      'apps/worker/src/queue-view/queue-view.service.ts', // displays queues without changes
      'libs/platform/queues/index.ts',
      'libs/platform/queues/queue-worker.ts', // the connection of the workers
      'libs/platform/queues/queues.module.ts',
      'libs/platform/queues/queues.service.ts', // creates the queue objects
      'libs/platform/queues/redis.client.ts', // a type of BullMQ
    ]);
    expect(elsewhere.filter(({ text }) => addsJobs(text)).map(({ path }) => path)).toEqual([]);
  });

  it.each([
    ['on one line', "import { QueuesService } from '@platform/queues';", 'this.queues.get(name).add(name, {});'],
    [
      'as the formatter breaks the line',
      "import {\n  Log,\n  QueuesService,\n} from '@platform/queues';",
      'this.queues\n  .get(name)\n  .add(name, {});',
    ],
    [
      'through an alias',
      "import { QueuesService as Pipes } from '@platform/queues';",
      'const q = pipes.get(name);\nq\n  .addBulk([]);',
    ],
    ['as a type', "import { type QueuesService } from '@platform/queues';", 'queue?.upsertJobScheduler(id, {});'],
    ['through a namespace import', "import * as platform from '@platform/queues';", "queue['add'](name, {});"],
    [
      'through a dynamic import',
      "const { QueuesService } = await import('@platform/queues');",
      'queue.add<Job>(name, {});',
    ],
    ['without the library', "import { Queue } from 'bullmq';", 'new FlowProducer().add({});'],
  ])('detects a job that is added %s', (_name, imports, call) => {
    expect({ touches: touchesQueues(imports), adds: addsJobs(call) }).toEqual({ touches: true, adds: true });
    expect({ touches: touchesQueues(call), adds: addsJobs(imports) }).toEqual({ touches: false, adds: false });
  });

  it.each(['this.#running.add(promise);', 'Queues that a worker consumes', 'Object.assign(all, { add });'])(
    'ignores %s',
    (text) => {
      expect({ touches: touchesQueues(text), adds: addsJobs(text) }).toEqual({ touches: false, adds: false });
    },
  );

  it('opens connections to users’ addresses only in adapters and outbound', () => {
    const opening = production.filter(({ text }) => opensSockets(text)).map(({ path }) => path);
    const elsewhere = opening.filter((path) => !/^libs\/(adapters|platform\/outbound)\//.test(path));
    // It listens, for the operator; it opens no connection.
    expect(elsewhere).toEqual(['libs/platform/observability/ops-server.service.ts']);
  });

  it.each([
    "import { request } from 'node:http';",
    "import https from 'https';",
    "import * as http from 'http';",
    "import {\n  connect,\n  type Socket,\n} from 'node:net';",
    "import { type Server, createServer } from 'node:http';",
    "import tls = require('node:tls');",
    "const { connect } = await import('node:http2');",
    "const dgram = require('dgram');",
    "import { Agent } from 'undici';",
    "await fetch('https://example.com');",
  ])('detects a socket in %s', (text) => {
    expect(opensSockets(text)).toBe(true);
  });

  it.each([
    "import { type Server } from 'node:http';",
    "import type { Socket } from 'node:net';",
    "import {\n  type AddressInfo,\n  type Server,\n} from 'node:net';",
    "import { once } from 'node:events';\nimport { type Server } from 'node:http';",
    "import { STATUS_CODES } from 'node:http';",
    'this.prefetch(record);',
  ])('ignores %s', (text) => {
    expect(opensSockets(text)).toBe(false);
  });

  it('has no forwardRef, no star export and no default export', () => {
    expect(where(/forwardRef|^export \*|^export default/m, code)).toEqual([]);
  });

  it('has each schema name in the OpenAPI document once, since two schemas of one name would overwrite each other', () => {
    const names = production
      .filter(({ text }) => text.includes('@ApiProperty(') || text.includes("from '@platform/validation'"))
      .flatMap(({ text }) =>
        [...text.matchAll(/^(?:export )?(?:abstract )?class (\w+)/gm)].map(([, name = '']) => name),
      );
    expect(names.filter((name, at) => names.indexOf(name) < at)).toEqual([]);
  });

  it('keeps decisions out of controllers', () => {
    const deciding = production.filter(
      ({ path, text }) => path.endsWith('.controller.ts') && /\bif \(|\bfor \(/.test(text),
    );
    expect(deciding.map(({ path }) => path)).toEqual([]);
  });

  it('declares a record’s tenant if and only if it has a workspaceId field', () => {
    const contradicting = production
      .filter(({ text }) => /^@Collection\(/m.test(text))
      .filter(({ text }) => {
        const hasWorkspace = /^ {2}workspaceId!: Types\.ObjectId;$| extends (WorkPartition|Job)Fields \{$/m.test(text);
        return /tenant: true/.test(text) !== hasWorkspace;
      });
    expect(contradicting.map(({ path }) => path)).toEqual([]);
  });

  it('has the same version in package.json and in the health response', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    expect(VERSION).toBe(version);
  });

  it('has every environment variable in .env.example', () => {
    expect(readFileSync(join(ROOT, '.env.example'), 'utf8')).toBe(envExample());
  });

  it('keeps each document under 150 lines', () => {
    // Generated pages are as long as their lists.
    const documents = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.md') && !name.startsWith('reference/'),
    );
    const long = documents.filter((name) => readFileSync(join(ROOT, 'docs', name), 'utf8').split('\n').length > 151);
    expect(long).toEqual([]);
  });
});

describe('the HTTP surface', () => {
  const files = production.filter(({ path }) => path.startsWith('apps/api/src/') && path.endsWith('.controller.ts'));

  it('lists every controller file in controllers.ts', () => {
    const declared = files.flatMap(({ text }) => [...text.matchAll(/^export class (\w+)/gm)].map(([, name]) => name));
    expect(new Set(controllers.map(({ name }) => name))).toEqual(new Set(declared));
  });

  const routes = controllers.flatMap((controller) =>
    Object.getOwnPropertyNames(controller.prototype)
      .map((name) => ({ name, handler: (controller.prototype as Record<string, unknown>)[name] as object }))
      .filter(({ handler }) => typeof handler === 'function' && Reflect.hasMetadata(METHOD_METADATA, handler))
      .map(({ name, handler }) => ({
        controller,
        name,
        handler,
        label: `${RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as number]} ${controller.name}.${name}`,
        path: `${String(Reflect.getMetadata(PATH_METADATA, controller))}/${String(Reflect.getMetadata(PATH_METADATA, handler))}`,
      })),
  );

  it.each(routes)('$label declares its access', ({ controller, handler }) => {
    const rule: unknown = Reflect.getMetadata(ACCESS_RULE, handler) ?? Reflect.getMetadata(ACCESS_RULE, controller);
    expect(rule).toBeDefined();
  });

  it.each(routes.filter(({ controller }) => controller.name !== 'HealthController'))(
    '$label declares what it returns',
    ({ handler }) => {
      const responses = (Reflect.getMetadata('swagger/apiResponse', handler) ?? {}) as Record<string, unknown>;
      expect(Object.keys(responses).some((status) => status.startsWith('2'))).toBe(true);
    },
  );

  it.each(routes)('$label validates bodies and queries by class', ({ controller, name }) => {
    const args = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) ?? {}) as Record<
      string,
      { index: number; data: unknown }
    >;
    const types = (Reflect.getMetadata('design:paramtypes', controller.prototype as object, name) ?? []) as {
      name: string;
    }[];
    const BODY = '3';
    const QUERY = '4';
    const validated = Object.entries(args).filter(([key]) => [BODY, QUERY].includes(key.split(':')[0] ?? ''));
    for (const [, { index, data }] of validated) {
      expect(data).toBeUndefined(); // the whole body or query, so that unknown fields are rejected
      expect(['Object', 'String', 'Array', undefined]).not.toContain(types[index]?.name);
    }
  });
});

describe('the job surface', () => {
  it('lists every processor file in processors.ts', () => {
    const files = production.filter(
      ({ path }) => path.startsWith('apps/worker/src/') && path.endsWith('.processor.ts'),
    );
    const declared = files.flatMap(({ text }) => [...text.matchAll(/^export class (\w+)/gm)].map(([, name]) => name));
    expect(new Set(selectProcessors([]).map(({ name }) => name))).toEqual(new Set(declared));
  });

  it('has exactly one processor for each queue', () => {
    expect(selectProcessors([]).map(getQueueName).toSorted()).toEqual([...QUEUE_NAMES].toSorted());
  });

  it('names each processor after its queue, as `cli wiring` prints it', () => {
    expect(selectProcessors([]).map(({ name }) => name)).toEqual(QUEUE_NAMES.map(getProcessorName));
  });

  it('refuses an unknown queue and selects the queues that are named', () => {
    expect(() => selectProcessors(['no-such-queue'])).toThrow('WORKER_QUEUES names no-such-queue');
    expect(selectProcessors(['mail-intake', 'mailbox-turn']).map(getQueueName)).toEqual([
      'mail-intake',
      'mailbox-send',
    ]);
  });

  it.each(QUEUE_NAMES)('%s has every option set', (name) => {
    const { keepCompleted, ...knobs } = queueTable[name];
    for (const value of Object.values(knobs)) expect(value).toBeGreaterThan(0);
    // A finished job that is kept blocks the next one with its id: a queue with recurring ids keeps none.
    expect(keepCompleted).toBeGreaterThanOrEqual(0);
    expect(name).toMatch(/^[a-z-]+$/); // BullMQ refuses colons
  });

  it('names each periodic task once, with a timeout within that of the queue', () => {
    expect(new Set(periodicTasks.map(({ name }) => name)).size).toBe(periodicTasks.length);
    for (const { timeoutMs } of periodicTasks) expect(timeoutMs).toBeLessThanOrEqual(queueTable.periodic.timeoutMs);
    expect(queueTable.periodic.concurrency).toBeGreaterThanOrEqual(periodicTasks.length);
  });
});

describe('the processes', () => {
  const typeOf = (module: unknown) => ((module as { module?: unknown }).module ?? module) as { name: string };

  /** A module and all its imports, recursively. */
  function known(module: unknown, seen = new Set<unknown>()): Set<unknown> {
    if (seen.has(module)) return seen;
    seen.add(module);
    const imports = [
      ...((Reflect.getMetadata('imports', typeOf(module)) ?? []) as unknown[]),
      ...((module as { imports?: unknown[] }).imports ?? []),
    ];
    for (const imported of imports) known(imported, seen);
    return seen;
  }
  const namesIn = (module: unknown) => new Set([...known(module)].map((one) => typeOf(one).name));
  const [knownToWorker, knownToApi, knownToCli] = [WorkerModule, ApiModule, CliModule].map(namesIn);
  const domains = production
    .filter(({ path }) => /^libs\/domain\/[^/]+\/[^/]+\.module\.ts$/.test(path))
    .flatMap(({ text }) => [...text.matchAll(/^export class (\w+)/gm)].map(([, name]) => name!));

  it.each(domains)('the worker imports %s, so that the erasure of a workspace includes its records', (domain) => {
    expect(knownToWorker).toContain(domain);
  });

  it.each(domains)('the API and the operator’s commands import %s', (domain) => {
    expect(knownToApi).toContain(domain);
    expect(knownToCli).toContain(domain);
  });
});

/** Whether the file waits for time to pass; a yield to other tasks (`setImmediate`) takes none. */
function sleeps(text: string): boolean {
  const yields = /^import \{ setImmediate(?: as \w+)? \} from 'node:timers\/promises';$/gm;
  return /(?<!jest\.)setTimeout\(|\bsleep\(|timers\/promises/.test(text.replaceAll(yields, ''));
}

describe('the tests', () => {
  it.each([
    ["import { setImmediate as yieldToOthers } from 'node:timers/promises';", false],
    ["import { setTimeout as pause } from 'node:timers/promises';", true],
    ["import { setImmediate, setTimeout } from 'node:timers/promises';", true],
    ['setTimeout(done, 10);', true],
    ['jest.setTimeout(60_000);', false],
  ])('are checked for sleeps in %s: %s', (text, seen) => {
    expect(sleeps(text)).toBe(seen);
  });

  it('never sleep', () => {
    const sleeping = sources('apps', 'libs', 'test')
      .filter(({ path }) => path.endsWith('.spec.ts') && relative('test', path) !== 'architecture.spec.ts')
      .filter(({ text }) => sleeps(text));
    expect(sleeping.map(({ path }) => path)).toEqual([]);
  });
});
