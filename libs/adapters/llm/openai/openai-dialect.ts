import { type ModelRequest } from '../port/language-model.port';
import { type Refusal } from './openai-response';

/**
 * The API features that a server supports. All implement the API of OpenAI with gaps: newer OpenAI models support only
 * `max_completion_tokens` and no temperature, servers of open models `max_tokens`, and some no schema.
 */
export interface Dialect {
  readonly tokens: 'max_tokens' | 'max_completion_tokens';
  readonly answer: 'json_schema' | 'json_object' | 'text';
  readonly temperature: boolean;
}

export const FIRST_DIALECT: Dialect = { tokens: 'max_tokens', answer: 'json_schema', temperature: true };

/** Body of `POST /chat/completions`. */
export function toCompletionBody(model: string, request: ModelRequest, dialect: Dialect): string {
  const { system, user, schema, maxTokens } = request;
  return JSON.stringify({
    model,
    messages: [
      { role: 'system', content: schema ? `${system}\n\n${toInstruction(schema.schema)}` : system },
      { role: 'user', content: user },
    ],
    [dialect.tokens]: maxTokens,
    ...(dialect.temperature && { temperature: 0 }),
    ...(schema && dialect.answer === 'json_object' && { response_format: { type: 'json_object' } }),
    ...(schema &&
      dialect.answer === 'json_schema' && {
        response_format: {
          type: 'json_schema',
          json_schema: { name: schema.name, strict: true, schema: schema.schema },
        },
      }),
  });
}

/** The schema as text too: the format `json_object` requires the word "JSON", and not every server enforces a schema. */
function toInstruction(schema: object): string {
  return `Answer with a single JSON object that fits this JSON schema, and nothing else:\n${JSON.stringify(schema)}`;
}

/** An equivalent request without the unsupported feature; null when the refusal has another reason. */
export function adaptDialect(dialect: Dialect, { status, param, text: message }: Refusal): Dialect | null {
  if (status !== 400 && status !== 422) return null;
  const isAbout = (name: string) => param.startsWith(name) || message.includes(name);
  if (dialect.tokens === 'max_tokens' && isAbout('max_tokens') && message.includes('max_completion_tokens')) {
    return { ...dialect, tokens: 'max_completion_tokens' };
  }
  if (dialect.answer !== 'text' && (isAbout('response_format') || isAbout('json_schema') || isAbout('json_object'))) {
    return { ...dialect, answer: dialect.answer === 'json_schema' ? 'json_object' : 'text' };
  }
  return dialect.temperature && isAbout('temperature') ? { ...dialect, temperature: false } : null;
}
