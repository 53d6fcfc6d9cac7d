import { CheckedField, type FieldOptions } from '@platform/validation';

const MAX_STOP_WORDS = 100;
const MAX_STOP_WORD_LENGTH = 100;

/** A list of stop words and phrases. */
export function StopWordsField(options: FieldOptions = {}) {
  const message = `$property must be a list of at most ${MAX_STOP_WORDS} words or phrases of 1 to ${MAX_STOP_WORD_LENGTH} characters`;
  const items = { type: 'string', minLength: 1, maxLength: MAX_STOP_WORD_LENGTH };
  const schema = { type: 'array', items, maxItems: MAX_STOP_WORDS } as const;
  return CheckedField({ name: 'stopWords', validate: isStopWords, message, schema }, options);
}

function isStopWords(value: unknown): boolean {
  return Array.isArray(value) && value.length <= MAX_STOP_WORDS && value.every(isStopWord);
}

function isStopWord(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    value.trim() !== '' &&
    value.length <= MAX_STOP_WORD_LENGTH &&
    value.isWellFormed() &&
    !value.includes('\0')
  );
}
