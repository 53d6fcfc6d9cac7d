import { fromJsonSchema, type StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { cutText } from '../results/fit-result';
import { LONGEST_MESSAGE } from '../results/results';
import { type JsonSchema } from '../openapi/document';

type Arguments = Record<string, unknown>;

/** Arguments of a tool. Error details are limited: each of a thousand leads may be invalid. */
export function getArguments(schema: JsonSchema): StandardSchemaWithJSON<Arguments, Arguments> {
  const { '~standard': own } = fromJsonSchema<Arguments>({ ...schema, type: 'object' });
  return {
    '~standard': {
      ...own,
      validate: async (input) => {
        const result = await own.validate(input);
        if (!result.issues) return result;
        return {
          issues: result.issues.map((issue) => ({ ...issue, message: cutText(issue.message, LONGEST_MESSAGE) })),
        };
      },
    },
  };
}
