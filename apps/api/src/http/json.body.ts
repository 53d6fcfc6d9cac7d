import { HttpException } from '@nestjs/common';
import { invalidField } from '@platform/errors';
import { json, type RequestHandler } from 'express';

/** Far deeper than any request of this API is. */
const MAX_DEPTH = 20;
const LIMIT_BYTES = 1024 * 1024;

/** Reads JSON bodies up to 1 MB. What the parser says of a bad body may repeat parts of it, so its words are replaced. */
export function jsonBody(): RequestHandler {
  const parse = json({ limit: LIMIT_BYTES, strict: true });
  return (request, response, next) => {
    parse(request, response, (error?: unknown) => {
      if (error !== undefined) return next(refusal(error));
      const problem = problemOf(request.body);
      next(problem === undefined ? undefined : invalidField('body', `The request body ${problem}`));
    });
  };
}

/** What class-transformer and class-validator cannot be trusted with: it is refused before they see it. */
function problemOf(body: unknown): string | undefined {
  if (Array.isArray(body)) return 'must be a JSON object';
  return scan(body, MAX_DEPTH);
}

function scan(value: unknown, depth: number): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === 0) return `is nested more than ${MAX_DEPTH} levels deep`;
  for (const [name, inner] of Object.entries(value)) {
    // They would pass as known fields, because every object has them.
    if (name in Object.prototype) return `may not have a field named ${name}`;
    const problem = scan(inner, depth - 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function refusal(error: unknown): unknown {
  const { status } = error as { status?: unknown };
  if (status === 413) return new HttpException('The request body is larger than 1 MB', 413);
  if (status === 415) return new HttpException('The character set or encoding of the body is not supported', 415);
  return invalidField('body', 'The request body is not valid JSON');
}
