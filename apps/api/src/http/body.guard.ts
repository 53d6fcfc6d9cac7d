import {
  type CanActivate,
  type ExecutionContext,
  HttpException,
  Injectable,
  UnsupportedMediaTypeException,
} from '@nestjs/common';
import { invalidField } from '@platform/errors';
import { json, type Response } from 'express';
import { type HttpRequest } from './http-request';
import { inputProblem } from './input.shape';

const LIMIT_BYTES = 1024 * 1024;
/** Scalars are read too, in order to say what is wrong with them. */
const parse = json({ limit: LIMIT_BYTES, strict: false });

/**
 * Reads the JSON body of a request whose key, rate and permission are known to be right: nobody else's body is parsed.
 * Other types are refused with 415 instead of being taken for an empty body.
 */
@Injectable()
export class BodyGuard implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<HttpRequest>();
    // `is` answers null for a request without a body and false for a body of another type.
    if (request.is('application/json') === false && request.get('content-length') !== '0') {
      throw new UnsupportedMediaTypeException('The Content-Type must be application/json');
    }
    await read(request, http.getResponse<Response>());
    const problem = inputProblem(request.body, request.query);
    if (problem) throw invalidField(problem.field, problem.message);
    return true;
  }
}

function read(request: HttpRequest, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    parse(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(refusal(error))));
  });
}

/** What the parser says of a bad body may repeat parts of it, so its words are replaced. */
function refusal(error: unknown): Error {
  const { status } = error as { status?: unknown };
  if (status === 413) return new HttpException('The request body is larger than 1 MB', 413);
  if (status === 415) return new HttpException('The character set or encoding of the body is not supported', 415);
  return invalidField('body', 'The request body is not valid JSON');
}
