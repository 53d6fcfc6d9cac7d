import { join } from 'node:path';
import { AssetSet } from '@platform/config';
import { type AssetPattern, toFragments, toSource } from '../text/asset-pattern';
import { loadLanguages } from '../text/language-files';
import { type LabelRules, type Meaning } from './label-rules';

interface StoredLabels {
  readonly language: string;
  readonly fragments?: Readonly<Record<string, AssetPattern>>;
  readonly negation: AssetPattern;
  readonly phrases: Readonly<Record<Meaning, ReadonlyArray<{ readonly name: string; readonly pattern: AssetPattern }>>>;
}

/** The label rules of every language, from `assets/reply-labels` and the operator's `inbox/reply-labels`. */
export const replyLabels = new AssetSet<readonly LabelRules[]>('inbox/reply-labels', (operatorFolder) =>
  loadLanguages({
    folder: join(__dirname, '..', 'assets', 'reply-labels'),
    schema: 'reply-labels.schema.json',
    operatorFolder,
    compile: toRules,
  }),
);

function toRules({ language, fragments: shared, negation, phrases }: StoredLabels): LabelRules {
  const fragments = toFragments(shared);
  const named = Object.entries(phrases).map(([meaning, rules]) => [
    meaning,
    rules.map(({ name, pattern }) => [name, toSource(pattern, 'u', fragments)] as const),
  ]);
  return {
    language,
    negation: toSource(negation, 'u', fragments),
    phrases: Object.fromEntries(named) as LabelRules['phrases'],
  };
}
