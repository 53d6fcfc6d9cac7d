import { CheckedField, type FieldOptions } from '@platform/validation';

const MOST_STOP_WORDS = 100;
const LONGEST_STOP_WORD = 100;

/** Words and phrases that answers are looked through for. */
export function StopWordsField(options: FieldOptions = {}) {
  const message = `$property must be a list of at most ${MOST_STOP_WORDS} words or phrases of 1 to ${LONGEST_STOP_WORD} characters`;
  const items = { type: 'string', minLength: 1, maxLength: LONGEST_STOP_WORD };
  const schema = { type: 'array', items, maxItems: MOST_STOP_WORDS } as const;
  return CheckedField({ name: 'stopWords', validate: isWords, message, schema }, options);
}

function isWords(value: unknown): boolean {
  return Array.isArray(value) && value.length <= MOST_STOP_WORDS && value.every(isWord);
}

function isWord(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    value.trim() !== '' &&
    value.length <= LONGEST_STOP_WORD &&
    value.isWellFormed() &&
    !value.includes('\0')
  );
}
