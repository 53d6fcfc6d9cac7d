import {
  applyDecorators,
  createParamDecorator,
  type ExecutionContext,
  HttpException,
  SetMetadata,
} from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiResponse } from '@nestjs/swagger';
import { FORM_A } from './error-response.dto';
import { type HttpRequest } from './http-request';

/** A request body that is not JSON and is streamed as received. */
export interface UploadRule {
  /** Its Content-Type without parameters. */
  type: string;
  limitBytes: number;
}

export const UPLOAD_RULE = 'uploadRule';

const MEGABYTE = 1024 * 1024;

/** The route takes one file as its raw body, which is streamed (`UploadedFile`) and never buffered. */
export function Upload(type: string, options: { limitMegabytes: number; about: string }): MethodDecorator {
  const rule: UploadRule = { type, limitBytes: options.limitMegabytes * MEGABYTE };
  return applyDecorators(
    SetMetadata(UPLOAD_RULE, rule),
    ApiConsumes(type),
    ApiBody({ description: options.about, required: true, schema: { type: 'string', format: 'binary' } }),
    ApiResponse({ status: 413, description: `The file is larger than ${options.limitMegabytes} MB`, schema: FORM_A }),
  );
}

/** The bytes of the file; reading them throws 413 beyond the limit, and 400 when the client disconnects. */
export const UploadedFile = createParamDecorator((_data: unknown, context: ExecutionContext) => {
  const rule = Reflect.getMetadata(UPLOAD_RULE, context.getHandler()) as UploadRule | undefined;
  if (!rule) throw new Error(`${context.getHandler().name} takes no upload`);
  return limitBytesOf(context.switchToHttp().getRequest<HttpRequest>(), rule);
});

export function tooLarge({ limitBytes }: UploadRule): HttpException {
  return new HttpException(`The file is larger than ${limitBytes / MEGABYTE} MB`, 413);
}

async function* limitBytesOf(request: HttpRequest, rule: UploadRule): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  // Not destroyed when reading ends early: the remaining bytes are read and discarded, so that the client receives the
  // response.
  const incoming = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
  try {
    for await (const part of incoming) {
      bytes += part.length;
      if (bytes > rule.limitBytes) throw tooLarge(rule);
      yield part;
    }
  } catch (error) {
    if (request.destroyed && !(error instanceof HttpException)) {
      throw new HttpException('The upload ended prematurely', 400, { cause: error });
    }
    throw error;
  } finally {
    request.resume();
  }
}
