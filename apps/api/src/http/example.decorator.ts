import { applyDecorators, type Type } from '@nestjs/common';
import { ApiBody, ApiExtraModels, getSchemaPath } from '@nestjs/swagger';

/** A sample request body for the documentation. Secrets in it are made up. */
export function Example<T extends object>(model: Type<T>, value: NoInfer<T>): MethodDecorator {
  const schema = { $ref: getSchemaPath(model) };
  return applyDecorators(ApiExtraModels(model), ApiBody({ schema, examples: { usual: { value } } }));
}
