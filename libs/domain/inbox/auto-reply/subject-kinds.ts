import { join } from 'node:path';
import { AssetSet, loadAsset } from '@platform/config';
import { type AssetPattern, toFragments, toPattern } from '../text/asset-pattern';
import { fold } from '../text/fold';

export type SubjectKind = 'automatic' | 'absence' | 'named-absence' | 'challenge' | 'received' | 'receipt';

interface StoredPattern {
  readonly pattern: AssetPattern;
  readonly flags?: string;
}

interface StoredSubjects {
  readonly fragments: Readonly<Record<string, AssetPattern>>;
  readonly answered: StoredPattern;
  readonly kinds: ReadonlyArray<StoredPattern & { readonly kind: SubjectKind }>;
}

interface Subjects {
  /** A person replies to an automatic mail. */
  readonly answered: RegExp;
  /** The first that matches decides. */
  readonly kinds: ReadonlyArray<{ readonly kind: SubjectKind; readonly pattern: RegExp }>;
}

/** The rules for subjects, from `assets/auto-reply/subjects.yaml`. */
export const subjects = new AssetSet<Subjects>('inbox/auto-reply-subjects', () =>
  loadAsset({
    folder: join(__dirname, '..', 'assets', 'auto-reply'),
    file: 'subjects.yaml',
    schema: 'subjects.schema.json',
    compile: ({ fragments: shared, answered, kinds }: StoredSubjects): Subjects => {
      const fragments = toFragments(shared);
      const compile = ({ pattern, flags }: StoredPattern) => toPattern(pattern, flags, fragments);
      return {
        answered: compile(answered),
        kinds: kinds.map((stored) => ({ kind: stored.kind, pattern: compile(stored) })),
      };
    },
  }),
);

/** Classifies a subject that a program wrote; null when a person may have written it. */
export function getSubjectKind(subject: string): SubjectKind | null {
  const folded = fold(subject.slice(0, 300)).replace(/\s+/g, ' ').trim();
  const { answered, kinds } = subjects.value;
  if (answered.test(folded)) return null;
  return kinds.find(({ pattern }) => pattern.test(folded))?.kind ?? null;
}
