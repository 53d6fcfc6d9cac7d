import { validationFailed } from '@platform/errors';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';

/**
 * Input from outside the API (from the command line), checked and trimmed by the field decorators of its class as in
 * the API.
 * @throws VALIDATION_ERROR naming each invalid field
 */
export function checkedInput<T extends object>(type: new () => T, input: object): T {
  const instance = plainToInstance(type, input, { exposeUnsetFields: false });
  const errors = validateSync(instance, { stopAtFirstError: true });
  if (errors.length === 0) return instance;
  throw validationFailed(
    errors.map(({ property, constraints = {} }) => ({
      field: property,
      message: Object.values(constraints).join('; '),
    })),
  );
}
