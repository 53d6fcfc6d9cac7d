import { type IncomingMessage, type ServerResponse } from 'node:http';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Config, VERSION } from '@platform/config';
import { LogService, type OpsHandler, OpsServerService, redact } from '@platform/observability';
import { DeadJobQueue, QUEUE_NAMES, QueuesService, RedisClient } from '@platform/queues';
import { hasToken } from './operator-token';

const PATH_PREFIX = 'queues';
const BASE = `/${PATH_PREFIX}/`;
const DEAD_JOBS = `${BASE}dead-jobs`;
const DEAD_JOBS_SHOWN = 200;

/** The page contains its own scripts and styles; external resources (fonts) are blocked. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'self'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/**
 * Shows all queues to the operator: Bull Board under `/queues/` on the worker's port, protected by a token, with the
 * dead jobs. It is read-only: MongoDB decides what is due, so the next sweep restores a deleted job, and a job started
 * by hand finds nothing to do.
 */
@Injectable()
export class QueueViewService implements OnModuleInit {
  constructor(
    private readonly config: Config,
    private readonly queues: QueuesService,
    private readonly redis: RedisClient,
    private readonly deadJobs: DeadJobQueue,
    private readonly ops: OpsServerService,
    private readonly log: LogService,
  ) {}

  async onModuleInit(): Promise<void> {
    if (this.config.queueViewToken === '') return;
    const board = await this.#createBoard();
    this.ops.mount(PATH_PREFIX, (request, response) => this.#answer(request, response, board));
  }

  async #answer(request: IncomingMessage, response: ServerResponse, board: OpsHandler): Promise<void> {
    const [path = ''] = (request.url ?? '').split('?', 1);
    const isAsset = path.startsWith(`${BASE}static/`);
    response.setHeaders(new Map(Object.entries(HEADERS)));
    response.setHeader('cache-control', isAsset ? 'private, no-cache' : 'no-store');
    if (!this.#isAdmitted(request)) {
      response.setHeader('www-authenticate', 'Basic realm="Queues", charset="UTF-8"');
      return sendText(response, 401, 'Enter the token as the password, with any user name\n');
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD');
      return sendText(response, 405, 'This page is read-only\n');
    }
    if (path === `/${PATH_PREFIX}`) {
      response.setHeader('location', BASE);
      return sendText(response, 308, '');
    }
    if (path === DEAD_JOBS) return this.#showDeadJobs(response);
    request.url = (request.url ?? '').slice(BASE.length - 1);
    await board(request, response);
  }

  #isAdmitted({ headers, socket }: IncomingMessage): boolean {
    if (hasToken(headers.authorization, this.config.queueViewToken)) return true;
    if (headers.authorization !== undefined) {
      this.log.warn('The queue view was requested with a wrong token', { address: socket.remoteAddress });
    }
    return false;
  }

  async #showDeadJobs(response: ServerResponse): Promise<void> {
    const jobs = await this.deadJobs.newest(DEAD_JOBS_SHOWN);
    response.setHeader('content-type', 'application/json; charset=utf-8');
    response.end(redact(JSON.stringify(jobs, null, 2)));
  }

  async #createBoard(): Promise<OpsHandler> {
    // Some 20 MB, which a worker without the view does not load.
    const { createBullBoard } = await import('@bull-board/api');
    const { BullMQAdapter } = await import('@bull-board/api/bullMQAdapter');
    const { ExpressAdapter } = await import('@bull-board/express');
    const serverAdapter = new ExpressAdapter().setBasePath(BASE);
    const { replaceQueues } = createBullBoard({
      queues: [],
      serverAdapter,
      options: {
        uiConfig: {
          boardTitle: `Outreach ${VERSION}`,
          miscLinks: [{ text: 'Dead jobs', url: DEAD_JOBS }],
          hideRedisDetails: true,
          hideDocsLink: true,
        },
        handlerHooks: {
          before: async () => {
            await this.redis.ping();
            replaceQueues(QUEUE_NAMES.map((name) => new BullMQAdapter(this.queues.get(name), { readOnlyMode: true })));
          },
          // The message of a failed attempt may repeat a server's reply.
          after: async (_context, { status, body }) => ({ status, body: masked(body) }),
        },
      },
    });
    const app = serverAdapter.getRouter() as OpsHandler & { disable(setting: string): void };
    app.disable('x-powered-by');
    return app;
  }
}

function masked<T>(body: T): T {
  return JSON.parse(redact(JSON.stringify(body))) as T;
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text);
}
