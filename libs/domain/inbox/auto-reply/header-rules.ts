import { join } from 'node:path';
import { AssetSet, loadAsset } from '@platform/config';
import { type ParsedMail } from '../classify/parsed-mail';
import { type AssetPattern, toPattern } from '../text/asset-pattern';
import { fold } from '../text/fold';

/** A sign of a program in the headers or the parts of a mail. */
export interface HeaderRule {
  readonly name: string;
  /** Never an absence: a reply by a calendar or a mailing list. */
  readonly neverAway: boolean;
  readonly matches: (mail: ParsedMail) => boolean;
}

interface HeaderRules {
  /** Proof, whatever the text. The first match decides. */
  readonly rules: readonly HeaderRule[];
  /** Signs that people's mail may also have: they count only together with phrases. */
  readonly hints: readonly HeaderRule[];
}

type Condition =
  | { readonly any: readonly Condition[] }
  | { readonly all: readonly Condition[] }
  | { readonly headers: readonly string[]; readonly matches?: AssetPattern; readonly unless?: AssetPattern }
  | { readonly parts: readonly string[]; readonly matches?: AssetPattern; readonly flags?: string }
  | { readonly sender: AssetPattern }
  | { readonly subject: AssetPattern }
  | { readonly isAnswer: boolean };

type StoredRule = Condition & { readonly name: string; readonly neverAway?: boolean };

interface StoredRules {
  readonly rules: readonly StoredRule[];
  readonly hints: readonly StoredRule[];
}

/** Characters of a part that are read. */
const MAX_READ = 4_000;

/** The rules for headers, from `assets/auto-reply/headers.yaml`. */
export const headerRules = new AssetSet<HeaderRules>('inbox/auto-reply-headers', () =>
  loadAsset({
    folder: join(__dirname, '..', 'assets', 'auto-reply'),
    file: 'headers.yaml',
    schema: 'headers.schema.json',
    compile: ({ rules, hints }: StoredRules): HeaderRules => ({ rules: rules.map(toRule), hints: hints.map(toRule) }),
  }),
);

function toRule(stored: StoredRule): HeaderRule {
  return { name: stored.name, neverAway: stored.neverAway === true, matches: toTest(stored) };
}

function toTest(condition: Condition): HeaderRule['matches'] {
  if ('any' in condition) {
    const tests = condition.any.map(toTest);
    return (mail) => tests.some((matches) => matches(mail));
  }
  if ('all' in condition) {
    const tests = condition.all.map(toTest);
    return (mail) => tests.every((matches) => matches(mail));
  }
  if ('headers' in condition) return toHeaderTest(condition);
  if ('parts' in condition) return toPartTest(condition);
  if ('sender' in condition) {
    const pattern = toPattern(condition.sender);
    return (mail) => pattern.test(fold(mail.from?.address ?? ''));
  }
  if ('subject' in condition) {
    const pattern = toPattern(condition.subject);
    return (mail) => pattern.test(fold(mail.subject));
  }
  return (mail) => (mail.inReplyTo !== null || mail.references.length > 0) === condition.isAnswer;
}

function toHeaderTest({ headers, matches, unless }: Extract<Condition, { headers: unknown }>): HeaderRule['matches'] {
  const pattern = matches === undefined ? null : toPattern(matches);
  const exception = unless === undefined ? null : toPattern(unless);
  return (mail) =>
    headers.some((name) => {
      if (!mail.headers.has(name)) return false;
      const value = fold(mail.headers.get(name) ?? '').trim();
      return pattern?.test(value) !== false && exception?.test(value) !== true;
    });
}

function toPartTest({ parts, matches, flags }: Extract<Condition, { parts: unknown }>): HeaderRule['matches'] {
  const pattern = matches === undefined ? null : toPattern(matches, flags);
  return (mail) =>
    mail.parts.some(
      ({ contentType, text }) => parts.includes(contentType) && pattern?.test(text?.slice(0, MAX_READ) ?? '') !== false,
    );
}
