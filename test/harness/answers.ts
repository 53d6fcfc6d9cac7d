import { readFileSync } from 'node:fs';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { createOpenApiDocument } from '../../apps/api/src/http';
import { AnswerCheck, type ApiDocument, type Exchange } from './answer-check';

/** By docs/reference/openapi.json, which is cheaper to read than to make. */
let usual: AnswerCheck | undefined;

function usualCheck(): AnswerCheck {
  const file = join(__dirname, '../../docs/reference/openapi.json');
  return (usual ??= new AnswerCheck(JSON.parse(readFileSync(file, 'utf8')) as ApiDocument));
}

/** All that an API answers, held to its OpenAPI document. */
export class HeardAnswers {
  /** By what is wrong with them: what happens again is not kept again. */
  readonly #suspects = new Map<string, Exchange>();

  /** Listens to the server from now on, whoever asks it. */
  constructor(private readonly app: NestExpressApplication) {
    app.getHttpServer().prependListener('request', (request, response) => this.#hear(request, response));
  }

  /** @throws Error naming each answer that was not as documented, once */
  expectAsDocumented(): void {
    if (this.#suspects.size === 0) return;
    // The file may be behind the code, which test/golden.spec.ts tells: what counts is what the code says.
    const check = new AnswerCheck(createOpenApiDocument(this.app, 'http://localhost') as unknown as ApiDocument);
    const violations = [...this.#suspects.values()].flatMap((exchange) => check.violations(exchange));
    if (violations.length === 0) return;
    throw new Error(['Answers were given that the OpenAPI document does not say:', ...new Set(violations)].join('\n'));
  }

  #hear(request: IncomingMessage, response: ServerResponse): void {
    const parts: Buffer[] = [];
    const keep = (part: unknown): void => {
      if (!contentType(response).startsWith('application/json')) return; // files are not held
      if (typeof part === 'string' || part instanceof Uint8Array) parts.push(Buffer.from(part as string));
    };
    const write = response.write.bind(response) as (...given: unknown[]) => boolean;
    const end = response.end.bind(response) as (...given: unknown[]) => ServerResponse;
    response.write = ((...given: unknown[]) => (keep(given[0]), write(...given))) as typeof response.write;
    response.end = ((...given: unknown[]) => {
      keep(given[0]);
      const heard = exchange(request, response, parts);
      for (const violation of usualCheck().violations(heard)) this.#suspects.set(violation, heard);
      return end(...given);
    }) as typeof response.end;
  }
}

function exchange(request: IncomingMessage, response: ServerResponse, parts: readonly Buffer[]): Exchange {
  // What Express leaves on the request once a route has taken it, and the body guard behind it.
  const { route, body, url = '' } = request as IncomingMessage & { route?: { path: string }; body?: unknown };
  return {
    method: request.method ?? '',
    route: route ? route.path.replaceAll(/:(\w+)/g, '{$1}') : null,
    path: url.split('?')[0] ?? '',
    status: response.statusCode,
    contentType: contentType(response),
    answer: Buffer.concat(parts).toString(),
    sent: body,
  };
}

function contentType(response: ServerResponse): string {
  return String(response.getHeader('content-type') ?? '');
}
