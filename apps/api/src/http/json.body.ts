import { HttpException } from '@nestjs/common';
import { invalidField } from '@platform/errors';
import { json, type RequestHandler } from 'express';

const LIMIT_BYTES = 1024 * 1024;

/** Reads JSON bodies up to 1 MB. What the parser says of a bad body may repeat parts of it, so its words are replaced. */
export function jsonBody(): RequestHandler {
  const parse = json({ limit: LIMIT_BYTES, strict: true });
  return (request, response, next) => {
    parse(request, response, (error?: unknown) => {
      if (error !== undefined) return next(refusal(error));
      const isArray = Array.isArray(request.body);
      next(isArray ? invalidField('body', 'The request body must be a JSON object') : undefined);
    });
  };
}

function refusal(error: unknown): unknown {
  const { status } = error as { status?: unknown };
  if (status === 413) return new HttpException('The request body is larger than 1 MB', 413);
  if (status === 415) return new HttpException('The character set or encoding of the body is not supported', 415);
  return invalidField('body', 'The request body is not valid JSON');
}
