import { readFileSync } from 'node:fs';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { createOpenApiDocument } from '../../apps/api/src/http';
import { AnswerCheck, type ApiDocument, type Exchange } from './answer-check';

/** From docs/reference/openapi.json, which is faster to read than to generate. */
let usual: AnswerCheck | undefined;

function usualCheck(): AnswerCheck {
  const file = join(__dirname, '../../docs/reference/openapi.json');
  return (usual ??= new AnswerCheck(JSON.parse(readFileSync(file, 'utf8')) as ApiDocument));
}

/** All responses of an API, checked against its OpenAPI document. */
export class HeardAnswers {
  /** Grouped by violation: a repeated one is stored once. */
  readonly #suspects = new Map<string, Exchange>();

  /** Records all responses of the server from now on. */
  constructor(private readonly app: NestExpressApplication) {
    app.getHttpServer().prependListener('request', (request, response) => this.#hear(request, response));
  }

  /** @throws Error naming each response that violates the document, once */
  expectAsDocumented(): void {
    if (this.#suspects.size === 0) return;
    // The file may be older than the code, which test/golden.spec.ts reports: the code counts.
    const check = new AnswerCheck(createOpenApiDocument(this.app, 'http://localhost') as unknown as ApiDocument);
    const violations = [...this.#suspects.values()].flatMap((exchange) => check.violations(exchange));
    if (violations.length === 0) return;
    throw new Error(['Responses violate the OpenAPI document:', ...new Set(violations)].join('\n'));
  }

  #hear(request: IncomingMessage, response: ServerResponse): void {
    const parts: Buffer[] = [];
    const keep = (part: unknown): void => {
      if (!contentType(response).startsWith('application/json')) return; // Files are not stored.
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
  // Express and the body guard leave these on the request.
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
