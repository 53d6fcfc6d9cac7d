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
import { inputProblem } from './input-shape';
import { isPage } from './page.decorator';
import { tooLarge, UPLOAD_RULE, type UploadRule } from './upload.decorator';

/** Of every route that does not say otherwise. */
const LIMIT_MEGABYTES = 1;
/** One for each limit that there is. Scalars are read too, in order to say what is wrong with them. */
const parsers = new Map<number, ReturnType<typeof json>>();

/**
 * Reads the JSON body of a request whose key, rate and permission are known to be right: nobody else's body is parsed.
 * Other types are refused with 415 instead of being taken for an empty body. A route without a body knows no field: those
 * of a body that is sent all the same are refused. Uploads stay unread here.
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
    const problem = inputProblem(request.body, request.query);
    if (problem) throw invalidField(problem.field, problem.message);
    if (!takesBody(context.getClass(), context.getHandler().name)) refuseFields(request.body);
    return true;
  }

  #limitOf(context: ExecutionContext): number {
    return this.reflector.get<number | undefined>(BODY_LIMIT, context.getHandler()) ?? LIMIT_MEGABYTES;
  }
}

/** Whether the route looks at its body: then its class says which fields there are. */
function takesBody(controller: Type, method: string): boolean {
  const args = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {}) as object;
  return Object.keys(args).some((arg) => arg.startsWith(`${RouteParamtypes.BODY}:`));
}

/** Where nobody looks at the body every field is an unknown one. @throws VALIDATION_ERROR naming each */
function refuseFields(body: unknown): void {
  const details = Object.keys(body ?? {}).map((field) => ({ field, message: `${field} is not a known field` }));
  if (details.length > 0) throw validationFailed(details);
}

async function readJson(request: HttpRequest, response: Response, megabytes: number): Promise<void> {
  // `is` answers null for a request without a body and false for a body of another type.
  if (request.is('application/json') === false && request.get('content-length') !== '0') {
    throw new UnsupportedMediaTypeException('The Content-Type must be application/json');
  }
  await read(request, response, megabytes);
}

/** What its headers say already; its bytes are counted as they are read. */
function checkUpload(request: HttpRequest, rule: UploadRule): void {
  if (request.is(rule.type) === false) throw new UnsupportedMediaTypeException(`The Content-Type must be ${rule.type}`);
  if (Number(request.get('content-length') ?? 0) > rule.limitBytes) throw tooLarge(rule);
  request.uploadMark = { length: request.get('content-length') ?? null, query: request.query };
}

function read(request: HttpRequest, response: Response, megabytes: number): Promise<void> {
  const parse = parserOf(megabytes);
  return new Promise((resolve, reject) => {
    parse(request, response, (error?: unknown) =>
      error === undefined ? resolve() : reject(refusal(error, megabytes)),
    );
  });
}

function parserOf(megabytes: number): ReturnType<typeof json> {
  // Compressed bodies are refused before they come here; `inflate: false` keeps it so if that ever changes.
  const parser = parsers.get(megabytes) ?? json({ limit: megabytes * 1024 * 1024, strict: false, inflate: false });
  parsers.set(megabytes, parser);
  return parser;
}

/** What the parser says of a bad body may repeat parts of it, so its words are replaced. */
function refusal(error: unknown, megabytes: number): Error {
  const { status } = error as { status?: unknown };
  if (status === 413) return new HttpException(`The request body is larger than ${megabytes} MB`, 413);
  if (status === 415) return new HttpException('The character set or encoding of the body is not supported', 415);
  return invalidField('body', 'The request body is not valid JSON');
}
