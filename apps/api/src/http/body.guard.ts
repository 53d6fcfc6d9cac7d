import {
  type CanActivate,
  type ExecutionContext,
  HttpException,
  Injectable,
  type Type,
  UnsupportedMediaTypeException,
} from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { Reflector } from '@nestjs/core';
import { invalidField, validationFailed } from '@platform/errors';
import { json, type Response } from 'express';
import { BODY_LIMIT } from './body-limit.decorator';
import { type HttpRequest } from './http-request';
import { findInputProblem } from './input-shape';
import { isPage } from './page.decorator';
import { tooLarge, UPLOAD_RULE, type UploadRule } from './upload.decorator';

/** For every route that does not set its own. */
const LIMIT_MEGABYTES = 1;
/** One parser for each limit. Scalars are parsed too, so that the error can name the problem. */
const parsers = new Map<number, ReturnType<typeof json>>();

/**
 * Reads the JSON body after key, rate limit and permission are checked: no other body is parsed. Other content types
 * are rejected with 415 instead of counting as an empty body. A route without a body has no fields: a body sent to it
 * is rejected field by field. Uploads are not read here.
 */
@Injectable()
export class BodyGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (isPage(context)) return true;
    const http = context.switchToHttp();
    const request = http.getRequest<HttpRequest>();
    const upload = this.reflector.get<UploadRule | undefined>(UPLOAD_RULE, context.getHandler());
    if (upload) checkUpload(request, upload);
    else await readJson(request, http.getResponse<Response>(), this.#limitOf(context));
    const problem = findInputProblem(request.body, request.query);
    if (problem) throw invalidField(problem.field, problem.message);
    if (!usesBody(context.getClass(), context.getHandler().name)) refuseFields(request.body);
    return true;
  }

  #limitOf(context: ExecutionContext): number {
    return this.reflector.get<number | undefined>(BODY_LIMIT, context.getHandler()) ?? LIMIT_MEGABYTES;
  }
}

/** Whether the handler uses the body: then its class defines the fields. */
function usesBody(controller: Type, method: string): boolean {
  const args = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {}) as object;
  return Object.keys(args).some((arg) => arg.startsWith(`${RouteParamtypes.BODY}:`));
}

/** Where the handler uses no body, every field is unknown. @throws VALIDATION_ERROR naming each field */
function refuseFields(body: unknown): void {
  const details = Object.keys(body ?? {}).map((field) => ({ field, message: `${field} is not a known field` }));
  if (details.length > 0) throw validationFailed(details);
}

async function readJson(request: HttpRequest, response: Response, megabytes: number): Promise<void> {
  // `is` returns null for a request without a body and false for a body of another type.
  if (request.is('application/json') === false && request.get('content-length') !== '0') {
    throw new UnsupportedMediaTypeException('The Content-Type must be application/json');
  }
  await readBody(request, response, megabytes);
}

/** Checks the headers; the bytes are counted when they are read. */
function checkUpload(request: HttpRequest, rule: UploadRule): void {
  if (request.is(rule.type) === false) throw new UnsupportedMediaTypeException(`The Content-Type must be ${rule.type}`);
  if (Number(request.get('content-length') ?? 0) > rule.limitBytes) throw tooLarge(rule);
  request.uploadMark = { length: request.get('content-length') ?? null, query: request.query };
}

function readBody(request: HttpRequest, response: Response, megabytes: number): Promise<void> {
  const parse = getParser(megabytes);
  return new Promise((resolve, reject) => {
    parse(request, response, (error?: unknown) =>
      error === undefined ? resolve() : reject(toParserError(error, megabytes)),
    );
  });
}

function getParser(megabytes: number): ReturnType<typeof json> {
  // Compressed bodies are rejected earlier; `inflate: false` guarantees it here.
  const parser = parsers.get(megabytes) ?? json({ limit: megabytes * 1024 * 1024, strict: false, inflate: false });
  parsers.set(megabytes, parser);
  return parser;
}

/** Messages of the parser may repeat parts of the body, so they are replaced. */
function toParserError(error: unknown, megabytes: number): Error {
  const { status } = error as { status?: unknown };
  if (status === 413) return new HttpException(`The request body is larger than ${megabytes} MB`, 413);
  if (status === 415) return new HttpException('The character set or encoding of the body is not supported', 415);
  return invalidField('body', 'The request body is not valid JSON');
}
