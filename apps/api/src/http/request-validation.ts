import { ValidationPipe } from '@nestjs/common';
import { type ErrorDetail, validationFailed } from '@platform/errors';
import { type ValidationError } from 'class-validator';

/**
 * Validates bodies and queries against their DTO classes: unknown fields are rejected, and every invalid field is
 * named.
 */
export function requestValidation(): ValidationPipe {
  return new ValidationPipe({
    transform: true,
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
    stopAtFirstError: true,
    transformOptions: { exposeUnsetFields: false },
    validationError: { target: false, value: false },
    exceptionFactory: (errors) => validationFailed(errors.flatMap((error) => listDetails(error, ''))),
  });
}

/** Flattens nested errors into dotted field names. */
function listDetails(error: ValidationError, prefix: string): ErrorDetail[] {
  const field = prefix + error.property;
  const { whitelistValidation, ...others } = error.constraints ?? {};
  if (whitelistValidation !== undefined) return [{ field, message: `${field} is not a known field` }];
  const own = Object.values(others)
    .slice(0, 1)
    .map((message) => ({ field, message: message.replace(error.property, field) }));
  return [...own, ...(error.children ?? []).flatMap((child) => listDetails(child, `${field}.`))];
}
