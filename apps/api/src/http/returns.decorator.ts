import { applyDecorators, HttpCode, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { PageNumbersResponse, PaginationResponse } from '@platform/validation';
import { ERROR_RESPONSES } from './error-response.dto';

/** Declares status and body of a successful response; the errors that every route can return are added. */
export function Returns(
  status: 200 | 201 | 202,
  model: Type,
  shape: 'one' | 'array' | 'page' | 'numbered page' = 'one',
): MethodDecorator {
  const item = { $ref: getSchemaPath(model) };
  const data = shape === 'one' ? item : { type: 'array', items: item };
  const paging = { one: [], array: [], page: [PaginationResponse], 'numbered page': [PageNumbersResponse] }[shape];
  const [style] = paging;
  const pagination = style ? { pagination: { $ref: getSchemaPath(style) } } : {};
  const properties = { success: { type: 'boolean', enum: [true] }, data, ...pagination };
  const schema = { type: 'object', required: Object.keys(properties), properties };
  return applyDecorators(
    HttpCode(status),
    ApiExtraModels(model, ...paging),
    ApiResponse({ status, description: 'Success', schema: schema as never }),
    ...ERROR_RESPONSES,
  );
}

/** Declares that a successful response is a file of one of these types, not JSON in the envelope. */
export function ReturnsFile(types: readonly [string, ...string[]], about = 'Success'): MethodDecorator {
  const file = { schema: { type: 'string', format: 'binary' } } as const;
  const content = Object.fromEntries(types.map((type) => [type, file]));
  return applyDecorators(HttpCode(200), ApiResponse({ status: 200, description: about, content }), ...ERROR_RESPONSES);
}
