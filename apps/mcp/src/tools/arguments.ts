import { fromJsonSchema, type StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { cutText } from '../results/fit-result';
import { LONGEST_MESSAGE } from '../results/results';
import { type JsonSchema } from '../openapi/document';

type Arguments = Record<string, unknown>;

/** What a tool takes. What is wrong with arguments is said in no more words than help: each of a thousand leads may be wrong. */
export function getArguments(schema: JsonSchema): StandardSchemaWithJSON<Arguments, Arguments> {
  const { '~standard': own } = fromJsonSchema<Arguments>({ ...schema, type: 'object' });
  return {
    '~standard': {
      ...own,
      validate: async (given) => {
        const result = await own.validate(given);
        if (!result.issues) return result;
        return {
          issues: result.issues.map((issue) => ({ ...issue, message: cutText(issue.message, LONGEST_MESSAGE) })),
        };
      },
    },
  };
}
