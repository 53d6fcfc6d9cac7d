import 'reflect-metadata';
import { AppError } from '@platform/errors';
import { EmailField, NameField } from '@platform/validation';
import { checkedInput } from './checked-input';

class NewThing {
  @NameField()
  name!: string;

  @EmailField({ optional: true })
  email?: string;
}

function refusal(input: object): unknown {
  try {
    return checkedInput(NewThing, input);
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, details: error.details };
    throw error;
  }
}

it('returns the validated input as the API receives it', () => {
  const given = checkedInput(NewThing, { name: ' Acme ', email: 'Ada@Example.com' });
  expect(given).toEqual({ name: 'Acme', email: 'ada@example.com' });
});

it('omits values that are not set', () => {
  expect(Object.keys(checkedInput(NewThing, { name: 'Acme' }))).toEqual(['name']);
});

it.each([[{}], [{ name: '' }], [{ name: ' \n' }], [{ name: 'x'.repeat(201) }], [{ name: 'a\0b' }], [{ name: null }]])(
  'refuses %j in one sentence that names the field',
  (input) => {
    expect(refusal(input)).toEqual({
      code: 'VALIDATION_ERROR',
      details: [{ field: 'name', message: expect.stringMatching(/^name must [^;\n]+$/) as unknown }],
    });
  },
);

it('names every invalid field', () => {
  expect(refusal({ name: '', email: 'nobody' })).toMatchObject({ details: [{ field: 'name' }, { field: 'email' }] });
});
